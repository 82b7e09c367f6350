// Makes the GPU schedules of an error diffusion. A schedule is a class template over the Rule
// (rule.h) in a .cu file of its own, instantiated there for the rules that exist: pwed.cu, pwec.cu,
// knight.cu, bwed.cu, bwec.cu and gpu_wavefront.cu.
#pragma once

#include <memory>

#include "kernels/diffusion/rules/rule.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_schedule.cuh"

namespace mezzo::diffusion {

using gpu::DeviceBand;
using gpu::GpuSchedule;
using gpu::plate_word;
using gpu::sample_pitch;

__device__ inline Place place_of(const DeviceBand& band, uint32_t x, uint32_t i) {
  return {x, band.first_row + i, band.plane};
}

/// Makes the schedule for planes `width_px` wide and bands of at most `max_rows` rows, on the GPU
/// `device`. Throws Error, kOutOfMemory where the GPU has no room.
template <Rule R>
using MakeGpuSchedule = std::unique_ptr<GpuSchedule> (*)(const R& rule,
                                                         gpu::Device device,
                                                         uint32_t width_px,
                                                         uint32_t max_rows);

template <Rule R>
std::unique_ptr<GpuSchedule> make_pwed(const R&,
                                       gpu::Device device,
                                       uint32_t width_px,
                                       uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_pwec(const R&,
                                       gpu::Device device,
                                       uint32_t width_px,
                                       uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_bwed(const R&,
                                       gpu::Device device,
                                       uint32_t width_px,
                                       uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_bwec(const R&,
                                       gpu::Device device,
                                       uint32_t width_px,
                                       uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_knight(const R&,
                                         gpu::Device device,
                                         uint32_t width_px,
                                         uint32_t max_rows);
template <Rule R>
std::unique_ptr<GpuSchedule> make_wavefront(const R&,
                                            gpu::Device device,
                                            uint32_t width_px,
                                            uint32_t max_rows);

}  // namespace mezzo::diffusion
