// libtiff on our own input and output: a stream is what libtiff reads and writes instead of a file.
//
// Not a public header: it includes libtiff's. libtiff's own status is not to be trusted alone (it
// closes a file that it could not finish without a word), so every message of its error handler is
// kept, and whoever uses a stream asks for it.
#pragma once

#include <tiffio.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stages/files/publish.h"

namespace mezzo::tiff {

/// What one libtiff handle reads and writes, and what it had to say. One thread at a time; it must
/// outlive the handle.
class TiffStream {
 public:
  virtual ~TiffStream() = default;

  /// Reads up to `bytes.size()` bytes; returns how many.
  virtual size_t read_at(uint64_t offset, std::span<std::byte> bytes) noexcept = 0;
  /// Writes all of `bytes`, or returns false.
  virtual bool write_at(uint64_t offset, std::span<const std::byte> bytes) noexcept = 0;
  virtual uint64_t size() const noexcept = 0;

  /// The first error that libtiff reported, or empty.
  const std::string& error() const { return error_; }
  void note_error(const char* module, const char* text) noexcept;

  /// From now on writes are accepted and dropped: closing a handle then costs nothing, fails at
  /// nothing and changes nothing.
  void discard_writes() { discarding_ = true; }
  bool discarding() const { return discarding_; }

  uint64_t position = 0;  ///< libtiff's idea of where it is

 private:
  std::string error_;
  bool discarding_ = false;
};

/// A TIFF being written into a PendingFile.
class PendingFileStream final : public TiffStream {
 public:
  explicit PendingFileStream(files::PendingFile& file) : file_(file) {}
  size_t read_at(uint64_t offset, std::span<std::byte> bytes) noexcept override {
    return file_.read_at(offset, bytes);
  }
  bool write_at(uint64_t offset, std::span<const std::byte> bytes) noexcept override {
    return file_.write_at(offset, bytes) == 0;
  }
  uint64_t size() const noexcept override { return file_.size(); }

 private:
  files::PendingFile& file_;
};

/// A file opened for reading only.
class ReadFileStream final : public TiffStream {
 public:
  /// Throws Error: kMissing, kIo.
  ReadFileStream(const std::string& path, files::FileSystem& files);
  ~ReadFileStream() override;
  ReadFileStream(const ReadFileStream&) = delete;
  ReadFileStream& operator=(const ReadFileStream&) = delete;

  size_t read_at(uint64_t offset, std::span<std::byte> bytes) noexcept override;
  bool write_at(uint64_t, std::span<const std::byte>) noexcept override { return false; }
  uint64_t size() const noexcept override { return size_; }

  /// The errno of the first read that failed, or 0.
  int error_number() const { return error_number_; }

 private:
  files::FileSystem& files_;
  int fd_ = -1;
  int error_number_ = 0;
  uint64_t size_ = 0;
};

/// A TIFF in memory.
class MemoryStream final : public TiffStream {
 public:
  size_t read_at(uint64_t offset, std::span<std::byte> bytes) noexcept override;
  bool write_at(uint64_t offset, std::span<const std::byte> bytes) noexcept override;
  uint64_t size() const noexcept override { return bytes_.size(); }

  /// Forgets the content and keeps the memory.
  void clear() { bytes_.clear(); }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  std::vector<std::byte> bytes_;
};

struct TiffCloser {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using OwnedTiff = std::unique_ptr<TIFF, TiffCloser>;

/// Opens a handle on the stream; `name` appears in libtiff's messages. Null on failure.
OwnedTiff open_tiff(const std::string& name, const char* mode, TiffStream& stream);

}  // namespace mezzo::tiff
