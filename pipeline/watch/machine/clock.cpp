#include "pipeline/watch/machine/clock.h"

namespace mezzo::watch {
namespace {

class SystemClock final : public Clock {
 public:
  Moment now() const override {
    return {.steady = SteadyClock::now(), .wall = std::chrono::system_clock::now()};
  }
};

}  // namespace

const Clock& Clock::system() {
  static const SystemClock clock;
  return clock;
}

}  // namespace mezzo::watch
