// The speed of this machine's GPU with a method (GpuCosts): measured once, in about half a second,
// and kept in a file of the user's cache for the next job.
//
// The file is JSON: {"v": 1, "gpus": {IDENTITY: {METHOD: {figure: value, ...}}}}. It is replaced
// whole by a rename. One that cannot be read, or is not of this form, counts as absent; one that
// cannot be written is left.
#pragma once

#include <optional>
#include <string>

#include "pipeline/plan/cost_model.h"

namespace mezzo::plan {

/// A method runs on a GPU when it has a schedule for it.
bool has_gpu_schedule(const std::string& method);

/// The GPU, driver, runtime and program that figures hold for; one line. Empty without a GPU.
/// Makes no CUDA context.
std::string gpu_identity();

/// $XDG_CACHE_HOME/mezzotint/gpu-costs.json, or the same below ~/.cache; empty when neither is set.
std::string gpu_costs_path();

/// The figures in the file at `path`, if it has good ones.
std::optional<GpuCosts> load_gpu_costs(const std::string& path,
                                       const std::string& identity,
                                       const std::string& method);

/// Adds the figures to the file. False when that is not possible.
bool store_gpu_costs(const std::string& path,
                     const std::string& identity,
                     const std::string& method,
                     const GpuCosts& costs);

/// Measures the first GPU with the method's fastest schedule for it, through the same interface
/// that a job uses. Call it before a job runs: it uses the default memory limit of the GPU. Throws
/// Error: kDevice, kDeviceLost, kOutOfMemory.
GpuCosts measure_gpu_costs(const std::string& method);

/// The figures of the file, or new ones, which it then adds. Throws as measure_gpu_costs().
GpuCosts gpu_costs(const std::string& method);

}  // namespace mezzo::plan
