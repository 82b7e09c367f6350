// The digest of a job's content, by which a second drop of the same is known.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>

#include "pipeline/steady_time.h"
#include "pipeline/watch/machine/machine.h"

namespace mezzo::watch {

/// Digests of single files by their names: XXH3, 32 hexadecimal digits.
using FileDigests = std::map<std::string, std::string>;

/// XXH3 (128 bits, 32 hexadecimal digits) over name, size and bytes of every regular file in `work`
/// and below it, hidden ones left out, in the order of their names. In job.yaml, `id` is left out.
/// No link is followed, and only regular files with one name are read. Throws Error: kIo, kMissing;
/// kLimit for a file that no page can be, or that is mostly holes; kInterrupted when a stop is
/// requested. `bytes_read`, unless null, counts what was read of them; `files`, unless null, receives the digest of
/// each but job.yaml.
std::string content_digest(const std::string& work,
                           const std::string& id,
                           const std::stop_token& stop,
                           std::atomic<uint64_t>* bytes_read = nullptr,
                           FileDigests* files = nullptr);

/// Tells work that stands still from work that is slow.
class StallWatch {
 public:
  explicit StallWatch(SteadyTime begun) : moved_(begun) {}

  /// Whether `done`, which grows while the work proceeds, has been the same for longer than `stall`.
  bool stands_still(uint64_t done, SteadyTime now, std::chrono::milliseconds stall) {
    if (done != done_) moved_ = now;
    done_ = done;
    return now - moved_ > stall;
  }

  /// When it may be said to stand still, if nothing moves.
  SteadyTime due(std::chrono::milliseconds stall) const { return moved_ + stall; }

 private:
  uint64_t done_ = 0;
  SteadyTime moved_;
};

/// The same in a thread of its own (Machine::detach), as a page may be large and its disk slow. Destroyed unfinished,
/// it does not wait: a read from a disk that hangs would never end. The thread ends after the one
/// read of at most 128 KiB that is under way.
class DigestTask {
 public:
  /// `done`, which must own what it uses, is called in that thread when result() is there, unless
  /// this is destroyed before.
  DigestTask(Machine& machine, std::string work, std::string id, std::function<void()> done);
  ~DigestTask();
  DigestTask(const DigestTask&) = delete;
  DigestTask& operator=(const DigestTask&) = delete;

  struct State {
    std::atomic<bool> finished{false};
    std::atomic<uint64_t> bytes_read{0};  ///< so far
    // Once finished:
    std::string result;   ///< the digest; empty with a problem
    std::string problem;  ///< the reason
    FileDigests files;
    std::stop_source stop;
  };
  const State& state() const { return *state_; }

 private:
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace mezzo::watch
