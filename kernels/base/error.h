// The errors of mezzotint.
//
// Three kinds of trouble, three mechanisms: a user's mistake is a Diagnostic (diagnostic.h: a
// value, collected, never thrown); trouble in the environment (a file, a limit, a device) is one
// exception type, Error, caught once a page; a programmer's mistake is an MZ_ASSERT.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>

#include "kernels/base/error_kind.h"

namespace mezzo {

/// A failure of the environment. what() is a whole sentence for the user: expectation, finding,
/// place, and advice.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

/// Ends the process: a condition that the code itself guarantees does not hold.
[[noreturn]] void assertion_failed(const char* condition, std::source_location where);

}  // namespace mezzo

/// Checks a condition that the code itself guarantees, in every build: halftoning never hides a
/// wrong index.
#define MZ_ASSERT(condition)          \
  ((condition) ? static_cast<void>(0) \
               : ::mezzo::assertion_failed(#condition, std::source_location::current()))
