#include "kernels/core/error.h"
#include "kernels/search/gpu_search.h"

namespace mezzo::search {

std::unique_ptr<Search> make_dbs_on_gpu(const DbsSettings&, const Area&) {
  throw Error(ErrorKind::kDevice,
              "this search runs on a GPU, and this build is without CUDA; without engine and "
              "schedule the CPU does the work");
}

}  // namespace mezzo::search
