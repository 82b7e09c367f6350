// The limits of the reader of contone pages.
#pragma once

#include <cstdint>

namespace mezzo::tiff {

/// Pages beyond these are refused before decoding starts. The message names the limit and its
/// value.
struct InputLimits {
  uint32_t max_side_px = 100'000;
  uint64_t max_pixels = 10'000'000'000;
  uint32_t max_pages = 4'096;  ///< directories of one file
  uint32_t max_inks = 16;
  uint64_t max_file_bytes = 64ULL << 30;
  uint64_t max_strip_bytes = 256ULL << 20;  ///< of one compressed strip or tile, decoded
  uint32_t max_strips = 1'000'000;          ///< strips or tiles of one page
};

}  // namespace mezzo::tiff
