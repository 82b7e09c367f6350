#include "stages/chain/scale_stage.h"

#include <fmt/format.h>

#include "kernels/prepress/scale.h"

namespace mezzo::chain {
namespace {

PageInfo scaled(PageInfo page, const prepress::Scaling& scaling, Resolution resolution) {
  page.width_px = prepress::scaled_size(page.width_px, scaling.x);
  page.height_px = prepress::scaled_size(page.height_px, scaling.y);
  page.resolution = resolution;
  return page;
}

std::string ratios(const prepress::Scaling& scaling) {
  const auto& [x, y, filter] = scaling;
  const std::string across = fmt::format("{}/{}", x.p, x.q);
  return x == y ? across : fmt::format("{} x {}/{}", across, y.p, y.q);
}

}  // namespace

ScaleStage::ScaleStage(const PageInfo& page,
                       const prepress::Scaling& scaling,
                       Resolution resolution)
    : Stage(scaled(page, scaling, resolution)),
      scaling_(scaling),
      planes_(static_cast<uint32_t>(page.inks.size())),
      scaler_(prepress::make_scaler(page.width_px, page.height_px, scaling)) {}

std::string ScaleStage::describe() const {
  return fmt::format("scale by {}, {}", ratios(scaling_), prepress::name_of(scaling_.filter));
}

std::string ScaleStage::digest() const {
  return fmt::format("scale {} {}", ratios(scaling_), prepress::name_of(scaling_.filter));
}

void ScaleStage::run(std::span<const SampleBand> from,
                     std::span<const MutableSampleBand> to,
                     Team& team) const {
  scaler_->run(from, to, team);
}

}  // namespace mezzo::chain
