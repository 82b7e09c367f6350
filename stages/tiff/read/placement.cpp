#include "stages/tiff/read/placement.h"

// The places of a page's strips and tiles, checked before any of them is decoded.
#include <algorithm>

#include "kernels/base/error.h"
#include "stages/tiff/read/codec_memory.h"
#include "stages/tiff/read/names.h"

namespace mezzo::tiff {

LargestBlock check_blocks(Handle& handle, const PageLayout& layout, const PagePlace& place) {
  const uint64_t file_size = handle.store().size();
  const bool raw = layout.compression == COMPRESSION_NONE;
  LargestBlock largest;
  for (uint32_t i = 0; i < layout.block_count(); ++i) {
    int bad_offset = 0;
    int bad_size = 0;
    const uint64_t offset = TIFFGetStrileOffsetWithErr(handle.get(), i, &bad_offset);
    const uint64_t size = TIFFGetStrileByteCountWithErr(handle.get(), i, &bad_size);
    const auto where = [&] { return place.text() + ", " + block_name(layout, i); };
    if (bad_offset != 0 || bad_size != 0 || handle.messages().errors() > 0) {
      handle.fail(ErrorKind::kData, where(), "its offset and size cannot be read");
    }
    const uint32_t rows =
        layout.tiled ? layout.block_rows : layout.rows_in(i % layout.blocks_per_sample());
    const uint64_t decoded = uint64_t{layout.block_row_bytes()} * rows;
    const auto fail = [&](const std::string& why) {
      throw Error(ErrorKind::kData, where() + ": " + why);
    };
    if (offset == 0 || size == 0)
      fail("expected an offset and a size, found 0: it was not written");
    if (raw && size < decoded) {
      fail("expected " + std::to_string(decoded) + " bytes, found " + std::to_string(size));
    }
    const uint64_t needed = raw ? decoded : size;
    if (offset > file_size || needed > file_size - offset) {
      fail("expected " + std::to_string(needed) + " bytes at byte " + std::to_string(offset) +
           ", but the file ends at byte " + std::to_string(file_size) +
           ": it is truncated or damaged");
    }
    // No codec grows its input that much; libtiff does not read more either.
    if (!raw && size / 10 > decoded + 410) {
      fail("found " + std::to_string(size) + " stored bytes for " + std::to_string(decoded) +
           " decoded ones, which no compression makes of them");
    }
    largest.stored_bytes = std::max(largest.stored_bytes, size);
    try {
      largest.codec_bytes =
          std::max(largest.codec_bytes, codec_bytes({handle.store(), offset, size}, layout));
    } catch (const Error& error) {
      throw Error(error.kind(), where() + ": " + error.what());
    }
  }
  return largest;
}

}  // namespace mezzo::tiff
