// The digest of what a job is made of, by which a second drop of the same is known.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace mezzo::watch {

/// XXH3 (128 bits, 32 hexadecimal digits) over name, size and bytes of every regular file in `work`
/// and below it, hidden ones left out, in the order of their names. In job.yaml, `id` counts as
/// nothing. Nothing is followed, nothing but regular files with one name is read.
/// Throws Error(kIo, kMissing, kLimit, kInterrupted): the last when `stop` becomes true.
std::string content_digest(const std::string& work,
                           const std::string& id,
                           const std::atomic<bool>& stop);

/// The same in a thread of its own, as a page may be large and its disk slow. Dropped unfinished,
/// the thread stops by itself, and nobody waits for it.
class DigestTask {
 public:
  /// `done` is called in that thread when result() is there.
  DigestTask(std::string work, std::string id, std::function<void()> done);
  ~DigestTask();
  DigestTask(const DigestTask&) = delete;
  DigestTask& operator=(const DigestTask&) = delete;

  bool finished() const;

  /// Once finished: the digest, or nothing when there is none; then problem() says why.
  const std::string& result() const;
  const std::string& problem() const;

 private:
  struct Shared;
  std::shared_ptr<Shared> shared_;
};

}  // namespace mezzo::watch
