// The kinds of errors.
#pragma once

#include <optional>
#include <string_view>

namespace mezzo {

/// Why an operation failed.
enum class ErrorKind {
  kUsage,         ///< the command line is wrong
  kData,          ///< a damaged file, or a manifest that is wrong
  kUnsupported,   ///< a valid file that uses a feature we do not read; the message names it
  kLimit,         ///< a declared limit (memory, width, pages, ...); the message names it
  kChecksum,      ///< a page is not the one that the manifest names
  kMissing,       ///< an input file is not there
  kDevice,        ///< an engine or GPU that was asked for is not available, or a GPU failed once
  kDeviceLost,    ///< a GPU failed, and only a new process can use it again
  kCannotCreate,  ///< an output cannot be created
  kIo,            ///< reading or writing failed
  kDiskFull,      ///< writing failed for lack of space or quota; worth trying again later
  kOutOfMemory,   ///< the system had no memory left; worth trying again later
  kBusy,          ///< another process uses it; worth trying again later
  kInterrupted,   ///< stopped on request
  kBug,           ///< a check of our own failed
};

/// Its name for programs: "data", "disk-full", ...
std::string_view name_of(ErrorKind kind);

/// The kind of that name; nothing when there is none.
std::optional<ErrorKind> error_kind_named(std::string_view name);

}  // namespace mezzo
