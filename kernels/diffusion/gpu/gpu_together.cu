#include <array>
#include <string>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/diffusion/gpu/bwec.cuh"
#include "kernels/diffusion/gpu/bwed.cuh"
#include "kernels/diffusion/gpu/gpu_together.h"
#include "kernels/diffusion/gpu/knight.cuh"
#include "kernels/diffusion/gpu/pwec.cuh"
#include "kernels/diffusion/gpu/pwed.cuh"
#include "kernels/diffusion/gpu/rule_on_gpu.cuh"
#include "kernels/diffusion/gpu/together_rule.cuh"
#include "kernels/diffusion/gpu/together_schedule.cuh"
#include "kernels/together/gpu/gpu_inks_halftoner.cuh"

namespace mezzo::diffusion {
namespace {

using gpu::InksSchedule;
using together::accounts_before;
using together::accounts_of;

constexpr uint32_t kRowMultiple = 64;

std::unique_ptr<RuleSchedule<TogetherRule>> make_launched(std::string_view schedule,
                                                          const TogetherRule& rule,
                                                          gpu::Device device,
                                                          uint32_t width_px,
                                                          uint32_t max_rows) {
  using R = TogetherRule;
  if (schedule == "pwed") return std::make_unique<Pwed<R>>(rule, device, width_px, max_rows);
  if (schedule == "pwec") return std::make_unique<Pwec<R>>(rule, device, width_px, max_rows);
  if (schedule == "knight") return std::make_unique<Knight<R>>(rule, device, width_px, max_rows);
  if (schedule == "bwed") return std::make_unique<Bwed<R>>(rule, device, width_px, max_rows);
  MZ_ASSERT(schedule == "bwec");
  return std::make_unique<Bwec<R>>(rule, device, width_px, max_rows);
}

/// Planes one after the other, each by a schedule of planes alone.
class PlaneAfterPlane final : public InksSchedule {
 public:
  PlaneAfterPlane(std::string_view schedule,
                  const AnyRule& rule,
                  together::LightTones light,
                  gpu::Device device,
                  uint32_t width_px,
                  uint32_t max_rows,
                  uint32_t inks)
      : device_(device),
        width_px_(width_px),
        plane_px_(size_t{width_px} * max_rows),
        beyond_(device, plane_px_ * InkFields::kPlanes),
        owed_(device, (plane_px_ + width_px) * InkFields::kPlanes),
        light_(device, light == together::LightTones::kSideBySide ? plane_px_ : 0),
        sums_(device, size_t{2} * inks * width_px),
        carried_(device, size_t{accounts_before(inks)} * width_px),
        rule_{rule, {}, 0, schedule == "bwed" || schedule == "bwec"},
        schedule_(make_launched(schedule, rule_, device, width_px, max_rows)) {
    InkFields& fields = rule_.fields;
    for (uint32_t j = 0; j < InkFields::kPlanes; ++j) {
      fields.beyond[j] = beyond_.data() + plane_px_ * j;
      fields.owed[j] = owed_.data() + (plane_px_ + width_px) * j;
    }
    fields.light = light_.size() > 0 ? light_.data() : nullptr;
    fields.width_px = width_px;
  }

  void enqueue(std::span<const DeviceBand> inks, cudaStream_t stream) override {
    gpu::use(device_);
    if (!has_begun_) clear(stream);
    for (uint32_t ink = 0; ink < inks.size(); ++ink) enqueue_plane(inks[ink], ink, stream);
    is_odd_ = !is_odd_;
  }

 private:
  void clear(cudaStream_t stream) {
    gpu::check(cudaMemsetAsync(sums_.data(), 0, sums_.size() * sizeof(int), stream),
               "clearing sums");
    gpu::check(cudaMemsetAsync(carried_.data(), 0, carried_.size() * sizeof(int16_t), stream),
               "clearing accounts");
    has_begun_ = true;
  }

  void enqueue_plane(DeviceBand band, uint32_t ink, cudaStream_t stream) {
    InkFields& fields = rule_.fields;
    fields.rows = band.rows;
    fields.first_row = band.first_row;
    rule_.ink = ink;
    schedule_->change_rule(rule_);
    int* sums = sums_.data() + size_t{2} * ink * width_px_;
    band.texture = 0;
    band.above = sums + (is_odd_ ? width_px_ : 0);
    band.below = sums + (is_odd_ ? 0 : width_px_);
    for (uint32_t j = 0; j < accounts_of(ink); ++j) {
      copy_row(fields.owed[j], carried(ink, j), stream);
    }
    schedule_->enqueue(band, stream);
    for (uint32_t j = 0; j < accounts_of(ink); ++j) {
      copy_row(carried(ink, j), fields.owed[j] + size_t{band.rows} * width_px_, stream);
    }
  }

  /// Account j of the last row of the band above.
  int16_t* carried(uint32_t ink, uint32_t j) const {
    return carried_.data() + (size_t{accounts_before(ink)} + j) * width_px_;
  }

  void copy_row(int16_t* to, const int16_t* from, cudaStream_t stream) const {
    gpu::check(
        cudaMemcpyAsync(to, from, width_px_ * sizeof(int16_t), cudaMemcpyDeviceToDevice, stream),
        "copying accounts");
  }

  gpu::Device device_;
  uint32_t width_px_;
  size_t plane_px_;
  gpu::Array<int16_t> beyond_;  ///< of InkFields, as the next two
  gpu::Array<int16_t> owed_;
  gpu::Array<short2> light_;
  gpu::Array<int> sums_;         ///< above and below the band at work, of each ink
  gpu::Array<int16_t> carried_;  ///< from band to band, of each account of each ink
  bool has_begun_ = false;
  bool is_odd_ = false;  ///< the number of bands so far
  TogetherRule rule_;
  std::unique_ptr<RuleSchedule<TogetherRule>> schedule_;
};

}  // namespace

template <Rule R>
std::unique_ptr<mezzo::together::InksHalftoner> make_gpu_together(
    const R& rule,
    together::LightTones light,
    const ScheduleInfo& schedule,
    gpu::Context& context,
    std::unique_ptr<mezzo::together::InksHalftoner> on_cpu) {
  const bool is_wavefront = schedule.name == "wavefront" && light == together::LightTones::kAsIs;
  const bool is_launched = schedule.engine == Engine::kGpu && schedule.name != "wavefront";
  const std::string launched(is_launched ? schedule.name : "bwec");
  const auto make = [=](gpu::Device device,
                        uint32_t width_px,
                        uint32_t max_rows,
                        uint32_t inks) -> std::unique_ptr<InksSchedule> {
    const R rule_there = on_gpu(rule, device);
    if (is_wavefront && inks <= kMostInksAtOnce) {
      return make_together_wavefront(rule_there, device, width_px, max_rows, inks);
    }
    return std::make_unique<PlaneAfterPlane>(
        launched, AnyRule(rule_there), light, device, width_px, max_rows, inks);
  };
  return mezzo::together::make_gpu_inks_halftoner({.row_multiple = kRowMultiple, .on_device = true},
                                                  make,
                                                  schedule,
                                                  context,
                                                  std::move(on_cpu));
}

#define MZ_INSTANTIATE(R)                                                     \
  template std::unique_ptr<mezzo::together::InksHalftoner> make_gpu_together( \
      const R&,                                                               \
      together::LightTones,                                                   \
      const ScheduleInfo&,                                                    \
      gpu::Context&,                                                          \
      std::unique_ptr<mezzo::together::InksHalftoner>);
MZ_FOR_EACH_RULE_TOGETHER(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
