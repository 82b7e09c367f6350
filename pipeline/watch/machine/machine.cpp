#include "pipeline/watch/machine/machine.h"

#include <thread>
#include <utility>

namespace mezzo::watch {
namespace {

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

Machine& Machine::real() {
  static RealMachine machine;
  return machine;
}

}  // namespace mezzo::watch
