// A job beside files that are none of its business, and witnesses of what it does to them.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "stages/files/confined_file_system.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/content_of.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {

namespace fs = std::filesystem;

/// Sees every open, read, write and change of the files that it watches, by whatever name they are
/// reached. One for all scenes, as the kernel takes its time to end one.
class Witness {
 public:
  static Witness& the() {
    static Witness witness;
    return witness;
  }
  void watch(const std::string& path) {
    const int id = ::inotify_add_watch(fd_,
                                       path.c_str(),
                                       IN_OPEN | IN_ACCESS | IN_MODIFY | IN_CREATE | IN_DELETE |
                                           IN_MOVED_FROM | IN_MOVED_TO | IN_DONT_FOLLOW);
    ASSERT_GE(id, 0) << path;
    paths_[id] = path;
  }

  /// What happened since the last call.
  std::vector<std::string> events() {
    std::vector<std::string> found;
    alignas(inotify_event) char buffer[64 << 10];
    for (ssize_t got = 0; (got = ::read(fd_, buffer, sizeof buffer)) > 0;) {
      for (ssize_t at = 0; at < got;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        const std::string name = event->len > 0 ? std::string("/") + event->name : "";
        if ((event->mask & IN_IGNORED) == 0) {
          found.push_back(paths_[event->wd] + name + ": " + std::to_string(event->mask));
        }
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    }
    return found;
  }

 private:
  Witness() : fd_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) { EXPECT_GE(fd_, 0); }
  ~Witness() { ::close(fd_); }
  Witness(const Witness&) = delete;
  Witness& operator=(const Witness&) = delete;

  int fd_;
  std::map<int, std::string> paths_;
};

/// Names, kinds and contents of all that is below a folder.
inline std::map<std::string, std::string> tree(const std::string& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string content = "something else";
    if (entry.is_symlink()) {
      content = "link to " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      content = "file " + content_of(entry.path());
    } else if (entry.is_directory()) {
      content = "folder";
    }
    found[entry.path().string()] = content;
  }
  return found;
}

/// A small page. Made once, as making one waits for the disk.
inline void write_page_file(const std::string& path) {
  static const std::string page = [] {
    const TempFolder folder;
    tiff::ContoneOptions options;
    options.width_px = 40;
    options.height_px = 30;
    const auto writer = tiff::ContoneWriter::create(folder / "page.tif", options);
    const std::vector<std::byte> rows(size_t{40} * 30, std::byte{100});
    writer->write_rows(rows.data(), 30);
    writer->finish();
    return content_of(folder / "page.tif");
  }();
  std::ofstream(path, std::ios::binary) << page;
}

// What an attacker puts where something else may have been.

inline void make_link(const std::string& target, const std::string& path) {
  fs::remove_all(path);
  fs::create_symlink(target, path);
}

inline void make_hard_link(const std::string& target, const std::string& path) {
  fs::remove_all(path);
  fs::create_hard_link(target, path);
}

inline void make_fifo(const std::string& path) {
  fs::remove_all(path);
  EXPECT_EQ(::mkfifo(path.c_str(), 0666), 0) << path;
}

/// What an attacker does between two calls of the job; each happens once.
struct Moments {
  std::function<void()> before_run;
  std::function<void(const std::string& path)> before_create;  ///< of the temporary file
  std::function<void(const std::string& path)> before_read_back;
  std::function<void(const std::string& path)> before_publish;
};

/// A file system with an attacker beside it.
template <typename Base>
class Attacked final : public Base {
 public:
  template <typename... Arguments>
  explicit Attacked(const Moments& moments, const Arguments&... arguments)
      : Base(arguments...), moments_(moments) {}

  int open(files::At at, int flags, unsigned mode) override {
    const bool temporary = at.name.ends_with(".part");
    if (temporary)
      once((flags & O_CREAT) ? moments_.before_create : moments_.before_read_back, at.name);
    return Base::open(at, flags, mode);
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    once(moments_.before_publish, from.name);
    return Base::rename(from, to, flags);
  }

 private:
  static void once(std::function<void(const std::string&)>& act, const std::string& path) {
    if (act) std::exchange(act, nullptr)(path);
  }

  Moments moments_;
};

/// The folders around a job:
///
///   job/       page.tif, sub/page.tif; the attacker may do here what he likes
///   job/plates/ or plates/   likewise
///   outside/   secret.tif, victim.tif, folder/inner.tif
///   job2/, plates2/   their names begin as those of the job's folders do
class AttackScene {
 public:
  enum class Plates { kBesideJob, kInJob };

  explicit AttackScene(Plates where)
      : base_(fs::canonical(folder_.path()).string()),
        plates_(where == Plates::kInJob ? job() + "/plates" : base_ + "/plates") {
    for (const std::string& path : {job() + "/sub", plates_ + "/sub", outside("folder")}) {
      fs::create_directories(path);
    }
    for (const char* name : {"/job2", "/plates2"}) fs::create_directories(base_ + name);
    for (const std::string& path : {job("page.tif"),
                                    job("sub/page.tif"),
                                    outside("secret.tif"),
                                    outside("victim.tif"),
                                    outside("folder/inner.tif"),
                                    base_ + "/job2/secret.tif"}) {
      write_page_file(path);
    }
    secret_fd_ = ::open(outside("secret.tif").c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_GE(secret_fd_, 0);
  }
  ~AttackScene() { ::close(secret_fd_); }
  AttackScene(const AttackScene&) = delete;
  AttackScene& operator=(const AttackScene&) = delete;

  std::string job(const std::string& name = "") const { return at(base_ + "/job", name); }
  std::string plates(const std::string& name = "") const { return at(plates_, name); }
  std::string outside(const std::string& name = "") const { return at(base_ + "/outside", name); }
  std::string base(const std::string& name) const { return at(base_, name); }

  /// A descriptor of the secret, as the program that starts the job may have left one open.
  int secret_fd() const { return secret_fd_; }

  /// A file that the job must not open, wherever it lies.
  void forbid(const std::string& path) { witness_.watch(path); }

  /// From here on nothing may happen outside.
  void begin() {
    for (const std::string& folder : guarded()) {
      before_[folder] = tree(folder);
      witness_.watch(folder);
      for (const auto& [path, content] : before_[folder]) witness_.watch(path);
    }
    witness_.events();
  }

  /// What happened outside all the same; empty: nothing.
  std::string damage() {
    std::string text;
    for (const std::string& event : witness_.events()) text += event + "\n";
    for (const std::string& folder : guarded()) {
      if (tree(folder) != before_[folder]) text += folder + " changed\n";
    }
    const std::vector<std::string> known = {
        "job", "job-moved", "plates", "plates-moved", "outside", "job2", "plates2"};
    for (const auto& entry : fs::directory_iterator(base_)) {
      const std::string name = entry.path().filename().string();
      if (std::ranges::find(known, name) == known.end()) text += name + " is new\n";
    }
    witness_.events();  // of the look just taken
    return text;
  }

 private:
  static std::string at(const std::string& folder, const std::string& name) {
    return name.empty() ? folder : folder + "/" + name;
  }
  std::vector<std::string> guarded() const {
    return {outside(), base_ + "/job2", base_ + "/plates2"};
  }

  TempFolder folder_;
  std::string base_;
  std::string plates_;
  int secret_fd_ = -1;
  Witness& witness_ = Witness::the();
  std::map<std::string, std::map<std::string, std::string>> before_;
};

}  // namespace mezzo::test
