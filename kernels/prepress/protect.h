// Protection of paper and solids: whatever a method does beside them, pixels of tone 0 get no dot,
// and those of full tone do. Type, bar codes and line work live by it.
//
// Point methods, floyd-steinberg and pinwheel keep both by themselves; the searches and the rules
// whose weights vary by tone may not.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"

namespace mezzo {
class ToneCurve;
}  // namespace mezzo

namespace mezzo::prepress {

/// The tones that are protected.
struct Protect {
  bool paper = false;
  bool solid = false;

  bool any() const { return paper || solid; }
  bool operator==(const Protect&) const = default;
};

/// Pixels that were protected, and those of them that the method had made otherwise.
struct Protection {
  uint64_t paper_px = 0;
  uint64_t solid_px = 0;
  uint64_t mended_px = 0;

  Protection& operator+=(const Protection& other) {
    paper_px += other.paper_px;
    solid_px += other.solid_px;
    mended_px += other.mended_px;
    return *this;
  }
  bool operator==(const Protection&) const = default;
};

/// The samples of a plane that are protected. Immutable.
class ProtectedSamples {
 public:
  /// Tones never fall, or never rise, from sample to sample.
  ProtectedSamples(const ToneCurve& curve, Protect tones);

  /// Mends the bits of `samples`, of the same rows and width; padding stays 0.
  Protection protect(const SampleBand& samples, const BitBand& bits) const;

 private:
  /// Samples first .. last; none where first is above last.
  struct Range {
    uint32_t first = 1;
    uint32_t last = 0;
  };
  static Range samples_of(const ToneCurve& curve, uint32_t tone);

  Range paper_, solid_;
};

}  // namespace mezzo::prepress
