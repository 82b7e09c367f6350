// How much a test does: the short form by default, the long one when MEZZOTINT_TESTS is `full`. `tools/check`
// runs the short forms, `tools/check --all` sets the variable.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace mezzo::test::effort {

/// Whether the long form is asked for. Prints which form it is at its first call in a process.
inline bool full() {
  static const bool is_full = [] {
    const char* const asked = std::getenv("MEZZOTINT_TESTS");
    const bool found = asked != nullptr && std::string_view(asked) == "full";
    std::puts(found ? "long form" : "short form (MEZZOTINT_TESTS=full for the long one)");
    return found;
  }();
  return is_full;
}

/// `long_form` in the long form, `short_form` otherwise.
template <typename T>
T choose(T short_form, T long_form) {
  return full() ? long_form : short_form;
}

}  // namespace mezzo::test::effort
