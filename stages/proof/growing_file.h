// A file that is written from its beginning to its end, or at places, and appears under its name when
// it is whole.
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
      : file_(path, files::ExistingFile::kReplace, files) {
    file_.verify_at_sync();
  }

  /// Throws Error: kDiskFull, kIo.
  void put(std::span<const uint8_t> bytes) { write(file_.size(), std::as_bytes(bytes)); }
  void put(std::string_view text) { put_at(file_.size(), text); }

  /// At a place, also beyond the end. Throws Error: kDiskFull, kIo.
  void put_at(uint64_t offset, std::string_view text) {
    write(offset, std::as_bytes(std::span(text)));
  }

  uint64_t size() const { return file_.size(); }

  /// Reads the file back first. Throws Error: kCannotCreate, kDiskFull, kIo.
  void publish() {
    file_.sync();
    file_.publish();
    file_.commit();
  }

 private:
  void write(uint64_t offset, std::span<const std::byte> bytes) {
    const int error = file_.write_at(offset, bytes);
    if (error == 0) return;
    throw files::file_error(file_.path(), "writing it", error, ErrorKind::kIo, file_.files());
  }

  files::PendingFile file_;
};

}  // namespace mezzo::proof
