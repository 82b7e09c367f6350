// In a build without CUDA: see cpu_gpu_methods.h, which refuses before any of this is called.
#include "kernels/base/error.h"
#include "kernels/diffusion/hybrid/block_device.h"
#include "kernels/diffusion/hybrid/measured_costs.h"
#include "kernels/diffusion/rules/rules.h"

namespace mezzo::diffusion {
namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorKind::kDevice, "there is no GPU to share work with: this build is without CUDA");
}

}  // namespace

template <Rule R>
std::unique_ptr<BlockDevice> make_gpu_block_device(const R&, uint32_t) {
  refuse();
}
template <Rule R>
void measure_gpu_costs(const R&, BlockCosts&) {
  refuse();
}

#define MZ_INSTANTIATE(R)                                                          \
  template std::unique_ptr<BlockDevice> make_gpu_block_device(const R&, uint32_t); \
  template void measure_gpu_costs(const R&, BlockCosts&);
MZ_FOR_EACH_RULE(MZ_INSTANTIATE)
#undef MZ_INSTANTIATE

}  // namespace mezzo::diffusion
