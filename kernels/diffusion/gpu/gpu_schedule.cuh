// Makes the GPU schedules of an error diffusion. A schedule is a class template over the Rule
// (rule.h) in a header of its own, pwed.cuh, pwec.cuh, knight.cuh, bwed.cuh or bwec.cuh, which
// gpu_diffusion.cu compiles for the rules that exist; gpu_wavefront.cu, the longest, does so itself.
#pragma once

#include <memory>
#include <string_view>

#include "kernels/diffusion/rules/rule.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"

namespace mezzo::diffusion {

using gpu::DeviceBand;
using gpu::GpuSchedule;
using gpu::sample_pitch;

/// Of column x and row i of the band; x may lie outside the plane.
template <Rule R>
__device__ Place place_of(const R& rule, const DeviceBand& band, uint32_t x, uint32_t i) {
  const uint32_t y = band.first_row + i;
  return {x, y, band.plane, rule.takes_texture() ? band.texture_at(x, y) : 0};
}

/// A schedule of a rule, which may be another one for each band.
template <Rule R>
class RuleSchedule : public GpuSchedule {
 public:
  explicit RuleSchedule(const R& rule) : rule_(rule) {}
  void change_rule(const R& rule) { rule_ = rule; }

 protected:
  R rule_;
};

/// Adds the copy of what the band above left to `sums`, a number a column.
inline void take_sums(const DeviceBand& band, int* sums, cudaStream_t stream) {
  const size_t bytes = size_t{band.width_px} * sizeof(int);
  gpu::check(cudaMemcpyAsync(sums, band.above, bytes, cudaMemcpyDeviceToDevice, stream),
             "copying the sums above a band");
}

/// Adds the copy of `sums` to what the band leaves for the one below.
inline void leave_sums(const DeviceBand& band, const int* sums, cudaStream_t stream) {
  const size_t bytes = size_t{band.width_px} * sizeof(int);
  gpu::check(cudaMemcpyAsync(band.below, sums, bytes, cudaMemcpyDeviceToDevice, stream),
             "copying the sums below a band");
}

/// Makes the schedule of that name (kGpuSchedules) for planes `width_px` wide and bands of at most
/// `max_rows` rows, on the GPU `device`, which has the rule's tables. Throws Error, kOutOfMemory
/// where the GPU has no room. Defined for the rules of rules.h.
template <Rule R>
std::unique_ptr<GpuSchedule> make_gpu_schedule(std::string_view schedule,
                                               const R& rule,
                                               gpu::Device device,
                                               uint32_t width_px,
                                               uint32_t max_rows);

/// The one named "wavefront".
template <Rule R>
std::unique_ptr<GpuSchedule> make_wavefront(const R& rule,
                                            gpu::Device device,
                                            uint32_t width_px,
                                            uint32_t max_rows);

}  // namespace mezzo::diffusion
