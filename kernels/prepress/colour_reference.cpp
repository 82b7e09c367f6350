#include <algorithm>
#include <array>
#include <functional>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"
#include "kernels/prepress/colour_lookup.h"

namespace mezzo::prepress::reference {
namespace {

constexpr uint32_t kWhole = 1 << 14;

/// The samples of a pixel, 16 bits each.
using Colour = std::array<uint32_t, ColourShape::kMostInputs>;

bool is_black(BlackRule rule, const Colour& colour) {
  const bool equal = colour[0] == colour[1] && colour[1] == colour[2];
  switch (rule) {
    case BlackRule::kNone:
      return false;
    case BlackRule::kNeutrals:
      return equal;
    case BlackRule::kOnlyBlack:
    case BlackRule::kBlackPoint:
      return equal && colour[0] == 0;
  }
  return false;
}

uint16_t black_of(const ColourTable& table, const Colour& colour) {
  if (!has_curve(table.rule())) return kInk15;
  return table.black_at(table.rule() == BlackRule::kOnlyBlack ? colour[3] : colour[0]);
}

/// The nodes on the way through the simplex, as places of their first values, and their weights.
struct Walk {
  std::array<size_t, ColourShape::kMostInputs + 1> nodes;
  std::array<uint32_t, ColourShape::kMostInputs + 1> weights;
};

Walk walk_of(const ColourShape& shape, const Colour& colour) {
  const uint32_t n = shape.inputs;
  std::array<size_t, ColourShape::kMostInputs> steps{};   // to the next node; 0 behind the last
  std::array<uint32_t, ColourShape::kMostInputs> keys{};  // those that are not set sort last
  Walk walk{};
  size_t stride = shape.outputs;
  for (uint32_t d = n; d-- > 0;) {
    const uint32_t u = colour[d] + (colour[d] >> 15);
    const uint32_t place = u * (shape.grid - 1) >> 2;
    const uint32_t node = place / kWhole;
    walk.nodes[0] += node * stride;
    steps[d] = node + 1 < shape.grid ? stride : 0;
    keys[d] = place % kWhole << 3 | d;
    stride *= shape.grid;
  }
  std::ranges::sort(keys, std::greater());
  uint32_t left = kWhole;
  for (uint32_t j = 0; j < n; ++j) {
    const uint32_t fraction = keys[j] >> 3;
    walk.weights[j] = left - fraction;
    walk.nodes[j + 1] = walk.nodes[j] + steps[keys[j] & 7];
    left = fraction;
  }
  walk.weights[n] = left;
  return walk;
}

void convert_pixel(const ColourTable& table,
                   const Colour& colour,
                   std::span<uint16_t* const> out,
                   uint32_t at) {
  const ColourShape& shape = table.shape();
  if (is_black(table.rule(), colour)) {
    for (uint16_t* row : out) row[at] = 0;
    out[table.black_output()][at] = black_of(table, colour);
    return;
  }
  const Walk walk = walk_of(shape, colour);
  for (uint32_t c = 0; c < shape.outputs; ++c) {
    uint32_t sum = kWhole / 2;
    for (uint32_t j = 0; j <= shape.inputs; ++j) {
      sum += walk.weights[j] * table.nodes()[walk.nodes[j] + c];
    }
    out[c][at] = static_cast<uint16_t>(sum / kWhole);
  }
}

template <typename T>
void convert_all(const ColourTable& table,
                 std::span<const T* const> in,
                 std::span<uint16_t* const> out,
                 uint32_t count) {
  MZ_ASSERT(in.size() == table.shape().inputs && out.size() == table.shape().outputs);
  constexpr uint32_t kTo16Bits = sizeof(T) == 1 ? 257 : 1;
  Colour colour{};
  for (uint32_t i = 0; i < count; ++i) {
    for (size_t d = 0; d < in.size(); ++d) colour[d] = kTo16Bits * in[d][i];
    convert_pixel(table, colour, out, i);
  }
}

}  // namespace

void convert(const ColourTable& table,
             std::span<const uint8_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count) {
  convert_all(table, in, out, count);
}

void convert(const ColourTable& table,
             std::span<const uint16_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count) {
  convert_all(table, in, out, count);
}

}  // namespace mezzo::prepress::reference
