// A search of areas that are in the memory of a GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>

#include "kernels/gpu/device.cuh"
#include "kernels/search/cpu/dbs_settings.h"
#include "kernels/search/cpu/local_search.h"
#include "kernels/search/form.h"
#include "kernels/search/search.h"

namespace mezzo::search {

/// Has all the memory that it ever needs beside the area's from the beginning, so that a plane that
/// has begun does not end for want of it. Uses no team.
class SearchOnGpu : public Search {
 public:
  /// Begins with an area, in place of the one before: its tones and bits are in the memory of the
  /// GPU, once all work of the stream has ended. The stream also gets all later work. The tones are
  /// no longer needed when this returns. Throws Error.
  virtual void begin(const Area& area, cudaStream_t stream) = 0;

  /// The bits are where they belong after each round.
  void finish() override {}
};

/// Makes a search of areas `width_px` wide and of at most `most_rows` rows. Throws Error,
/// kOutOfMemory where the GPU has no room.
using MakeSearchOnGpu = std::function<std::unique_ptr<SearchOnGpu>(
    gpu::Device device, uint32_t width_px, uint32_t most_rows)>;

MakeSearchOnGpu local_search_on_gpu(const LocalSettings& settings);
MakeSearchOnGpu dbs_on_gpu(const DbsSettings& settings);
MakeSearchOnGpu form_search_on_gpu(const FormSettings& settings);

}  // namespace mezzo::search
