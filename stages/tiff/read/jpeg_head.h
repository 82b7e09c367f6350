// The head of JPEG data (ITU-T T.81): the segments before the first scan. Internal to stages/tiff.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "stages/tiff/read/block_head.h"

namespace mezzo::tiff {

struct JpegHead {
  static constexpr uint32_t kMostComponents = 10;  ///< that libjpeg decodes

  struct Component {
    uint32_t across = 1, down = 1;  ///< sampling factors, 1 to 4
  };

  uint32_t width_px = 0;
  uint32_t height_px = 0;
  uint32_t components = 0;
  std::array<Component, kMostComponents> sampling{};
  uint32_t scan_components = 0;  ///< in the first scan
  bool has_jfif = false;
  std::optional<uint32_t> adobe_transform;  ///< of APP14: 0 none, 1 YCbCr, 2 YCCK

  /// Whether the markers say that the colours are YCbCr or YCCK; or that they are not. Nothing where they
  /// are silent, or contradict each other.
  std::optional<bool> is_transformed() const;
};

/// Reads the head of a strip or tile. Nothing is skipped that is not understood: libjpeg would go on
/// behind it, and what it finds there decides how much memory it takes. Throws Error: kUnsupported for a
/// progressive JPEG and other processes that are not decoded, kData for a head that cannot be followed,
/// kIo.
JpegHead read_jpeg_head(BlockHead& head);

/// Checks that the tag JPEGTables holds tables alone. Throws Error(kData).
void check_jpeg_tables(BlockHead& tables);

/// Returns the bytes that libjpeg allocates for rows of samples and, where the first scan lacks a
/// component, for the coefficients of the whole image.
uint64_t jpeg_memory_bytes(const JpegHead& jpeg);

}  // namespace mezzo::tiff
