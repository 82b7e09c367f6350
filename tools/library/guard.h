// From exceptions to the statuses of the C functions, which are in methods.cpp, settings.cpp,
// halftone.cpp, stream.cpp, compare.cpp, pages.cpp and job.cpp.
#pragma once

#include <cstdint>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "manifests/scalars.h"
#include "tools/library/mezzotint/mezzotint.h"

namespace mezzo::library {

/// Puts the status and the message into `error`, which may be null, and returns the status.
int report(mezzotint_error* error, int status, std::string_view message);

/// The status of the exception that is being handled, with its message in `error`.
int report_current(mezzotint_error* error) noexcept;

/// Runs the body of a function that returns a status. No exception leaves it. The body returns
/// nothing, or a status of its own after it has reported that.
template <typename Body>
int guard(mezzotint_error* error, const Body& body) noexcept {
  try {
    report(error, MEZZOTINT_GOOD, {});
    if constexpr (std::is_void_v<decltype(body())>) {
      body();
      return MEZZOTINT_GOOD;
    } else {
      return body();
    }
  } catch (...) {
    return report_current(error);
  }
}

/// The same for a function that returns a pointer: null after an exception.
template <typename Body>
auto make(mezzotint_error* error, const Body& body) noexcept -> decltype(body()) {
  try {
    report(error, MEZZOTINT_GOOD, {});
    return body();
  } catch (...) {
    report_current(error);
    return nullptr;
  }
}

/// Throws Error(kUsage).
[[noreturn]] void refuse(const std::string& message);

/// What was read of a text, or an Error(kUsage) with the mistake in it; `name` is that of the setting.
template <typename T>
T value_of(std::string_view name, const manifests::Parsed<T>& parsed) {
  if (parsed.value) return *parsed.value;
  refuse(std::string(name) + " " + parsed.problem +
         (parsed.hint.empty() ? "" : "; " + parsed.hint));
}

/// Throws Error(kUsage) where a handle or a pointer that a function needs is null.
void require(const void* pointer, const char* name);

/// Throws Error(kUsage) where a member `reserved` is not 0: the caller knows a later library.
void require_zero(std::span<const uint64_t> reserved);

}  // namespace mezzo::library
