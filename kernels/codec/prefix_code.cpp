#include "kernels/codec/prefix_code.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "kernels/base/error.h"

namespace mezzo::codec {
namespace {

constexpr uint32_t kMostBits = 15;
constexpr uint32_t kIndexBits = 9;  // of a sorted symbol; its count is above them
using LeavesAt = std::array<uint32_t, kMostBits + 1>;

/// Symbols that occur, the rarest first.
std::vector<uint32_t> sorted_symbols(std::span<const uint32_t> counts) {
  std::vector<uint32_t> sorted;
  for (uint32_t symbol = 0; symbol < counts.size(); ++symbol) {
    if (counts[symbol] != 0) sorted.push_back(counts[symbol] << kIndexBits | symbol);
  }
  std::ranges::sort(sorted);
  return sorted;
}

/// Of each node of Huffman's tree that is no leaf, the node above it; they are in the order of their
/// weights, and the last is the root. Rare leaves and light nodes are joined first, from two queues.
std::vector<uint32_t> parents_in_tree(std::span<const uint32_t> sorted) {
  const size_t nodes = sorted.size() - 1;
  std::vector<uint32_t> weights(nodes), parents(nodes);
  size_t leaf = 0, node = 0;
  for (uint32_t next = 0; next < nodes; ++next) {
    const auto take_lightest = [&] {
      const bool no_node = node == next;
      if (leaf < sorted.size() && (no_node || sorted[leaf] >> kIndexBits <= weights[node])) {
        return sorted[leaf++] >> kIndexBits;
      }
      parents[node] = next;
      return weights[node++];
    };
    weights[next] = take_lightest();
    weights[next] += take_lightest();
  }
  return parents;
}

/// How many codes there are of each length. From the root down, a leaf becomes two a level deeper at
/// the depth of each node; below `longest`, where that is not possible, the deepest that can be is
/// taken. So the code stays complete.
LeavesAt leaves_at_depths(std::span<const uint32_t> parents, uint32_t longest) {
  LeavesAt leaves{};
  leaves[0] = 1;
  std::vector<uint32_t> depths(parents.size());
  for (size_t node = parents.size(); node-- > 0;) {
    if (node + 1 < parents.size()) depths[node] = depths[parents[node]] + 1;
    uint32_t depth = std::min(depths[node], longest - 1);
    while (leaves[depth] == 0) --depth;
    --leaves[depth];
    leaves[depth + 1] += 2;
  }
  return leaves;
}

uint16_t reversed(uint32_t bits, uint32_t count) {
  uint32_t result = 0;
  for (uint32_t i = 0; i < count; ++i) result |= (bits >> i & 1) << (count - 1 - i);
  return static_cast<uint16_t>(result);
}

}  // namespace

PrefixCode make_prefix_code(std::span<const uint32_t> counts, uint32_t longest) {
  MZ_ASSERT(longest <= kMostBits && counts.size() <= 1U << kIndexBits);
  const std::vector<uint32_t> sorted = sorted_symbols(counts);
  MZ_ASSERT(sorted.size() <= 1U << longest);
  std::vector<uint8_t> lengths(counts.size());
  if (sorted.size() == 1) lengths[sorted[0] % (1U << kIndexBits)] = 1;
  if (sorted.size() > 1) {
    const LeavesAt leaves = leaves_at_depths(parents_in_tree(sorted), longest);
    size_t rank = 0;
    for (uint32_t length = longest; length > 0; --length) {
      for (uint32_t i = 0; i < leaves[length]; ++i) {
        lengths[sorted[rank++] % (1U << kIndexBits)] = static_cast<uint8_t>(length);
      }
    }
  }
  return prefix_code_of(lengths);
}

PrefixCode prefix_code_of(std::span<const uint8_t> lengths) {
  std::array<uint32_t, kMostBits + 1> next{}, of_length{};
  for (const uint8_t length : lengths) {
    if (length != 0) ++of_length[length];
  }
  for (uint32_t length = 1; length < kMostBits; ++length) {
    next[length + 1] = (next[length] + of_length[length]) << 1;
  }
  PrefixCode code{{lengths.begin(), lengths.end()}, std::vector<uint16_t>(lengths.size())};
  for (size_t symbol = 0; symbol < lengths.size(); ++symbol) {
    const uint32_t length = lengths[symbol];
    if (length != 0) code.bits[symbol] = reversed(next[length]++, length);
  }
  return code;
}

}  // namespace mezzo::codec
