// Adler-32, the check sum at the end of a zlib stream (RFC 1950).
#pragma once

#include <cstdint>
#include <span>

namespace mezzo::codec {

/// That of these bytes; 1 where there are none.
uint32_t adler32(std::span<const uint8_t> bytes);

}  // namespace mezzo::codec
