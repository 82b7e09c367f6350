// How mezzotint says that something went wrong.
//
// Three kinds of trouble, three mechanisms: a user's mistake is a Diagnostic (a value, collected,
// never thrown); trouble in the environment (a file, a limit, a device) is one exception type,
// Error, caught once a page; a programmer's mistake is an MZ_ASSERT.
#pragma once

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

namespace mezzo {

/// Why an operation failed. Each kind maps to one exit status of the program
/// (tools/cli/exit_status.h).
enum class ErrorKind {
  kUsage,         ///< the command line is wrong
  kData,          ///< a damaged file, or a manifest that is wrong
  kUnsupported,   ///< a valid file that uses a feature we do not read; the message names it
  kLimit,         ///< a declared limit (memory, width, pages, ...); the message names it
  kChecksum,      ///< a page is not the one that the manifest names
  kMissing,       ///< an input file is not there
  kDevice,        ///< an engine or GPU that was asked for is not available, or a GPU failed once
  kDeviceLost,    ///< a GPU failed in a way that only a new process gets over
  kCannotCreate,  ///< an output cannot be created
  kIo,            ///< reading or writing failed
  kDiskFull,      ///< writing failed for lack of space or quota; worth trying again later
  kOutOfMemory,   ///< the system had no memory left; worth trying again later
  kBusy,          ///< another process has it in work; worth trying again later
  kInterrupted,   ///< stopped on request
  kBug,           ///< a check of our own failed
};

/// As programs read it: "data", "disk-full", ...
std::string_view name_of(ErrorKind kind);

/// An environment failure. what() is a whole sentence for the user: what was expected, what was
/// found, where, and what to do.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// A user's mistake in a text file. Lines and columns count from 1; 0 means "the file as a whole".
struct Diagnostic {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string message;  ///< what was found and what was expected, on one line
  std::string hint;     ///< what to do, e.g. a spelling suggestion; may be empty
  std::string excerpt;  ///< the offending line of the file, without its line end; may be empty

  bool operator==(const Diagnostic&) const = default;
};

/// "file:line:column: message", then the line with a caret below the column, then the hint.
std::string to_string(const Diagnostic& diagnostic);

/// Ends the process: a condition that the code itself guarantees does not hold.
[[noreturn]] void assertion_failed(const char* condition, std::source_location where);

}  // namespace mezzo

/// Checks what the code itself guarantees, in every build: halftoning never hides a wrong index.
#define MZ_ASSERT(condition)          \
  ((condition) ? static_cast<void>(0) \
               : ::mezzo::assertion_failed(#condition, std::source_location::current()))
