#include "kernels/gpu/gpu.h"
#include "kernels/search/gpu/gpu_search.h"
#include "kernels/search/random.h"

namespace mezzo::search {

std::unique_ptr<Search> make_local_search_on_gpu(const LocalSettings&, const Area&) {
  gpu::require_gpu("quads");
  return nullptr;
}

std::unique_ptr<Search> make_dbs_on_gpu(const DbsSettings&, const Area&) {
  gpu::require_gpu("warps");
  return nullptr;
}

std::unique_ptr<Halftoner> make_random_on_gpu(const HalftoneSettings&,
                                              const ScheduleInfo& schedule) {
  gpu::require_gpu(schedule.name);
  return nullptr;
}

}  // namespace mezzo::search
