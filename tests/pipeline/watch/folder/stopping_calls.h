// Calls of a hot folder that stop the process, or fail, at a chosen one of them.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <functional>

#include "pipeline/watch/folder/folder_calls.h"

namespace mezzo::test {

/// Leaves out what only matters when the power goes, as tests make thousands of jobs.
class QuickCalls : public watch::FolderCalls {
 public:
  int sync(int) override { return 0; }
};

/// Ends whatever is under way, as a signal would: nothing in the code under test catches it, and
/// what is destroyed on the way closes descriptors and no more, as the kernel does.
struct Stopped {};

class StoppingCalls final : public QuickCalls {
 public:
  enum class Way { kStopBefore, kStopAfter, kFail };
  Way way = Way::kStopBefore;
  int strike = 0;  ///< counts from 1; 0: never
  int strikes = 1;
  int error_number = ENOSPC;
  int calls = 0;
  bool knows_rename_flags = true;

  int make_folder(int folder, const std::string& name) override {
    return perform([&] { return watch::FolderCalls::make_folder(folder, name); });
  }
  int create(int folder, const std::string& name) override {
    return perform([&] { return last_created_ = watch::FolderCalls::create(folder, name); });
  }
  ssize_t write(int fd, const void* data, size_t bytes) override {
    return perform([&] { return watch::FolderCalls::write(fd, data, bytes); });
  }
  int sync(int) override {
    return perform([] { return 0; });
  }
  int rename(int from_folder,
             const std::string& from,
             int to_folder,
             const std::string& to,
             unsigned flags) override {
    if (flags != 0 && !knows_rename_flags) {
      errno = EINVAL;
      return -1;
    }
    return perform(
        [&] { return watch::FolderCalls::rename(from_folder, from, to_folder, to, flags); });
  }
  int link(int from_folder,
           const std::string& from,
           int to_folder,
           const std::string& to) override {
    return perform([&] { return watch::FolderCalls::link(from_folder, from, to_folder, to); });
  }
  int remove(int folder, const std::string& name, int flags) override {
    return perform([&] { return watch::FolderCalls::remove(folder, name, flags); });
  }

 private:
  int last_created_ = -1;

  template <typename Work>
  auto perform(const Work& work) -> decltype(work()) {
    ++calls;
    const bool strikes_now = strike != 0 && calls >= strike && calls < strike + strikes;
    if (!strikes_now) return work();
    if (way == Way::kStopBefore) throw Stopped();
    if (way == Way::kFail) {
      errno = error_number;
      return -1;
    }
    last_created_ = -1;
    work();
    if (last_created_ >= 0) ::close(last_created_);
    throw Stopped();
  }
};

/// Whether the work came to its end.
inline bool comes_to_its_end(const std::function<void()>& work) {
  try {
    work();
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

}  // namespace mezzo::test
