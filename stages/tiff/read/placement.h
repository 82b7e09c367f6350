// The places of a page's strips or tiles in its file.
#pragma once

#include <cstdint>

#include "stages/tiff/handle.h"
#include "stages/tiff/read/layout.h"
#include "stages/tiff/tags.h"

namespace mezzo::tiff {

/// The largest of a page's strips or tiles, in each respect.
struct LargestBlock {
  uint64_t stored_bytes = 0;
  uint64_t codec_bytes = 0;  ///< see codec_memory.h
};

/// The tags with the offsets and sizes of strips or tiles.
struct BlockTags {
  uint16_t offsets = 0;
  uint16_t sizes = 0;
};

/// Those of this page. Some writers of tiles have the tags of strips.
BlockTags block_tags(const Tags& tags, bool is_tiled);

/// Checks that all strips or tiles lie within the file, have plausible sizes, and are of a kind that
/// is decoded, and that libtiff takes their places for what they are. The directory of `layout`, which is
/// that of `tags`, is the current one of the handle. Throws Error.
LargestBlock check_blocks(Handle& handle,
                          const Tags& tags,
                          const PageLayout& layout,
                          const PagePlace& place);

}  // namespace mezzo::tiff
