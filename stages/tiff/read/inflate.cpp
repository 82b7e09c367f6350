#include "stages/tiff/read/inflate.h"

#include <algorithm>

#include "kernels/base/error.h"
#include "stages/tiff/read/samples.h"

namespace mezzo::tiff {

Inflater::Inflater(const PageLayout& layout)
    : layout_(layout),
      decompressor_(libdeflate_alloc_decompressor(), &libdeflate_free_decompressor) {
  if (!decompressor_) throw Error(ErrorKind::kLimit, "no memory for a Deflate decoder");
}

std::string Inflater::decode(
    Handle& handle, const files::InputFile& file, uint32_t index, std::byte* to, size_t size) {
  const uint64_t offset = TIFFGetStrileOffset(handle.get(), index);
  const uint64_t stored = TIFFGetStrileByteCount(handle.get(), index);
  if (!handle.is_silent()) return handle.messages().summary();
  stored_.resize(stored);
  file.read(offset, stored_);
  if (layout_.reversed_bits) reverse_bits(stored_.data(), stored_.size());
  std::string wrong = inflate(to, size);
  if (wrong.empty()) finish_rows(layout_, to, size);
  return wrong;
}

std::string Inflater::inflate(std::byte* to, size_t size) {
  size_t got = 0;
  auto result = libdeflate_zlib_decompress(
      decompressor_.get(), stored_.data(), stored_.size(), to, size, &got);
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE && size < layout_.block_bytes()) {
    // Some writers store as many rows in the last strip as in the others.
    whole_.resize(layout_.block_bytes());
    result = libdeflate_zlib_decompress(
        decompressor_.get(), stored_.data(), stored_.size(), whole_.data(), whole_.size(), &got);
    if (result == LIBDEFLATE_SUCCESS) {
      got = std::min(got, size);
      std::copy_n(whole_.data(), got, to);
    }
  }
  if (result == LIBDEFLATE_SUCCESS && got == size) return {};
  const std::string expected = "expected " + std::to_string(size) + " decoded bytes, found ";
  if (result == LIBDEFLATE_SUCCESS) return expected + std::to_string(got);
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return expected + "more";
  return "its codes or its checksum are wrong, or its end is missing";
}

}  // namespace mezzo::tiff
