#include "pipeline/watch/machine/machine.h"

#include <thread>
#include <utility>

namespace mezzo::watch {
namespace {

// The one place where a watcher reads the clocks.
class SystemClock final : public Clock {
 public:
  Moment now() const override {
    return {.steady = SteadyClock::now(), .wall = std::chrono::system_clock::now()};
  }
};

class RealMachine final : public Machine {
 public:
  const Clock& clock() const override { return Clock::system(); }
  files::FileSystem& disk() override { return files::FileSystem::real(); }
  std::unique_ptr<process::Worker> start(const std::vector<std::string>& command,
                                         int lock,
                                         const std::vector<std::string>& changes) override {
    return std::make_unique<process::WorkerProcess>(command, lock, changes);
  }
  std::unique_ptr<Lane> make_lane(std::function<void()> wake,
                                  std::chrono::milliseconds patience) override {
    return std::make_unique<ThreadLane>(clock(), std::move(wake), patience);
  }
  void detach(std::function<void()> work) override { std::thread(std::move(work)).detach(); }
};

}  // namespace

const Clock& Clock::system() {
  static const SystemClock clock;
  return clock;
}

Machine& Machine::real() {
  static RealMachine machine;
  return machine;
}

}  // namespace mezzo::watch
