// Huffman codes as Deflate has them (RFC 1951, 3.2.2): of a bounded length, canonical, the same on
// every machine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mezzo::codec {

/// A code: symbol s is written as the `lengths[s]` low bits of `bits[s]`, the lowest first. A symbol
/// of length 0 has none.
struct PrefixCode {
  std::vector<uint8_t> lengths;
  std::vector<uint16_t> bits;
};

/// A code of few bits in all for symbols that occur so many times: Huffman's, with those longer than
/// `longest` (at most 15) brought to it. Symbols that do not occur have none; one that occurs alone
/// has a bit. With two symbols or more the code is complete: every sequence of bits means something.
/// At most 512 symbols, and 2^`longest`; counts sum up to less than 2^23.
PrefixCode make_prefix_code(std::span<const uint32_t> counts, uint32_t longest);

/// The codes of these lengths, which satisfy Kraft's inequality.
PrefixCode prefix_code_of(std::span<const uint8_t> lengths);

}  // namespace mezzo::codec
