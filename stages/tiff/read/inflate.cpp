#include "stages/tiff/read/inflate.h"

#include "kernels/base/error.h"
#include "stages/tiff/read/bit_order.h"
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
  size_t got = 0;
  const auto result = libdeflate_zlib_decompress(
      decompressor_.get(), stored_.data(), stored_.size(), to, size, &got);
  if (result == LIBDEFLATE_SUCCESS && got == size) {
    finish_rows(layout_, to, size);
    return {};
  }
  const std::string expected = "expected " + std::to_string(size) + " decoded bytes, found ";
  if (result == LIBDEFLATE_SUCCESS) return expected + std::to_string(got);
  if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
    return "its codes or its checksum are wrong, or its end is missing";
  }
  // It may have more rows, as in a strip that is filled up, or lack its end: libdeflate does not say.
  const size_t row_bytes = layout_.block_row_bytes();
  StripStream stream(file, layout_);
  stream.begin(offset, stored);
  for (std::byte* row = to; row < to + size; row += row_bytes) {
    std::string wrong = stream.read_row(row, row_bytes);
    if (!wrong.empty()) return wrong;
  }
  return stream.finish(layout_.surplus_bytes(static_cast<uint32_t>(size / row_bytes)));
}

}  // namespace mezzo::tiff
