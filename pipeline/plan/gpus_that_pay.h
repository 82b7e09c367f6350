// How many GPUs pay for a job. CUDA has to find, wake and leave each of them, which takes longer than a
// few pages of a screen.
#pragma once

#include <cstdint>

#include "manifests/job.h"
#include "stages/files/file_system.h"

namespace mezzo::plan {

/// Pixels of screened plates for which one more GPU pays. Measured with two H200s: the second one takes 0.2 s more
/// at start and end, and saves 0.5 s for 250 gigapixels.
inline constexpr uint64_t kPixelsOfAnotherGpu = 100'000'000'000;

/// Returns how many of `most` GPUs pay for the job. If a page has a method that is no screen, all do, as other
/// methods take far longer a pixel. Opens inputs in their order until the answer is known. An input that cannot be
/// opened counts as 0 pixels. Throws nothing.
uint32_t gpus_that_pay(const manifests::Job& job, files::FileSystem& files, uint32_t most);

}  // namespace mezzo::plan
