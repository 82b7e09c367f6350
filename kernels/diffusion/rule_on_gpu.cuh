// A rule as kernels want it: with its tables in the memory of their GPU.
#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "kernels/core/device.cuh"
#include "kernels/diffusion/table_rule.h"

namespace mezzo::diffusion {

/// A rule without tables is the same everywhere.
template <Rule R>
R on_gpu(const R& rule, int) {
  return rule;
}

/// Tables are copied once a GPU and stay.
inline TableRule on_gpu(const TableRule& rule, int device) {
  static std::mutex mutex;
  static auto* tables = new std::map<std::pair<int, const TableEntry*>, device::Array<TableEntry>>;
  const std::lock_guard lock(mutex);
  auto& table = (*tables)[{device, rule.entries}];
  if (table.size() == 0) {
    device::Array<TableEntry> fresh(device, kTableLevels);
    device::check(
        cudaMemcpy(
            fresh.data(), rule.entries, kTableLevels * sizeof(TableEntry), cudaMemcpyHostToDevice),
        "copying a table");
    table = std::move(fresh);
  }
  return rule.on(table.data());
}

}  // namespace mezzo::diffusion
