// In a build without CUDA: see cpu_gpu_methods.h, which refuses before any of this is called.
#include "kernels/core/error.h"
#include "kernels/diffusion/block_device.h"
#include "kernels/diffusion/floyd_steinberg.h"
#include "kernels/diffusion/measured_costs.h"
#include "kernels/diffusion/table_rule.h"

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

template std::unique_ptr<BlockDevice> make_gpu_block_device(const FloydSteinbergRule&, uint32_t);
template std::unique_ptr<BlockDevice> make_gpu_block_device(const TableRule&, uint32_t);
template void measure_gpu_costs(const FloydSteinbergRule&, BlockCosts&);
template void measure_gpu_costs(const TableRule&, BlockCosts&);

}  // namespace mezzo::diffusion
