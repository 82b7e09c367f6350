#include "kernels/codec/deflate_huffman.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>

#include "kernels/codec/deflate_segments.h"
#include "kernels/codec/prefix_code.h"

namespace mezzo::codec {
namespace {

/// Writes bits, the lowest first, into memory with 8 bytes to spare.
class BitsOut {
 public:
  explicit BitsOut(std::byte* to) : to_(to) {}

  /// Appends the `count` low bits of `bits`, whose others are 0. Between two calls of flush() there
  /// is room for 57.
  void put(uint64_t bits, uint32_t count) {
    bits_ |= bits << count_;
    count_ += count;
  }
  void flush() {
    std::memcpy(to_, &bits_, sizeof bits_);
    to_ += count_ / 8;
    bits_ >>= count_ & ~7U;
    count_ &= 7;
  }
  /// Fills the last byte, and appends others. Returns where they end.
  std::byte* put_bytes(std::span<const uint8_t> bytes) {
    count_ = (count_ + 7) & ~7U;
    flush();
    std::ranges::copy(std::as_bytes(bytes), to_);
    return to_ += bytes.size();
  }

 private:
  static_assert(std::endian::native == std::endian::little);
  std::byte* to_;
  uint64_t bits_ = 0;
  uint32_t count_ = 0;
};

/// A code and its length in one word.
struct PackedCode {
  uint32_t word = 0;

  uint64_t bits() const { return word & 0xFFFF; }
  uint32_t length() const { return word >> 16; }
};
using LiteralCodes = std::array<PackedCode, 256>;

constexpr uint32_t kLongestCode = 14;  // of literals and lengths: four are 56 bits

/// Four codes at a time.
void put_literals(std::span<const uint8_t> bytes, const LiteralCodes& codes, BitsOut& to) {
  BitsOut out = to;
  size_t i = 0;
  for (; i + 4 <= bytes.size(); i += 4) {
    const PackedCode a = codes[bytes[i]], b = codes[bytes[i + 1]];
    const PackedCode c = codes[bytes[i + 2]], d = codes[bytes[i + 3]];
    const uint64_t ab = a.bits() | b.bits() << a.length();
    const uint64_t cd = c.bits() | d.bits() << c.length();
    const uint32_t ab_length = a.length() + b.length();
    out.put(ab | cd << ab_length, ab_length + c.length() + d.length());
    out.flush();
  }
  for (; i < bytes.size(); ++i) out.put(codes[bytes[i]].bits(), codes[bytes[i]].length());
  out.flush();
  to = out;
}

constexpr size_t kStoredBytes = 65535;            // most of a stored block
constexpr size_t kBlockBytes = 2 * kStoredBytes;  // that share a code

// Symbols of Deflate: literals are their own.
constexpr uint32_t kEndOfBlock = 256;
constexpr uint32_t kLeastLength = 3, kMostLength = 258;
constexpr uint32_t kLiteralSymbols = 286;

/// A length or a distance.
struct MatchSymbol {
  uint32_t symbol, extra_bits, extra;
};

constexpr MatchSymbol length_symbol(uint32_t length) {
  if (length == kMostLength) return {285, 0, 0};
  const uint32_t above = length - kLeastLength;
  const auto width = static_cast<uint32_t>(std::bit_width(above));
  const uint32_t extra_bits = width > 3 ? width - 3 : 0;
  return {
      257 + 4 * extra_bits + (above >> extra_bits), extra_bits, above & ((1U << extra_bits) - 1)};
}

constexpr MatchSymbol distance_symbol(uint32_t distance) {
  const uint32_t above = distance - 1;
  const auto width = static_cast<uint32_t>(std::bit_width(above));
  const uint32_t extra_bits = width > 2 ? width - 2 : 0;
  return {2 * extra_bits + (above >> extra_bits), extra_bits, above & ((1U << extra_bits) - 1)};
}

/// Calls back with the length of each match that repeated bytes are written as.
template <typename Put>
void for_each_match(size_t repeated, const Put& put) {
  while (repeated > 0) {
    size_t length = std::min<size_t>(repeated, kMostLength);
    if (repeated > length && repeated < length + kLeastLength) length -= kLeastLength;
    put(length_symbol(static_cast<uint32_t>(length)));
    repeated -= length;
  }
}

using SymbolCounts = std::array<uint32_t, kLiteralSymbols>;

// ---- The header of a block: the lengths of its codes, in codes of their own ----

/// A length of a code, or with symbols 16 to 18 a run of them.
struct CodeLength {
  uint8_t symbol, extra_bits, extra;
};

/// RFC 1951, 3.2.7.
std::vector<CodeLength> code_lengths(std::span<const uint8_t> lengths) {
  std::vector<CodeLength> result;
  for (size_t i = 0; i < lengths.size();) {
    size_t run = 1;
    while (i + run < lengths.size() && lengths[i + run] == lengths[i]) ++run;
    const bool repeats = i > 0 && lengths[i] == lengths[i - 1];
    size_t taken = 1;
    if (lengths[i] == 0 && run >= 3) {
      taken = std::min<size_t>(run, 138);
      if (taken < 11) {
        result.push_back({17, 3, static_cast<uint8_t>(taken - 3)});
      } else {
        result.push_back({18, 7, static_cast<uint8_t>(taken - 11)});
      }
    } else if (repeats && run >= 3) {
      taken = std::min<size_t>(run, 6);
      result.push_back({16, 2, static_cast<uint8_t>(taken - 3)});
    } else {
      result.push_back({lengths[i], 0, 0});
    }
    i += taken;
  }
  return result;
}

/// The codes of a block, and what they make of it.
struct BlockCode {
  PrefixCode literals;              ///< of literals, the end and lengths
  std::vector<CodeLength> lengths;  ///< of `literals`, and of the distances
  PrefixCode length_code;           ///< of `lengths`
  size_t distances = 0;
  uint32_t length_codes = 0;  ///< of kOrder that are written
  uint64_t bits = 0;          ///< of the block
};

/// The order in which lengths of length codes are written.
constexpr std::array<uint8_t, 19> kOrder = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

/// The two distances: 1, whose code is 0, and that of the row above, whose code is 1.
class Distances {
 public:
  explicit Distances(size_t row_bytes)
      : row_(distance_symbol(
            static_cast<uint32_t>(std::clamp<size_t>(row_bytes, 2, kFarthestRow)))) {}

  /// The code and what follows it.
  PackedCode bits(bool from_row) const {
    return from_row ? PackedCode{(1 | row_.extra << 1) | (1 + row_.extra_bits) << 16}
                    : PackedCode{uint32_t{1} << 16};
  }
  /// Those of the codes. There are always two, as some readers want.
  std::vector<uint8_t> lengths() const {
    std::vector<uint8_t> lengths(row_.symbol + 1);
    lengths.front() = lengths.back() = 1;
    return lengths;
  }

 private:
  MatchSymbol row_;
};

/// Codes the lengths of the codes.
void add_header(const Distances& distances, BlockCode& code) {
  std::vector<uint8_t> lengths = code.literals.lengths;
  const std::vector<uint8_t> of_distances = distances.lengths();
  code.distances = of_distances.size();
  lengths.insert(lengths.end(), of_distances.begin(), of_distances.end());
  code.lengths = code_lengths(lengths);
  std::array<uint32_t, kOrder.size()> counts{};
  for (const CodeLength& length : code.lengths) ++counts[length.symbol];
  code.length_code = make_prefix_code(counts, 7);
  code.length_codes = kOrder.size();
  while (code.length_code.lengths[kOrder[code.length_codes - 1]] == 0) --code.length_codes;
  code.bits += 3 + 5 + 5 + 4 + 3 * code.length_codes;
  for (const CodeLength& length : code.lengths) {
    code.bits += code.length_code.lengths[length.symbol] + length.extra_bits;
  }
}

BlockCode make_block_code(std::span<const Segment> segments, const Distances& distances) {
  LiteralCounts literals;
  SymbolCounts counts{};
  BlockCode code;
  for (const Segment& segment : segments) {
    literals.add(segment.literals);
    for_each_match(segment.repeated, [&](const MatchSymbol& length) {
      ++counts[length.symbol];
      code.bits += length.extra_bits + distances.bits(segment.from_row).length();
    });
  }
  for (size_t s = 0; s < 256; ++s) counts[s] = literals[s];
  counts[kEndOfBlock] = 1;
  size_t symbols = counts.size();
  while (counts[symbols - 1] == 0) --symbols;
  code.literals = make_prefix_code(std::span(counts).first(symbols), kLongestCode);
  for (size_t s = 0; s < symbols; ++s) {
    code.bits += uint64_t{counts[s]} * code.literals.lengths[s];
  }
  add_header(distances, code);
  return code;
}

constexpr uint64_t kStored = 0, kOwnCodes = 2;  // types of blocks

void put_header(const BlockCode& code, bool is_last, BitsOut& out) {
  out.put(uint64_t{is_last} | kOwnCodes << 1, 3);
  out.put(code.literals.lengths.size() - 257, 5);
  out.put(code.distances - 1, 5);
  out.put(code.length_codes - 4, 4);
  out.flush();
  for (uint32_t i = 0; i < code.length_codes; ++i) {
    out.put(code.length_code.lengths[kOrder[i]], 3);
    out.flush();
  }
  for (const CodeLength& length : code.lengths) {
    out.put(code.length_code.bits[length.symbol], code.length_code.lengths[length.symbol]);
    out.put(length.extra, length.extra_bits);
    out.flush();
  }
}

void put_block(std::span<const Segment> segments,
               const BlockCode& code,
               const Distances& distances,
               BitsOut& out) {
  const PrefixCode& symbols = code.literals;
  const auto code_of = [&symbols](size_t symbol) {
    return PackedCode{symbols.bits[symbol] | uint32_t{symbols.lengths[symbol]} << 16};
  };
  LiteralCodes literals;
  for (size_t s = 0; s < literals.size(); ++s) literals[s] = code_of(s);
  for (const Segment& segment : segments) {
    put_literals(segment.literals, literals, out);
    const PackedCode distance = distances.bits(segment.from_row);
    for_each_match(segment.repeated, [&](const MatchSymbol& length) {
      const PackedCode match = code_of(length.symbol);
      out.put(match.bits(), match.length());
      out.put(length.extra, length.extra_bits);
      out.put(distance.bits(), distance.length());
      out.flush();
    });
  }
  const PackedCode end = code_of(kEndOfBlock);
  out.put(end.bits(), end.length());
  out.flush();
}

/// In how many blocks so many bytes are stored.
size_t stored_blocks(size_t bytes) {
  return bytes == 0 ? 1 : (bytes + kStoredBytes - 1) / kStoredBytes;
}

/// The header of each block fills up a byte and has 4.
constexpr size_t kStoredHeader = 6;

void put_stored(std::span<const uint8_t> bytes, bool is_last, BitsOut& out) {
  for (size_t left = stored_blocks(bytes.size()); left-- > 0;) {
    const auto part = bytes.first(std::min(bytes.size(), kStoredBytes));
    bytes = bytes.subspan(part.size());
    out.put(uint64_t{is_last && left == 0} | kStored << 1, 3);
    const auto low = static_cast<uint8_t>(part.size()),
               high = static_cast<uint8_t>(part.size() >> 8);
    const uint8_t length[] = {low, high, static_cast<uint8_t>(~low), static_cast<uint8_t>(~high)};
    out.put_bytes(length);
    out.put_bytes(part);
  }
}

}  // namespace

std::vector<std::byte> deflate_huffman(std::span<const uint8_t> rows,
                                       size_t row_bytes,
                                       uint32_t adler32) {
  constexpr uint8_t kZlibHeader[] = {0x78, 0x01};
  constexpr size_t kSpare = 8;
  const size_t most = rows.size() + kStoredHeader * stored_blocks(rows.size());
  const auto stream =
      std::make_unique_for_overwrite<std::byte[]>(sizeof kZlibHeader + most + 4 + kSpare);
  BitsOut out(stream.get());
  out.put_bytes(kZlibHeader);
  const Distances distances(row_bytes);
  for (size_t at = 0; at == 0 || at < rows.size(); at += kBlockBytes) {
    const auto block = rows.subspan(at, std::min(rows.size() - at, kBlockBytes));
    const bool is_last = at + block.size() == rows.size();
    const std::vector<Segment> segments = deflate_segments(block, row_bytes);
    const BlockCode code = make_block_code(segments, distances);
    if (code.bits < 8 * (block.size() + (kStoredHeader - 1) * stored_blocks(block.size()))) {
      put_header(code, is_last, out);
      put_block(segments, code, distances, out);
    } else {
      put_stored(block, is_last, out);
    }
  }
  uint8_t last[4];
  for (uint32_t i = 0; i < 4; ++i) last[i] = static_cast<uint8_t>(adler32 >> (24 - 8 * i));
  return {stream.get(), out.put_bytes(last)};
}

}  // namespace mezzo::codec
