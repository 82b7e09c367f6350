#include "kernels/base/error.h"
#include "kernels/pinwheel/gpu/gpu_pinwheel.h"

namespace mezzo::pinwheel {

std::unique_ptr<Halftoner> make_gpu(const Settings&,
                                    const ScheduleInfo& schedule,
                                    std::unique_ptr<Halftoner>) {
  throw Error(
      ErrorKind::kDevice,
      "schedule '" + std::string(schedule.name) +
          "' runs on a GPU, and this build is without CUDA; without engine and schedule the "
          "CPU does the work");
}

}  // namespace mezzo::pinwheel
