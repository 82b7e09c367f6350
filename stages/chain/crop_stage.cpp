#include "stages/chain/crop_stage.h"

#include <fmt/format.h>

#include <cstring>

#include "kernels/base/error.h"

namespace mezzo::chain {
namespace {

PageInfo cropped(PageInfo page, const Rect& kept) {
  MZ_ASSERT(kept.width_px > 0 && kept.width_px <= page.width_px - kept.x);
  MZ_ASSERT(kept.height_px > 0 && kept.height_px <= page.height_px - kept.y);
  page.width_px = kept.width_px;
  page.height_px = kept.height_px;
  return page;
}

}  // namespace

CropStage::CropStage(const PageInfo& page, const Rect& kept)
    : Stage(cropped(page, kept)), kept_(kept) {}

std::string CropStage::describe() const {
  return fmt::format(
      "crop to {} x {} px from {}, {}", kept_.width_px, kept_.height_px, kept_.x, kept_.y);
}

std::string CropStage::digest() const {
  return fmt::format("crop {} {} {} {}", kept_.x, kept_.y, kept_.width_px, kept_.height_px);
}

void CropStage::run(std::span<const SampleBand> from,
                    std::span<const MutableSampleBand> to,
                    Team&) const {
  for (size_t plane = 0; plane < to.size(); ++plane) {
    const size_t sample_bytes = to[plane].bytes_per_sample;
    for (uint32_t i = 0; i < to[plane].rows; ++i) {
      const uint32_t y = kept_.y + to[plane].first_row + i;
      const std::byte* row = from[plane].row(int64_t{y} - from[plane].first_row);
      std::memcpy(to[plane].row(i), row + sample_bytes * kept_.x, sample_bytes * kept_.width_px);
    }
  }
}

}  // namespace mezzo::chain
