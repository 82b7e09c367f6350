// A TIFF file in memory, for libtiff.
#pragma once

#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace mezzo::test {

/// A file in memory, as TIFFClientOpen() wants it.
class MemoryTiff {
 public:
  MemoryTiff() = default;
  MemoryTiff(const MemoryTiff&) = delete;
  MemoryTiff& operator=(const MemoryTiff&) = delete;

  TIFF* open(const char* mode) {
    at_ = 0;
    return TIFFClientOpen("memory", mode, this, read, write, seek, close, size, nullptr, nullptr);
  }

 private:
  static MemoryTiff& of(thandle_t handle) { return *static_cast<MemoryTiff*>(handle); }
  static tmsize_t read(thandle_t handle, void* to, tmsize_t count) {
    MemoryTiff& file = of(handle);
    const size_t left = file.bytes_.size() - std::min(file.at_, file.bytes_.size());
    const size_t n = std::min(static_cast<size_t>(count), left);
    if (n > 0) std::memcpy(to, file.bytes_.data() + file.at_, n);
    file.at_ += n;
    return static_cast<tmsize_t>(n);
  }
  static tmsize_t write(thandle_t handle, void* from, tmsize_t count) {
    MemoryTiff& file = of(handle);
    const size_t end = file.at_ + static_cast<size_t>(count);
    if (end > file.bytes_.size()) file.bytes_.resize(end);
    std::memcpy(file.bytes_.data() + file.at_, from, static_cast<size_t>(count));
    file.at_ = end;
    return count;
  }
  static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    MemoryTiff& file = of(handle);
    const size_t from = whence == SEEK_CUR ? file.at_ : whence == SEEK_END ? file.bytes_.size() : 0;
    file.at_ = from + static_cast<size_t>(offset);
    return file.at_;
  }
  static int close(thandle_t) { return 0; }
  static toff_t size(thandle_t handle) { return of(handle).bytes_.size(); }

  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
};

}  // namespace mezzo::test
