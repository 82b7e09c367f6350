// The layout of a page's samples in its file, and their conversion to the planes that the reader
// returns.
//
// A layout is made by describe_page(), which refuses, by name, all features that the decoders do
// not handle: they rely on every number here being checked. Internal to stages/tiff.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "stages/page_info.h"
#include "stages/tiff/handle.h"

namespace mezzo::tiff {

/// The colour samples of a pixel.
enum class Meaning { kGrey, kPalette, kRgb, kLab, kInks };

/// Whether the sample after the colours is opacity, and whether colours are multiplied by it.
enum class Alpha { kNone, kAssociated, kUnassociated };

struct PageLayout {
  /// Most samples of a pixel that are used: inks, or colours and alpha.
  static constexpr uint32_t kMaxUsedSamples = 64;

  LeanDirectory directory;  ///< as decoders see it
  uint32_t width_px = 0;    ///< as stored, before the orientation is undone
  uint32_t height_px = 0;   ///< as stored
  uint32_t orientation = 1;

  // Blocks: strips are blocks as wide as the page.
  bool tiled = false;
  bool separate = false;        ///< each sample has blocks of its own
  uint32_t block_width_px = 0;  ///< of a strip: width_px
  uint32_t block_rows = 0;      ///< at most height_px for strips
  uint32_t stored_rows = 0;     ///< that a block may have: RowsPerStrip may be more than height_px
  uint32_t blocks_across = 0;
  uint32_t blocks_down = 0;

  uint32_t bits = 0;     ///< of a sample: 1, 2, 4, 8, 12, 16
  uint32_t samples = 0;  ///< of a pixel, extra ones included
  uint16_t compression = 0;
  bool horizontal_predictor = false;  ///< samples are stored as differences along a row
  bool jpeg_ycbcr = false;            ///< the JPEG decoder is asked for RGB
  bool reversed_bits = false;         ///< FillOrder 2
  bool other_byte_order = false;

  Meaning meaning = Meaning::kGrey;
  uint32_t colours =
      0;  ///< at least 1: samples of a pixel that are colours; the alpha sample follows them
  Alpha alpha = Alpha::kNone;
  bool max_is_ink = false;
  uint32_t max_sample = 255;      ///< of the samples handed out
  uint32_t bytes_per_sample = 1;  ///< of the samples handed out
  uint32_t planes = 1;            ///< handed out
  std::vector<uint16_t> grey_of;  ///< kPalette: 16-bit grey of each index
  std::vector<std::array<uint16_t, 3>> colour_of =
      {};                   ///< kPalette: 16-bit red, green, blue likewise
  bool in_colour = false;   ///< kPalette, kRgb, kLab: three planes are handed out, not their grey
  bool signed_lab = false;  ///< kLab: a* and b* are stored with a sign

  /// kInks: from this one on, the largest sample is stored for paper; it is handed out as 0.
  uint32_t first_light_ink = kMaxUsedSamples;

  /// Samples next to each other in a stored row.
  uint32_t samples_per_row_pixel() const { return separate ? 1 : samples; }

  /// Samples of a pixel that are needed.
  uint32_t used_samples() const { return colours + (alpha == Alpha::kNone ? 0 : 1); }

  /// Bytes of a decoded row of a block, of one sample when separate.
  size_t block_row_bytes() const {
    return (size_t{block_width_px} * samples_per_row_pixel() * bits + 7) / 8;
  }
  size_t block_bytes() const { return block_row_bytes() * block_rows; }

  /// Bytes of a row that is handed out, all planes.
  size_t output_row_bytes() const { return size_t{width_px} * bytes_per_sample * planes; }

  uint32_t blocks_per_sample() const { return blocks_across * blocks_down; }
  uint32_t block_count() const { return blocks_per_sample() * (separate ? samples : 1); }

  bool is_deflate() const {
    return compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE;
  }

  /// Rows of the page in block row `index`: the last one may hold fewer.
  uint32_t rows_in(uint32_t index) const {
    const uint32_t first = index * block_rows;
    return first + block_rows <= height_px ? block_rows : height_px - first;
  }

  /// Bytes that may follow `rows` decoded rows of a block: some writers fill the last strip up with rows
  /// that the page does not have.
  uint64_t surplus_bytes(uint32_t rows) const {
    return uint64_t{block_row_bytes()} * (stored_rows - rows);
  }

  /// Stored samples are handed out as they are: no row needs converting.
  bool is_plain() const {
    return (meaning == Meaning::kGrey || meaning == Meaning::kInks) && alpha == Alpha::kNone &&
           samples_per_row_pixel() == 1 && (bits == 8 || bits == 16) && colours <= first_light_ink;
  }
};

/// Allocations that libtiff may make for the tags of one directory.
inline constexpr uint64_t kMaxTagBytes = 64ULL << 20;

}  // namespace mezzo::tiff
