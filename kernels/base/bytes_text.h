// Numbers of bytes as people read them, for messages.
#pragma once

#include <cstdint>
#include <string>

namespace mezzo {

/// "640 KiB", "1.5 GiB": three significant digits.
std::string bytes_text(uint64_t bytes);

/// "66 MiB": a size that a setting can have, in whole MiB and no less than `bytes`.
std::string limit_text(uint64_t bytes);

/// "381 MiB, the limit is 256 MiB"; in bytes where three digits would make them equal.
std::string beyond_limit_text(uint64_t bytes, uint64_t limit);

}  // namespace mezzo
