// A rule as kernels want it: with its tables in the memory of their GPU.
#pragma once

#include "kernels/diffusion/rules/level_rule.h"
#include "kernels/diffusion/rules/table_rule.h"
#include "kernels/diffusion/rules/tone_rule.h"
#include "kernels/gpu/device.cuh"

namespace mezzo::diffusion {

/// A rule without tables is the same everywhere.
template <Rule R>
R on_gpu(const R& rule, gpu::Device) {
  return rule;
}

/// A table of a rule in the memory of a GPU.
template <typename Entry>
const Entry* table_on_gpu(const Entry* entries, gpu::Device device, size_t count = kTableLevels) {
  return static_cast<const Entry*>(gpu::table_on_gpu(device, entries, count * sizeof(Entry)));
}

inline TableRule on_gpu(const TableRule& rule, gpu::Device device) {
  return rule.on(table_on_gpu(rule.entries, device));
}

inline ToneRule on_gpu(const ToneRule& rule, gpu::Device device) {
  return rule.on(table_on_gpu(rule.entries, device));
}

inline LevelRule on_gpu(const LevelRule& rule, gpu::Device device) {
  return rule.on(table_on_gpu(rule.entries, device, kSolid + 1));
}

}  // namespace mezzo::diffusion
