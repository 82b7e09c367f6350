// The errors of mezzotint.
//
// Three kinds of trouble, three mechanisms: a user's mistake is a Diagnostic (diagnostic.h: a
// value, collected, never thrown); trouble in the environment (a file, a limit, a device) is one
// exception type, Error, caught once a page; a programmer's mistake is an MZ_ASSERT.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>

#include "kernels/base/error_kind.h"

namespace mezzo {

/// A failure of the environment, as a sentence for the user: place, expectation and finding, then
/// advice. what() has all of it.
class Error : public std::runtime_error {
 public:
  /// `advice` is a clause such as "export the page again": what to do about this very mistake. Empty
  /// where nothing is known that the advice on errors of its kind does not say.
  Error(ErrorKind kind, const std::string& finding, std::string_view advice = {});

  ErrorKind kind() const { return kind_; }
  std::string finding() const { return std::string(what(), finding_bytes_); }
  std::string advice() const;

  /// The key of the setting that is to be changed, such as "output.path"; empty where it is none.
  std::string_view setting() const { return setting_; }
  /// The same error as the mistake of a setting; `key` must be a literal.
  Error about(std::string_view key) const;

  /// The same error with `place` in front.
  Error at(const std::string& place) const;

 private:
  ErrorKind kind_;
  size_t finding_bytes_;  // at the start of what(): copies of exceptions must not throw
  std::string_view setting_ = {};
};

/// "Export the page again." of "export the page again".
std::string as_sentence(std::string_view clause);

/// Ends the process: a condition that the code itself guarantees does not hold.
[[noreturn]] void assertion_failed(const char* condition, std::source_location where);

}  // namespace mezzo

/// Checks a condition that the code itself guarantees, in every build: halftoning never hides a
/// wrong index.
#define MZ_ASSERT(condition)          \
  ((condition) ? static_cast<void>(0) \
               : ::mezzo::assertion_failed(#condition, std::source_location::current()))
