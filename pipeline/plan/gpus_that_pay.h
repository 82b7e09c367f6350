// How many of several GPUs a job is worth: each has to be found, woken and left by CUDA, which takes longer
// than a few pages of a screen do.
#pragma once

#include <cstdint>

#include "manifests/job.h"
#include "stages/files/file_system.h"

namespace mezzo::plan {

/// Plates of a screen, of so many pixels, are made sooner with one GPU more: with two GPUs (H200) it takes 0.2 s
/// more to start and to end, and saves about 0.5 s of 250 gigapixels.
inline constexpr uint64_t kPixelsOfAnotherGpu = 100'000'000'000;

/// The GPUs, `most` or fewer, that the job is worth: all of them unless every method is a screen, whose GPU schedule
/// takes words of bits by themselves; other methods keep a GPU busy for longer. Opens inputs until it knows;
/// one that cannot be opened counts nothing, as its page will fail.
uint32_t gpus_that_pay(const manifests::Job& job, files::FileSystem& files, uint32_t most);

}  // namespace mezzo::plan
