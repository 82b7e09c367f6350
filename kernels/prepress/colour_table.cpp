#include "kernels/prepress/colour_table.h"

// The functions themselves: a library of its own is not linked for them.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <numeric>
#include <utility>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"

namespace mezzo::prepress {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::kData, "the colour table is damaged: " + why);
}

std::string counted(size_t count, const char* things) {
  return std::to_string(count) + " " + things;
}

void check_shape(const ColourShape& shape) {
  if (is_possible(shape)) return;
  refuse(
      "tables have 1 to 6 inputs, 1 to 16 outputs and 2 to 4096, 129, 49, 23, 9 or 7 nodes along "
      "each of 1 to 6 inputs, and it has " +
      counted(shape.inputs, "inputs, ") + counted(shape.outputs, "outputs and ") +
      counted(shape.grid, "nodes along each"));
}

void check_values(const std::vector<uint16_t>& values, const std::string& what) {
  const auto found = std::ranges::find_if(values, [](uint32_t value) { return value > kInk15; });
  if (found == values.end()) return;
  refuse(what + " go up to 32640, and number " + std::to_string(found - values.begin()) + " is " +
         std::to_string(*found));
}

void check_rule(const ColourShape& shape, BlackRule rule, uint32_t output, size_t points) {
  const bool known = rule == BlackRule::kNone || rule == BlackRule::kOnlyBlack ||
                     rule == BlackRule::kBlackPoint || rule == BlackRule::kNeutrals;
  if (!known) refuse("it has an unknown rule of black");
  const uint32_t inputs = rule == BlackRule::kOnlyBlack ? 4 : 3;
  if (rule != BlackRule::kNone && shape.inputs != inputs) {
    refuse("its rule of black is for " + counted(inputs, "inputs, and it has ") +
           std::to_string(shape.inputs));
  }
  if (output >= shape.outputs) {
    refuse("its black is output " + std::to_string(output) + ", and the last is " +
           std::to_string(shape.outputs - 1));
  }
  const size_t least = has_curve(rule) ? 2 : 0;
  const size_t most = has_curve(rule) ? ColourTable::kMostCurvePoints : 0;
  if (points < least || points > most) {
    refuse("its curve of black has " + counted(points, "points, and may have ") +
           std::to_string(least) + " to " + std::to_string(most));
  }
}

/// Low byte first, on every machine.
void append(std::string& bytes, std::initializer_list<size_t> numbers) {
  for (const size_t number : numbers) {
    for (uint32_t shift = 0; shift < 32; shift += 8) {
      bytes.push_back(static_cast<char>(number >> shift & 0xFF));
    }
  }
}
void append(std::string& bytes, const std::vector<uint16_t>& values) {
  for (const uint16_t value : values) {
    bytes.push_back(static_cast<char>(value & 0xFF));
    bytes.push_back(static_cast<char>(value >> 8));
  }
}

std::string digest_of(const ColourTable& table) {
  const ColourShape& shape = table.shape();
  std::string bytes = "mezzotint colour table";
  append(bytes, {ColourTable::kVersion, shape.inputs, shape.outputs, shape.grid});
  append(bytes,
         {static_cast<size_t>(table.rule()), table.black_output(), table.black_curve().size()});
  append(bytes, table.black_curve());
  append(bytes, table.nodes());
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  char text[33];
  std::snprintf(text,
                sizeof text,
                "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

}  // namespace

uint32_t most_grid(uint32_t inputs) {
  constexpr std::array<uint32_t, ColourShape::kMostInputs> kMost = {4096, 129, 49, 23, 9, 7};
  return inputs >= 1 && inputs <= kMost.size() ? kMost[inputs - 1] : 0;
}

bool is_possible(const ColourShape& shape) {
  return shape.outputs >= 1 && shape.outputs <= ColourShape::kMostOutputs && shape.grid >= 2 &&
         shape.grid <= most_grid(shape.inputs);
}

uint64_t node_values(const ColourShape& shape) {
  uint64_t values = shape.outputs;
  for (uint32_t d = 0; d < shape.inputs; ++d) values *= shape.grid;
  return values;
}

uint64_t table_bytes(const ColourShape& shape) {
  constexpr uint64_t kAround = 64 << 10;  // a curve, and what lies behind the groups
  constexpr uint64_t kTogether = ColourTable::kTogether;
  const uint64_t values = node_values(shape), count = values / shape.outputs;
  const bool has_groups = shape.inputs <= ColourTable::kMostFastInputs;
  const uint64_t of_groups =
      has_groups ? (shape.outputs + kTogether - 1) / kTogether * kTogether * count : 0;
  return (values + of_groups) * sizeof(uint16_t) + kAround;
}

ColourTable::ColourTable(ColourShape shape,
                         std::vector<uint16_t> nodes,
                         BlackRule rule,
                         uint32_t black_output,
                         std::vector<uint16_t> black_curve)
    : shape_(shape),
      nodes_(std::move(nodes)),
      rule_(rule),
      black_output_(rule == BlackRule::kNone ? 0 : black_output),
      black_curve_(std::move(black_curve)) {
  check_shape(shape_);
  if (nodes_.size() != node_values(shape_)) {
    refuse("its shape asks for " + counted(node_values(shape_), "values of nodes, and it has ") +
           std::to_string(nodes_.size()));
  }
  check_rule(shape_, rule_, black_output_, black_curve_.size());
  check_values(nodes_, "values of nodes");
  check_values(black_curve_, "values of its curve of black");
  digest_ = digest_of(*this);
  uint32_t stride = 1;
  for (uint32_t d = shape_.inputs; d-- > 0; stride *= shape_.grid) strides_[d] = stride;
  if (shape_.inputs <= kMostFastInputs) make_groups();
}

void ColourTable::make_groups() {
  const size_t count = nodes_.size() / shape_.outputs;
  const size_t behind = std::accumulate(strides_.begin(), strides_.end(), size_t{0});
  group_values_ = (count + behind) * kTogether;
  groups_.resize((shape_.outputs + kTogether - 1) / kTogether * group_values_);
  for (uint32_t c = 0; c < shape_.outputs; ++c) {
    uint16_t* to = groups_.data() + c / kTogether * group_values_ + c % kTogether;
    for (size_t node = 0; node < count; ++node) {
      to[node * kTogether] = nodes_[node * shape_.outputs + c];
    }
  }
}

uint64_t ColourTable::bytes() const {
  return (nodes_.size() + black_curve_.size() + groups_.size()) * sizeof(uint16_t) + sizeof *this;
}

}  // namespace mezzo::prepress
