#include "stages/tiff/plate/deflate.h"

#include <libdeflate.h>

#include <memory>
#include <new>

#include "kernels/base/error.h"
#include "kernels/codec/deflate_estimate.h"
#include "kernels/codec/deflate_huffman.h"

namespace mezzo::tiff {
namespace {

struct FreeCompressor {
  void operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
  }
};

}  // namespace

std::vector<std::byte> deflate_strip(std::span<const uint8_t> rows, size_t row_bytes) {
  if (codec::matches_hardly_pay(rows, row_bytes)) {
    constexpr uint32_t kAdlerOfNothing = 1;
    return codec::deflate_huffman(
        rows, row_bytes, libdeflate_adler32(kAdlerOfNothing, rows.data(), rows.size()));
  }
  thread_local const std::unique_ptr<libdeflate_compressor, FreeCompressor> compressor(
      libdeflate_alloc_compressor(kDeflateLevel));
  if (!compressor) throw std::bad_alloc();
  thread_local std::vector<std::byte> scratch;
  scratch.resize(libdeflate_zlib_compress_bound(compressor.get(), rows.size()));
  const size_t bytes = libdeflate_zlib_compress(
      compressor.get(), rows.data(), rows.size(), scratch.data(), scratch.size());
  MZ_ASSERT(bytes > 0);
  return {scratch.begin(), scratch.begin() + static_cast<ptrdiff_t>(bytes)};
}

}  // namespace mezzo::tiff
