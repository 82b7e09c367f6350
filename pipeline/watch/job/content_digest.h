// The digest of a job's content, by which a second drop of the same is known.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

namespace mezzo::watch {

/// XXH3 (128 bits, 32 hexadecimal digits) over name, size and bytes of every regular file in `work`
/// and below it, hidden ones left out, in the order of their names. In job.yaml, `id` is left out.
/// No link is followed, and only regular files with one name are read. Throws Error: kIo, kMissing;
/// kLimit for a file that no page can be, or that is mostly holes; kInterrupted when a stop is
/// requested.
std::string content_digest(const std::string& work,
                           const std::string& id,
                           const std::stop_token& stop);

/// The same in a thread of its own, as a page may be large and its disk slow. Destroyed unfinished,
/// it waits for the one read of at most 128 KiB that is under way.
class DigestTask {
 public:
  /// `done` is called in that thread when result() is there.
  DigestTask(std::string work, std::string id, std::function<void()> done);

  bool finished() const { return finished_; }

  /// Once finished: the digest, or nothing, with the reason in problem().
  const std::string& result() const { return result_; }
  const std::string& problem() const { return problem_; }

 private:
  std::atomic<bool> finished_{false};
  std::string result_;
  std::string problem_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace mezzo::watch
