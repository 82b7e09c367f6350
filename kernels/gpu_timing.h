// Measures the GPU schedules of methods, with the plane already on the GPU, and the peak speed of
// the GPU's memory and bus. For `mezzotint-lab bench`; no CUDA header. In a build without CUDA, and
// on a machine without a GPU, every function throws Error kDevice (gpu_none.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/method_info.h"

namespace mezzo {

struct TimedRuns {
  uint32_t planes = 1;  ///< at once, each with a stream, a schedule and memory of its own
  uint32_t repetitions = 1;
  double budget_seconds = 0;  ///< no further run begins after it
  /// Called for each plane of each run, also the one that warms up, once `out` holds its bits; may be
  /// empty.
  std::function<void()> after_run = {};

  /// Medians over all runs but the first, which warms up.
  struct Timing {
    double kernel_ms;  ///< between two events around all of the schedule's work, launches included
    double upload_ms;  ///< samples, from page-locked memory
    double download_ms;  ///< bits, to page-locked memory
  };
};

/// Times the schedule that the settings name (method and schedule; the first GPU) over a plane of
/// samples, or as many copies of it, from the first that begins to the last that ends. The words on
/// the GPU are spoilt before each run, so `out` shows what the run itself wrote. A plane that fits
/// into the GPU's cache is there from the second run on. Throws Error: kUsage for an unknown
/// schedule, kDevice, kOutOfMemory.
TimedRuns::Timing time_gpu_schedule(const HalftoneSettings& settings,
                                    const SampleBand& in,
                                    const ToneCurve& curve,
                                    const BitBand& out,
                                    const TimedRuns& runs);

/// Speeds of copying alone, in 10^9 bytes a second.
struct DeviceCeilings {
  double copy_gbps;      ///< inside the GPU's memory: bytes read plus bytes written
  double upload_gbps;    ///< from page-locked memory to the GPU
  double download_gbps;  ///< and back

  /// Copies of `bytes`; the default is large against the caches of a GPU, which hold some ten megabytes, and
  /// small against its memory. Fewer take less time, and `copy_gbps` is then the cache's.
  static DeviceCeilings measure(size_t bytes = size_t{512} << 20);
};

}  // namespace mezzo
