// Pixels are converted in chunks, in two steps. The first has a pixel a lane: it finds the nodes
// before, sorts the fractions with the number of the axis in their lowest two bits, and leaves for
// each pixel the places of the nodes on its way and their weights, two weights a word. Weights and
// places are interleaved block by block of 16 bytes, as vectors do it fastest, so that the words of
// the first four pixels of all blocks come first: word_of() finds those of a pixel.
//
// The second has an output a lane, of 4 outputs at a time: it loads 8 bytes for each node, and adds
// up two nodes by one multiplication of pairs. Behind the last node along an axis any memory does,
// since its weight is 0: the table has room for that at its end.
#include "kernels/prepress/colour_lookup.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/colour_lookup.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef MEZZOTINT_PREPRESS_COLOUR_LOOKUP_ONCE
#define MEZZOTINT_PREPRESS_COLOUR_LOOKUP_ONCE
namespace mezzo::prepress {

constexpr uint32_t kChunk = 128;  ///< pixels; a multiple of the lanes of every target
constexpr uint32_t kTogether = ColourTable::kTogether;
constexpr uint32_t kMostFast = ColourTable::kMostFastInputs;

/// Rows of samples or of ink15 from a pixel on.
template <typename T>
struct InputRows {
  const T* rows[kMostFast];
};
struct OutputRows {
  uint16_t* rows[kTogether];
};

}  // namespace mezzo::prepress
#endif

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<uint16_t>;
using Places = hn::Repartition<uint32_t, Words>;
using Word = hn::Vec<Words>;
using Place = hn::Vec<Places>;
using Nodes = hn::FixedTag<int16_t, 8>;    // two nodes' outputs, in turns
using Outputs = hn::FixedTag<int32_t, 4>;  // an output each

/// Where pixels are between the nodes. For a step of the first kind, of as many pixels as a vector
/// has lanes, words are in the order of word_of().
template <uint32_t kInputs>
struct Ways {
  static constexpr uint32_t kPairs = kInputs / 2 + 1;
  HWY_ALIGN uint32_t places[kInputs][kChunk];  ///< of all nodes on the way but the last
  HWY_ALIGN uint32_t pairs[kPairs][kChunk];    ///< of their weights; the first in the low half
};

HWY_INLINE uint32_t word_of(uint32_t pixel) {
  const uint32_t lanes = static_cast<uint32_t>(hn::Lanes(Words()));
  const uint32_t in_step = pixel % lanes;
  return pixel - in_step + in_step / 8 * 4 + (in_step & 4) * (lanes / 8);
}

HWY_INLINE Word load16(const uint8_t* from) {
  const Words d;
  const Word v = hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, Words>(), from));
  return hn::Or(v, hn::ShiftLeft<8>(v));
}
HWY_INLINE Word load16(const uint16_t* from) {
  return hn::LoadU(Words(), from);
}

/// Stores the pairs of lanes of `low` and `high` as words of 32 bits.
HWY_INLINE void store_pairs(Word low, Word high, uint32_t* to) {
  const Words d;
  const Places d32;
  hn::Store(hn::BitCast(d32, hn::InterleaveLower(d, low, high)), d32, to);
  hn::Store(hn::BitCast(d32, hn::InterleaveUpper(d, low, high)), d32, to + hn::Lanes(d32));
}

HWY_INLINE void sort2(Word& larger, Word& smaller) {
  const Word most = hn::Max(larger, smaller);
  smaller = hn::Min(larger, smaller);
  larger = most;
}

/// In falling order.
template <uint32_t kInputs>
HWY_INLINE void sort(Word* keys) {
  if constexpr (kInputs == 2) sort2(keys[0], keys[1]);
  if constexpr (kInputs == 3) {
    sort2(keys[0], keys[2]);
    sort2(keys[0], keys[1]);
    sort2(keys[1], keys[2]);
  }
  if constexpr (kInputs == 4) {
    sort2(keys[0], keys[1]);
    sort2(keys[2], keys[3]);
    sort2(keys[0], keys[2]);
    sort2(keys[1], keys[3]);
    sort2(keys[1], keys[2]);
  }
}

/// Bits of the pixels that the rule decides.
template <uint32_t kInputs>
HWY_INLINE void find_black(BlackRule rule, const Word* v, uint8_t* bits) {
  if constexpr (kInputs >= 3) {
    const Words d;
    const Word apart = hn::Or(hn::Xor(v[0], v[1]), hn::Xor(v[1], v[2]));
    const Word from = rule == BlackRule::kNeutrals ? apart : hn::Or(apart, v[0]);
    hn::StoreMaskBits(d, hn::Eq(from, hn::Zero(d)), bits);
  }
}

/// Nodes before a vector of pixels, and their fractions times 4 with the number of the axis.
template <uint32_t kInputs>
struct Cells {
  Word before[kInputs + 1];  ///< one more, which is 0
  Word keys[kInputs];
};

template <uint32_t kInputs>
HWY_INLINE Cells<kInputs> cells_of(const Word* v, uint32_t grid) {
  const Words d;
  const hn::RebindToSigned<Words> d_signed;
  const Word steps = hn::Set(d, static_cast<uint16_t>(grid - 1));
  Cells<kInputs> cells;
  cells.before[kInputs] = hn::Zero(d);
  for (uint32_t axis = 0; axis < kInputs; ++axis) {
    // (v + (v >> 15)) * steps, of 32 bits: the node before in the upper half.
    const Word sign = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(d_signed, v[axis])));
    const Word more = hn::And(sign, steps);
    const Word low = hn::Add(hn::Mul(v[axis], steps), more);
    const Word carry = hn::VecFromMask(d, hn::Lt(low, more));
    cells.before[axis] = hn::Sub(hn::MulHigh(v[axis], steps), carry);
    const Word fraction = hn::AndNot(hn::Set(d, 3), low);
    cells.keys[axis] = hn::Or(fraction, hn::Set(d, static_cast<uint16_t>(axis)));
  }
  sort<kInputs>(cells.keys);
  return cells;
}

/// Of each axis, from a node to the next; 0 for those that are not there. Strides and numbers of
/// nodes along an axis are below 2^15.
struct Strides {
  HWY_ALIGN uint16_t words[8] = {};
};

/// The places of nodes of kInputs axes, by pairs of axes side by side.
template <uint32_t kInputs, class Interleave>
HWY_INLINE Place places_of(const Cells<kInputs>& cells,
                           const Strides& strides,
                           const Interleave& interleave) {
  const hn::RebindToSigned<Words> d;
  const hn::RebindToSigned<Places> d32;
  auto sum = hn::Zero(d32), other = hn::Zero(d32);
  for (uint32_t axis = 0; axis < kInputs; axis += 2) {
    int32_t pair;
    std::memcpy(&pair, strides.words + axis, sizeof pair);
    const auto nodes = hn::BitCast(d, interleave(cells.before[axis], cells.before[axis + 1]));
    const auto factors = hn::BitCast(d, hn::Set(d32, pair));
    sum = hn::ReorderWidenMulAccumulate(d32, nodes, factors, sum, other);
  }
  return hn::BitCast(Places(), hn::RearrangeToOddPlusEven(sum, other));
}

/// Of all nodes on the way but the last: each a stride after the one before.
template <uint32_t kInputs>
HWY_INLINE void store_places(const Cells<kInputs>& cells,
                             const Strides& strides,
                             Ways<kInputs>& ways,
                             uint32_t at) {
  const Words d;
  const Places d32;
  Place lower = places_of<kInputs>(
      cells, strides, [](Word a, Word b) { return hn::InterleaveLower(Words(), a, b); });
  Place upper = places_of<kInputs>(
      cells, strides, [](Word a, Word b) { return hn::InterleaveUpper(Words(), a, b); });
  const Word table = hn::LoadDup128(d, strides.words);
  for (uint32_t j = 0;; ++j) {
    hn::Store(lower, d32, ways.places[j] + at);
    hn::Store(upper, d32, ways.places[j] + at + hn::Lanes(d32));
    if (j + 1 == kInputs) return;
    const Word axis = hn::And(cells.keys[j], hn::Set(d, 3));
    const Word bytes = hn::Add(hn::Mul(axis, hn::Set(d, 0x0202)), hn::Set(d, 0x0100));
    const Word stride = hn::TableLookupBytes(table, bytes);
    lower = hn::Add(lower, hn::BitCast(d32, hn::InterleaveLower(d, stride, hn::Zero(d))));
    upper = hn::Add(upper, hn::BitCast(d32, hn::InterleaveUpper(d, stride, hn::Zero(d))));
  }
}

/// Where a weight has no other beside it, half a unit is there, which rounds.
template <uint32_t kInputs>
HWY_INLINE void store_weights(const Cells<kInputs>& cells, Ways<kInputs>& ways, uint32_t at) {
  const Words d;
  Word weights[kInputs + 2];
  Word left = hn::Set(d, 1 << 14);
  for (uint32_t j = 0; j < kInputs; ++j) {
    const Word fraction = hn::ShiftRight<2>(cells.keys[j]);
    weights[j] = hn::Sub(left, fraction);
    left = fraction;
  }
  weights[kInputs] = left;
  weights[kInputs + 1] = hn::Set(d, 1 << 13);
  for (uint32_t j = 0; j < Ways<kInputs>::kPairs; ++j) {
    store_pairs(weights[2 * j], weights[2 * j + 1], ways.pairs[j] + at);
  }
}

/// The 4 outputs of a pixel, times 2^14.
template <uint32_t kInputs>
HWY_INLINE hn::Vec<Outputs> mix(const Ways<kInputs>& ways,
                                const int16_t* nodes,
                                uint32_t to_last,
                                uint32_t word) {
  const Nodes d;
  const Outputs d32;
  const hn::Half<Nodes> half;
  const auto node = [&](uint32_t j) {
    const uint32_t place = j < kInputs ? ways.places[j][word] : ways.places[0][word] + to_last;
    return hn::ZeroExtendVector(d, hn::LoadU(half, nodes + size_t{place} * kTogether));
  };
  auto sum = kInputs % 2 == 0 ? hn::Zero(d32) : hn::Set(d32, 1 << 13), other = hn::Zero(d32);
  for (uint32_t j = 0; j < Ways<kInputs>::kPairs; ++j) {
    const auto second = 2 * j < kInputs ? node(2 * j + 1) : hn::Set(d, 1);
    const auto pairs = hn::InterleaveLower(d, node(2 * j), second);
    const auto weights = hn::Set(d32, static_cast<int32_t>(ways.pairs[j][word]));
    sum = hn::ReorderWidenMulAccumulate(d32, pairs, hn::BitCast(d, weights), sum, other);
  }
  return hn::RearrangeToOddPlusEven(sum, other);
}

/// 8 pixels, whose words begin at `first` and at `second`, to 4 rows.
template <uint32_t kInputs>
HWY_INLINE void mix8(const Ways<kInputs>& ways,
                     const int16_t* nodes,
                     uint32_t to_last,
                     uint32_t first,
                     uint32_t second,
                     const OutputRows& out,
                     uint32_t at) {
  const Nodes d;
  const hn::FixedTag<uint16_t, 8> levels;
  const Outputs d32;
  const hn::FixedTag<int64_t, 2> d64;
  // Two pixels in turns: of the second, the upper halves of its sums times 4.
  const auto two = [&](uint32_t word) {
    const auto even = hn::ShiftRight<14>(mix(ways, nodes, to_last, word));
    const auto odd = hn::ShiftLeft<2>(mix(ways, nodes, to_last, word + 1));
    return hn::BitCast(d32, hn::OddEven(hn::BitCast(d, odd), hn::BitCast(d, even)));
  };
  const auto v01 = two(first), v23 = two(first + 2), v45 = two(second), v67 = two(second + 2);
  const auto low0 = hn::BitCast(d64, hn::InterleaveLower(d32, v01, v23));
  const auto low4 = hn::BitCast(d64, hn::InterleaveLower(d32, v45, v67));
  const auto high0 = hn::BitCast(d64, hn::InterleaveUpper(d32, v01, v23));
  const auto high4 = hn::BitCast(d64, hn::InterleaveUpper(d32, v45, v67));
  hn::StoreU(hn::BitCast(levels, hn::InterleaveLower(d64, low0, low4)), levels, out.rows[0] + at);
  hn::StoreU(hn::BitCast(levels, hn::InterleaveUpper(d64, low0, low4)), levels, out.rows[1] + at);
  hn::StoreU(hn::BitCast(levels, hn::InterleaveLower(d64, high0, high4)), levels, out.rows[2] + at);
  hn::StoreU(hn::BitCast(levels, hn::InterleaveUpper(d64, high0, high4)), levels, out.rows[3] + at);
}

/// Whole chunks of pixels.
template <uint32_t kInputs, typename T>
class Chunk {
 public:
  explicit Chunk(const ColourTable& table) : table_(table) {
    for (uint32_t axis = 0; axis < kInputs; ++axis) {
      strides_.words[axis] = static_cast<uint16_t>(table.strides()[axis]);
      to_last_ += table.strides()[axis];
    }
  }

  void run(const InputRows<T>& in, std::span<uint16_t* const> out) {
    const bool has_rule = table_.rule() != BlackRule::kNone;
    const uint32_t black = has_rule ? find_black_pixels(in) : 0;
    if (black < kChunk) {
      for (uint32_t at = 0; at < kChunk; at += lanes()) {
        Word v[kInputs];
        load(in, at, v);
        const auto cells = cells_of<kInputs>(v, table_.shape().grid);
        store_places(cells, strides_, ways_, at);
        store_weights(cells, ways_, at);
      }
      for (uint32_t c = 0; c < out.size(); c += kTogether) mix_group(out.subspan(c), c / kTogether);
    }
    if (black > 0) set_black(in, out, black);
  }

 private:
  static uint32_t lanes() { return static_cast<uint32_t>(hn::Lanes(Words())); }

  static void load(const InputRows<T>& in, uint32_t at, Word* v) {
    for (uint32_t axis = 0; axis < kInputs; ++axis) v[axis] = load16(in.rows[axis] + at);
  }

  /// How many pixels the rule decides.
  uint32_t find_black_pixels(const InputRows<T>& in) {
    for (uint32_t at = 0; at < kChunk; at += lanes()) {
      Word v[kInputs];
      load(in, at, v);
      find_black<kInputs>(table_.rule(), v, black_ + at / 8);
    }
    uint32_t found = 0;
    for (uint32_t i = 0; i < kChunk / 8; ++i) {
      found += static_cast<uint32_t>(std::popcount(black_[i]));
    }
    return found;
  }

  void mix_group(std::span<uint16_t* const> out, uint32_t group) {
    OutputRows rows;
    for (uint32_t c = 0; c < kTogether; ++c) rows.rows[c] = c < out.size() ? out[c] : unused_;
    const auto* nodes = reinterpret_cast<const int16_t*>(table_.group(group));
    for (uint32_t at = 0; at < kChunk; at += 8) {
      mix8<kInputs>(ways_, nodes, to_last_, word_of(at), word_of(at + 4), rows, at);
    }
  }

  /// Of neighbours that are the same, as in type and on paper, the first is looked up.
  void set_black(const InputRows<T>& in, std::span<uint16_t* const> out, uint32_t pixels) const {
    if (pixels == kChunk) {
      for (uint16_t* row : out) std::fill_n(row, kChunk, 0);
    }
    const T* samples = in.rows[table_.rule() == BlackRule::kOnlyBlack ? kInputs - 1 : 0];
    uint16_t* black_row = out[table_.black_output()];
    uint16_t black = black_of(samples[0]);
    for (uint32_t i = 0; i < kChunk; ++i) {
      if (i > 0 && samples[i] != samples[i - 1]) black = black_of(samples[i]);
      if (pixels < kChunk) {
        if ((black_[i / 8] >> i % 8 & 1) == 0) continue;
        for (uint16_t* row : out) row[i] = 0;
      }
      black_row[i] = black;
    }
  }

  uint16_t black_of(T sample) const {
    if (!has_curve(table_.rule())) return kInk15;
    return table_.black_at(sample * (sizeof(T) == 1 ? 257U : 1U));
  }

  const ColourTable& table_;
  Strides strides_;
  uint32_t to_last_ = 0;  ///< from the first node on the way
  Ways<kInputs> ways_;
  uint16_t unused_[kChunk];
  uint8_t black_[kChunk / 8 + 8] = {};  ///< a bit a pixel; masks are stored 8 bytes at a time
};

template <uint32_t kInputs, typename T>
void convert_all(const ColourTable& table,
                 std::span<const T* const> in,
                 std::span<uint16_t* const> out,
                 uint32_t count) {
  Chunk<kInputs, T> chunk(table);
  InputRows<T> from;
  uint16_t* to[ColourShape::kMostOutputs];
  uint32_t at = 0;
  for (; at + kChunk <= count; at += kChunk) {
    for (uint32_t axis = 0; axis < kInputs; ++axis) from.rows[axis] = in[axis] + at;
    for (size_t c = 0; c < out.size(); ++c) to[c] = out[c] + at;
    chunk.run(from, {to, out.size()});
  }
  if (at == count) return;
  T last_in[kInputs][kChunk] = {};
  uint16_t last_out[ColourShape::kMostOutputs][kChunk];
  for (uint32_t axis = 0; axis < kInputs; ++axis) {
    std::copy(in[axis] + at, in[axis] + count, last_in[axis]);
    from.rows[axis] = last_in[axis];
  }
  for (size_t c = 0; c < out.size(); ++c) to[c] = last_out[c];
  chunk.run(from, {to, out.size()});
  for (size_t c = 0; c < out.size(); ++c) std::copy_n(last_out[c], count - at, out[c] + at);
}

template <typename T>
void convert_fast(const ColourTable& table,
                  std::span<const T* const> in,
                  std::span<uint16_t* const> out,
                  uint32_t count) {
  switch (table.shape().inputs) {
    case 1:
      return convert_all<1>(table, in, out, count);
    case 2:
      return convert_all<2>(table, in, out, count);
    case 3:
      return convert_all<3>(table, in, out, count);
    default:
      return convert_all<4>(table, in, out, count);
  }
}

void convert_bytes(const ColourTable& table,
                   std::span<const uint8_t* const> in,
                   std::span<uint16_t* const> out,
                   uint32_t count) {
  convert_fast(table, in, out, count);
}

void convert_words(const ColourTable& table,
                   std::span<const uint16_t* const> in,
                   std::span<uint16_t* const> out,
                   uint32_t count) {
  convert_fast(table, in, out, count);
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {

HWY_EXPORT(convert_bytes);
HWY_EXPORT(convert_words);

void convert(const ColourTable& table,
             std::span<const uint8_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count) {
  const ColourShape& shape = table.shape();
  MZ_ASSERT(in.size() == shape.inputs && out.size() == shape.outputs);
  if (shape.inputs > kMostFast) return reference::convert(table, in, out, count);
  HWY_DYNAMIC_DISPATCH(convert_bytes)(table, in, out, count);
}

void convert(const ColourTable& table,
             std::span<const uint16_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count) {
  const ColourShape& shape = table.shape();
  MZ_ASSERT(in.size() == shape.inputs && out.size() == shape.outputs);
  if (shape.inputs > kMostFast) return reference::convert(table, in, out, count);
  HWY_DYNAMIC_DISPATCH(convert_words)(table, in, out, count);
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
