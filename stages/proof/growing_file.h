// A file that is written from its beginning to its end, and appears under its name when it is whole.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "stages/files/publish.h"

namespace mezzo::proof {

class GrowingFile {
 public:
  /// Throws Error as files::PendingFile does.
  GrowingFile(const std::string& path, files::FileSystem& files)
      : file_(path, files::ExistingFile::kReplace, files) {}

  /// Throws Error: kDiskFull, kIo.
  void put(std::span<const uint8_t> bytes) {
    const int error = file_.write_at(file_.size(), std::as_bytes(bytes));
    if (error == 0) return;
    throw files::file_error(file_.path(), "writing it", error, ErrorKind::kIo, file_.files());
  }
  void put(std::string_view text) {
    put(std::span(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }

  uint64_t size() const { return file_.size(); }

  /// Throws Error: kCannotCreate, kDiskFull, kIo.
  void publish() {
    file_.sync();
    file_.publish();
    file_.commit();
  }

 private:
  files::PendingFile file_;
};

}  // namespace mezzo::proof
