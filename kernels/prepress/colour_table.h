// Colour by a table of nodes: what colours of a page become which inks.
//
// A table is made once, when a page is planned (stages/icc), and never changes; afterwards its
// integers alone decide bits, so that the same digest gives the same plates on every machine.
// colour_lookup.h has the definition of what lies between nodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mezzo::prepress {

/// The numbers of a colour's values, before and after, and of the nodes along each input.
struct ColourShape {
  static constexpr uint32_t kMostInputs = 6;
  static constexpr uint32_t kMostOutputs = 16;

  uint32_t inputs = 0;   ///< 1 to kMostInputs
  uint32_t outputs = 0;  ///< 1 to kMostOutputs
  uint32_t grid = 0;     ///< 2 to most_grid(inputs)

  bool operator==(const ColourShape&) const = default;
};

/// The most nodes along each of so many inputs: 4096, 129, 49, 23, 9, 7; 0 for other numbers. Those
/// for 3 to 6 are what a table has by default.
uint32_t most_grid(uint32_t inputs);

/// Whether tables of this shape exist.
bool is_possible(const ColourShape& shape);

/// grid ^ inputs * outputs, the values of a possible shape.
uint64_t node_values(const ColourShape& shape);

/// The memory of a table of a possible shape, about.
uint64_t table_bytes(const ColourShape& shape);

/// Colours that become pure black ink, or paper, past the nodes: a compare of the samples as they
/// came, so that the noise of interpolation never puts colour under type.
enum class BlackRule {
  kNone,
  kOnlyBlack,   ///< of 4 inputs, the first three 0: black by the curve of the fourth
  kBlackPoint,  ///< of 3 inputs, all 0: a solid of black
  kNeutrals,    ///< of 3 inputs, all the same: black by their curve
};

/// Whether the rule has a curve of black.
constexpr bool has_curve(BlackRule rule) {
  return rule == BlackRule::kOnlyBlack || rule == BlackRule::kNeutrals;
}

class ColourTable {
 public:
  /// Of the definition of all that decides bits: part of every digest.
  static constexpr uint32_t kVersion = 1;

  /// The most points of a curve of black.
  static constexpr uint32_t kMostCurvePoints = 4097;

  /// `nodes` are node_values(shape) values of ink15, those of an output beside each other, the first
  /// input slowest. Where the rule has a curve, `black_curve` has 2 to kMostCurvePoints values of
  /// ink15 for equally spaced samples, the first for 0; without one it is empty. Output
  /// `black_output` is what the rule calls black; kNone forgets it. Throws Error(kData).
  ColourTable(ColourShape shape,
              std::vector<uint16_t> nodes,
              BlackRule rule = BlackRule::kNone,
              uint32_t black_output = 0,
              std::vector<uint16_t> black_curve = {});

  const ColourShape& shape() const { return shape_; }
  const std::vector<uint16_t>& nodes() const { return nodes_; }
  BlackRule rule() const { return rule_; }
  uint32_t black_output() const { return black_output_; }
  const std::vector<uint16_t>& black_curve() const { return black_curve_; }

  /// The curve of black at a sample of 16 bits, piecewise linear: with u = v + (v >> 15), 0 to 65536,
  /// and n points, i = u * (n - 1) >> 16, f = u * (n - 1) & 65535, it is
  /// (point[i] * (65536 - f) + point[i + 1] * f + 32768) >> 16.
  uint16_t black_at(uint32_t sample) const {
    const uint32_t place =
        (sample + (sample >> 15)) * (static_cast<uint32_t>(black_curve_.size()) - 1);
    const uint32_t i = place >> 16, f = place & 0xFFFF;
    if (f == 0) return black_curve_[i];
    const uint32_t sum = black_curve_[i] * (0x10000 - f) + black_curve_[i + 1] * f;
    return static_cast<uint16_t>((sum + 0x8000) >> 16);
  }

  /// What is equal for equal tables: 32 hexadecimal digits of XXH3-128 over kVersion, shape, nodes,
  /// rule and curve.
  const std::string& digest() const { return digest_; }

  /// For loops in SIMD, of tables with no more inputs than these: the nodes of outputs 4 g to 4 g + 3
  /// alone, 4 values a node, with room for as many nodes behind the last as lie between the first and
  /// the next along all axes.
  static constexpr uint32_t kMostFastInputs = 4;
  static constexpr uint32_t kTogether = 4;
  const uint16_t* group(uint32_t g) const { return groups_.data() + g * group_values_; }

  /// Along each axis, the number of nodes from one to the next.
  using Strides = std::array<uint32_t, ColourShape::kMostInputs>;
  const Strides& strides() const { return strides_; }

  /// Memory of the table.
  uint64_t bytes() const;

 private:
  void make_groups();

  ColourShape shape_;
  std::vector<uint16_t> nodes_;
  BlackRule rule_;
  uint32_t black_output_;
  std::vector<uint16_t> black_curve_;
  std::string digest_;
  Strides strides_{};
  size_t group_values_ = 0;
  std::vector<uint16_t> groups_;
};

}  // namespace mezzo::prepress
