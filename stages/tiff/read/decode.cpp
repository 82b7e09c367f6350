#include "stages/tiff/read/decode.h"

#include <utility>

#include "kernels/base/error.h"
#include "stages/tiff/read/blocks.h"
#include "stages/tiff/read/raw.h"
#include "stages/tiff/read/scanlines.h"

namespace mezzo::tiff {
namespace {

// A compressed strip larger than this, decoded or handed out, is not held whole. Rows handed out
// may be larger than decoded ones: 1-bit samples become bytes.
constexpr size_t kMaxDecodedStrip = size_t{4} << 20;
constexpr size_t kMaxHandedOutStrip = size_t{16} << 20;

}  // namespace

std::unique_ptr<StoredRows> make_stored_rows(StoredPage page, uint64_t memory_bytes) {
  const PageLayout& layout = page.layout;
  if (layout.tiled) return make_block_rows(std::move(page), memory_bytes);
  if (layout.compression == COMPRESSION_NONE) return make_raw_rows(std::move(page), memory_bytes);
  const bool is_large = layout.block_bytes() > kMaxDecodedStrip ||
                        layout.output_row_bytes() * layout.block_rows > kMaxHandedOutStrip;
  return is_large ? make_scanline_rows(std::move(page))
                  : make_block_rows(std::move(page), memory_bytes);
}

}  // namespace mezzo::tiff
