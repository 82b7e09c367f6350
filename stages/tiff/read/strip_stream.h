// A large Deflate or ZSTD strip, decoded row by row without libtiff.
//
// libtiff decodes such strips row by row, too, but never asks for what follows the last row: the end
// of the stream and the checksum, which finds most damage. Internal to stages/tiff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "stages/files/input_file.h"
#include "stages/tiff/read/layout.h"

namespace mezzo::tiff {

/// A decoder of zlib or ZSTD streams.
class StreamDecoder {
 public:
  enum class Status { kMore, kEnd, kWrong };

  virtual ~StreamDecoder() = default;
  virtual void reset() = 0;

  /// Takes bytes from `in`, which it shortens, and fills `out`, likewise, as far as it can.
  virtual Status step(std::span<const std::byte>& in, std::span<std::byte>& out) = 0;
};

/// One stream at a time, for one thread at a time. Faults are texts, empty when there is none; after
/// one, begin() comes next. Throws Error when reading the file fails.
class StripStream {
 public:
  /// Keeps references to both.
  StripStream(const files::InputFile& file, const PageLayout& layout);

  static bool decodes(const PageLayout& layout) {
    return layout.is_deflate() || layout.compression == COMPRESSION_ZSTD;
  }

  void begin(uint64_t offset, uint64_t stored_bytes);

  /// The next row, as libtiff would give it.
  std::string read_row(std::byte* to, size_t size);

  /// After the last row: the stream must end here, or after `surplus` more bytes at most, with a
  /// checksum that is right where it has one.
  std::string finish(uint64_t surplus);

  /// The most memory used, beside the window of ZSTD.
  static constexpr size_t kWorkingBytes = size_t{256} << 10;

 private:
  std::string decode(std::span<std::byte>& out);

  const files::InputFile& file_;
  const PageLayout& layout_;
  std::unique_ptr<StreamDecoder> decoder_;
  std::vector<std::byte> chunk_;
  std::span<const std::byte> in_;  ///< of the chunk, not decoded yet
  uint64_t offset_ = 0;            ///< of the next chunk
  uint64_t left_ = 0;              ///< stored bytes from there on
  bool has_ended_ = false;
};

}  // namespace mezzo::tiff
