// Deflate strips and tiles, decoded without libtiff.
//
// libtiff hands whole Deflate blocks to libdeflate and accepts "the output does not fit" as
// success, so that a block cut by a few bytes comes out with its last pixels unwritten, silently;
// and it does not look at the checksum when it decodes in pieces. Here a block is decoded to its
// last byte and its Adler-32 must be right, which also finds most damage in storage. Internal to
// stages/tiff.
#pragma once

#include <libdeflate.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stages/files/input_file.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/read/strip_stream.h"

namespace mezzo::tiff {

/// One decoder: for one thread at a time.
class Inflater {
 public:
  /// Keeps a reference to `layout`.
  explicit Inflater(const PageLayout& layout);

  /// Decodes block `index` of the current directory of `handle`, which is on `file`, to `to`: rows
  /// as libtiff would give them, `size` bytes. Returns the fault, or an empty text. Throws Error
  /// when reading fails.
  std::string decode(
      Handle& handle, const files::InputFile& file, uint32_t index, std::byte* to, size_t size);

  /// The most memory used when the largest block has `stored_bytes`.
  static size_t working_bytes(uint64_t stored_bytes) {
    return stored_bytes + kDecompressorBytes + StripStream::kWorkingBytes;
  }

 private:
  static constexpr size_t kDecompressorBytes = size_t{64} << 10;

  const PageLayout& layout_;
  std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> decompressor_;
  std::vector<std::byte> stored_;
};

}  // namespace mezzo::tiff
