// kEdges: cubic scaling, with the anti-aliased borders of type and line work made sharp.
//
// Each plate pixel of a border takes one of the two levels that its page pixel is a mixture of
// (edge_tile.h). The border is a level line of the cubic surface, at a height that leaves each page
// pixel its ink. Planes that have a border in common get the same one (edge_planes.h). Everything else
// is cubic scaling, bit for bit. A page that keeps its size stays as it is.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/prepress/edge_borders.h"
#include "kernels/prepress/edge_planes.h"
#include "kernels/prepress/scale_point.h"
#include "kernels/prepress/scaler.h"

namespace mezzo::prepress {

/// Page pixels under plate pixels, in one direction.
class EdgeAxis {
 public:
  /// `ratio` is possible and at least 1.
  EdgeAxis(uint32_t page_samples, uint32_t plate_samples, Ratio ratio);

  /// The page pixel under the centre of plate pixel x.
  uint32_t page_pixel(uint32_t x) const;
  /// The first plate pixel on page pixel i; the plate's size for the page's.
  uint32_t first_on(uint32_t i) const;
  /// The centre of plate pixel x on page pixel i, in 1/256 of page pixels behind the centre of
  /// the page pixel before.
  uint32_t offset(uint32_t x, uint32_t i) const;

 private:
  uint32_t page_samples_, plate_samples_;
  Ratio ratio_;
};

/// The values of an EdgeAxis.
struct EdgeTable {
  EdgeTable(const EdgeAxis& axis, uint32_t page_samples, uint32_t plate_samples);

  std::vector<uint32_t> firsts;           ///< EdgeAxis::first_on() of each page pixel, and the end
  std::vector<uint32_t> pixels, offsets;  ///< page_pixel() and offset() of each plate pixel

  uint64_t bytes() const {
    return (firsts.capacity() + pixels.capacity() + offsets.capacity()) * sizeof(uint32_t);
  }
};

class EdgeScaler final : public Scaler {
 public:
  /// Both ratios are at least 1.
  EdgeScaler(uint32_t page_width_px, uint32_t page_height_px, const Scaling& scaling);

  uint32_t plate_width_px() const override { return cubic_.plate_width_px(); }
  uint32_t plate_height_px() const override { return cubic_.plate_height_px(); }
  SampleRange rows_needed(uint32_t first, uint32_t count) const override;
  uint64_t working_bytes(uint32_t planes, uint32_t threads) const override;
  void run(std::span<const SampleBand> page,
           std::span<const MutableSampleBand> plates,
           Team& team) const override;

 private:
  /// Makes the borders of a tile in the rows of the plates, which are those of cubic scaling.
  void sharpen(const EdgePlanes& tile, std::span<const MutableSampleBand> plates) const;

  uint32_t page_width_px_, page_height_px_;
  bool is_same_size_;
  PointScaler cubic_;
  EdgeTable across_;
  EdgeAxis down_;
};

}  // namespace mezzo::prepress
