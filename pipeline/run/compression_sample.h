// The compression of plates whose settings name none, chosen by samples of their page.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/halftoner.h"
#include "kernels/prepress/finish.h"
#include "kernels/settings.h"
#include "stages/page_info.h"
#include "stages/tiff/compression.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo::run {

/// A band of a few rows from each of several heights of the page, halftoned afresh: a sample for
/// the codecs.
class CompressionSample {
 public:
  /// A halftoner for samples of a plane, and the plane's curve.
  struct Plane {
    std::unique_ptr<Halftoner> halftoner;
    std::shared_ptr<const ToneCurve> curve;
    uint32_t bits_per_px = 1;
  };

  /// `traits`: of the halftoner that the plate itself will have.
  static Plane plane(const HalftoneSettings& settings,
                     const HalftonerTraits& traits,
                     std::shared_ptr<const ToneCurve> curve);

  /// `info` and `reader` must outlive this. `most_rows`: that the plan has memory to read at a time.
  CompressionSample(const PageInfo& info,
                    tiff::PageReader& reader,
                    uint32_t most_rows,
                    std::vector<Plane> planes,
                    prepress::Finish finish)
      : info_(info),
        reader_(reader),
        most_rows_(most_rows),
        planes_(std::move(planes)),
        finish_(finish) {}

  /// The compression for each plane. Reads `reader` from its first row on.
  std::vector<tiff::Compression> choose(Team& team);

 private:
  void take(uint32_t first_row,
            uint32_t rows,
            std::vector<std::vector<BitBand>>& samples,
            Team& team);

  const PageInfo& info_;
  tiff::PageReader& reader_;
  const uint32_t most_rows_;
  const std::vector<Plane> planes_;
  const prepress::Finish finish_;
  std::vector<std::vector<uint8_t>> bits_;
};

}  // namespace mezzo::run
