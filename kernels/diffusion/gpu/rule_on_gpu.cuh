// A rule as kernels want it: with its tables in the memory of their GPU.
#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "kernels/diffusion/rules/table_rule.h"
#include "kernels/diffusion/rules/tone_rule.h"
#include "kernels/gpu/device.cuh"

namespace mezzo::diffusion {

/// A rule without tables is the same everywhere.
template <Rule R>
R on_gpu(const R& rule, int) {
  return rule;
}

/// A table of a rule in the memory of a GPU. Tables are copied once a GPU and stay.
template <typename Entry>
const Entry* table_on_gpu(const Entry* entries, int device) {
  static std::mutex mutex;
  static auto* tables = new std::map<std::pair<int, const Entry*>, gpu::Array<Entry>>;
  const std::lock_guard lock(mutex);
  auto& table = (*tables)[{device, entries}];
  if (table.size() == 0) {
    gpu::Array<Entry> fresh(device, kTableLevels);
    gpu::check(
        cudaMemcpy(fresh.data(), entries, kTableLevels * sizeof(Entry), cudaMemcpyHostToDevice),
        "copying a table");
    table = std::move(fresh);
  }
  return table.data();
}

inline TableRule on_gpu(const TableRule& rule, int device) {
  return rule.on(table_on_gpu(rule.entries, device));
}

inline ToneRule on_gpu(const ToneRule& rule, int device) {
  return rule.on(table_on_gpu(rule.entries, device));
}

}  // namespace mezzo::diffusion
