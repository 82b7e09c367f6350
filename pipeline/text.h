// Numbers and foreign text as people read them, for messages and reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/base/bytes_text.h"  // part of this header

namespace mezzo {

/// "1 page", "3 pages".
std::string counted(uint64_t count, std::string_view noun);

/// "42 ms", "1.5 s", "12 s", "3 min 05 s", "2 h 10 min".
std::string duration_text(double seconds);

/// "850 Mpx/s", "0.05 Mpx/s".
std::string rate_text(double pixels_per_second);

/// Text for one line of a log or a table: control characters become spaces, bytes that are not
/// UTF-8 are replaced, and it is cut at `max_bytes`.
std::string one_line(std::string_view text, size_t max_bytes = 500);

}  // namespace mezzo
