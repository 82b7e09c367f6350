#include "stages/tiff/plate/plate.h"

#include <algorithm>

#include "stages/tiff/plate/codecs.h"

namespace mezzo::tiff {
namespace {

/// Packed bytes of a strip: large enough that coding it pays for a task, small enough that a page
/// has many strips to code in parallel and that a coder's tables stay in the cache.
constexpr size_t kStripBytes = 64 * 1024;

/// Offset and length of a strip in BigTIFF, and a byte to keep it on an even offset.
constexpr uint64_t kStripTableBytes = 17;
constexpr uint64_t kStripBytesBeside = 64;  // headers and ends of the codecs
constexpr uint64_t kTagBytes = 4 * 1024;    // beside texts

}  // namespace

PlateNames names_of(const PlatePage& page) {
  PlateNames names;
  names.ink = names.page = page.ink.c_str();  // ends at a NUL, which would begin another ink's name
  names.document = page.document_name.c_str();
  if (!names.ink.empty()) {
    names.ink_set = 2;  // "not CMYK"
    names.ink_count = 1;
  }
  if (page.page_count > 1) {
    names.subfile_type = 2;
    names.page_number = static_cast<uint16_t>(page.page_index);
    names.page_total = static_cast<uint16_t>(page.page_count);
  }
  return names;
}

uint32_t plate_rows_per_strip(uint32_t width_px, uint32_t bits_per_px) {
  const size_t row_bytes = std::max<size_t>(1, bit_row_bytes(width_px, bits_per_px));
  return static_cast<uint32_t>(std::max<size_t>(8, kStripBytes / row_bytes / 8 * 8));
}

size_t row_bytes_of(const PlatePage& page) {
  return bit_row_bytes(page.width_px, page.bits_per_px);
}

BitBand rows_of(const PlatePage& page, uint8_t* bits, uint32_t rows) {
  return {bits, page.width_px, rows, row_bytes_of(page), 0, page.bits_per_px};
}

uint32_t strip_count(const PlatePage& page) {
  return page.height_px / page.rows_per_strip + (page.height_px % page.rows_per_strip != 0 ? 1 : 0);
}

uint64_t worst_case_bytes(const PlatePage& page, Compression compression, uint64_t text_bytes) {
  const WorstCase& worst = codec_of(compression).worst;
  const uint64_t row_bytes = worst.pixel_bits * row_bytes_of(page) + worst.row_bytes;
  return row_bytes * page.height_px + strip_count(page) * (kStripTableBytes + kStripBytesBeside) +
         kTagBytes + text_bytes;
}

uint32_t strip_rows(const PlatePage& page, uint32_t strip) {
  return std::min(page.rows_per_strip, page.height_px - strip * page.rows_per_strip);
}

}  // namespace mezzo::tiff
