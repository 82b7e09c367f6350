#include "pipeline/run/memory_guard.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace mezzo::run {
namespace {

/// Beside those of the plan: of the flow graph, of signals, of the report.
constexpr uint64_t kOtherThreads = 8;

bool uses_gpu(const plan::JobPlan& plan) {
  return std::ranges::any_of(plan.sheets, [](const plan::SheetPlan& sheet) {
    return std::ranges::any_of(
        sheet.plates, [](const plan::PlatePlan& plate) { return plate.engine != Engine::kCpu; });
  });
}

/// What RLIMIT_DATA counts: memory of this process that can be written and is not shared, stacks included.
uint64_t data_bytes() {
  uint64_t pages = 0;
  std::ifstream statm("/proc/self/statm");
  for (int field = 0; field < 6; ++field) statm >> pages;
  return statm ? pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

/// glibc's default: a stack counts as a whole, although most of it is never touched.
uint64_t stack_bytes() {
  constexpr uint64_t kUnlimited = uint64_t{8} << 20;
  rlimit stack{};
  if (::getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY) return kUnlimited;
  return stack.rlim_cur;
}

}  // namespace

std::optional<uint64_t> guard_memory(const plan::JobPlan& plan) {
  if (uses_gpu(plan)) return std::nullopt;
  const uint64_t bytes = data_bytes() + plan.memory_bytes +
                         (plan.threads + kOtherThreads) * stack_bytes() + kMemoryAllowance;
  rlimit data{};
  if (::getrlimit(RLIMIT_DATA, &data) != 0) return std::nullopt;
  data.rlim_cur = std::min<rlim_t>(data.rlim_max, bytes);
  if (::setrlimit(RLIMIT_DATA, &data) != 0) return std::nullopt;
  return data.rlim_cur;
}

}  // namespace mezzo::run
