// A conversion by lcms2, in floating point and without tables of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "stages/icc/lcms.h"
#include "stages/icc/profile.h"

namespace mezzo::icc {

class Transform {
 public:
  /// `lcms_intent`: that of the ICC, or one of lcms2's own. Without `output` the input is a link.
  /// Throws Error(kData).
  Transform(const Profile& input, const Profile* output, uint32_t lcms_intent, bool black_point);

  /// From a device to CIELab, relative to its paper.
  static Transform to_lab(const Profile& device);

  /// `in` has colours of as many values as the input has channels, 0 to 1, or L*, a*, b*; `out` gets
  /// theirs, likewise, which may be beyond their range.
  void apply(std::span<const double> in, std::span<double> out) const;

  uint32_t inputs() const { return inputs_; }
  uint32_t outputs() const { return outputs_; }

 private:
  std::unique_ptr<LcmsContext> lcms_;  // declared first: transforms live in it
  TransformHandle handle_;
  uint32_t inputs_;
  uint32_t outputs_;
};

}  // namespace mezzo::icc
