#include "stages/tiff/read/codec_memory.h"

#include <string>

#include "kernels/base/error.h"
#include "stages/tiff/damaged.h"
#include "stages/tiff/read/jpeg_head.h"
#include "stages/tiff/read/zstd_head.h"

namespace mezzo::tiff {
namespace {

std::string size_text(uint64_t width_px, uint64_t height_px) {
  return std::to_string(width_px) + " x " + std::to_string(height_px);
}

/// libtiff decodes the size of the strip, and libjpeg allocates for that of the JPEG.
void check_jpeg_size(const JpegHead& jpeg, const StoredBlock& block, const PageLayout& layout) {
  const bool has_rows = jpeg.height_px >= block.rows && jpeg.height_px <= block.most_rows;
  if (jpeg.width_px == layout.block_width_px && has_rows) return;
  throw damaged_page("the JPEG data is damaged: it has " +
                     size_text(jpeg.width_px, jpeg.height_px) + " pixels, expected " +
                     size_text(layout.block_width_px, block.rows));
}

/// libtiff goes by the tags, other programs by the markers: where they differ, one of them is wrong.
void check_jpeg_colours(const JpegHead& jpeg, const PageLayout& layout) {
  const std::optional<bool> is_transformed = jpeg.is_transformed();
  if (!is_transformed || *is_transformed == layout.jpeg_ycbcr) return;
  const std::string markers = !*is_transformed       ? "not YCbCr"
                              : jpeg.components == 4 ? "YCCK"
                                                     : "YCbCr";
  throw Error(ErrorKind::kUnsupported,
              "the colours of the JPEG data are " + markers +
                  " by its own markers, but not by the tag PhotometricInterpretation",
              "save the page again, or with another compression");
}

uint64_t jpeg_bytes(const StoredBlock& block, const PageLayout& layout) {
  BlockHead head(block);
  const JpegHead jpeg = read_jpeg_head(head);
  check_jpeg_size(jpeg, block, layout);
  check_jpeg_colours(jpeg, layout);
  return jpeg_memory_bytes(jpeg);
}

uint64_t zstd_bytes(StoredBlock block, const PageLayout& layout) {
  block.reversed_bits = layout.reversed_bits;
  BlockHead head(block);
  return zstd_window_bytes(head);
}

/// libtiff's arrays of runs: two of two numbers a pixel.
uint64_t fax_bytes(const PageLayout& layout) {
  return uint64_t{layout.block_width_px} * 4 * sizeof(uint32_t);
}

}  // namespace

uint64_t codec_bytes(const StoredBlock& block, const PageLayout& layout) {
  switch (layout.compression) {
    case COMPRESSION_JPEG:
      return jpeg_bytes(block, layout);
    case COMPRESSION_ZSTD:
      return zstd_bytes(block, layout);
    case COMPRESSION_CCITTRLE:
    case COMPRESSION_CCITTFAX3:
    case COMPRESSION_CCITTFAX4:
      return fax_bytes(layout);
    case COMPRESSION_NONE:
    case COMPRESSION_LZW:
    case COMPRESSION_PACKBITS:
    case COMPRESSION_DEFLATE:
    case COMPRESSION_ADOBE_DEFLATE:
      return 0;  // tables of a fixed size, which each decoder is planned with
    default:
      throw Error(ErrorKind::kBug, "the memory of a decoder is not known");
  }
}

}  // namespace mezzo::tiff
