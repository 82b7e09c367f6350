// The description of a page of a TIFF file, once its tags are read and checked: a value, without
// pixels.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/band/tone_settings.h"

namespace mezzo {

/// Pixels per inch, or 0 when the file does not say (or says something outside 10 .. 10,000).
struct Resolution {
  double x_dpi = 0;
  double y_dpi = 0;
  bool operator==(const Resolution&) const = default;
};

/// A channel beside the inks of a separated page, as far as the file describes it.
struct ExtraChannel {
  enum class Kind { kUnknown, kAlpha, kSpot };

  Kind kind = Kind::kUnknown;
  std::string name;  ///< as the file has it; empty when it has none
  bool operator==(const ExtraChannel&) const = default;
};

/// One page, upright: width, height and resolution are those after the orientation is undone.
struct PageInfo {
  /// The samples as the file has them.
  enum class Model {
    kGrey,
    kRgb,  ///< a palette's colours, too
    kLab,  ///< CIELAB
    kInks,
  };

  uint32_t width_px = 0;
  uint32_t height_px = 0;
  Resolution resolution;

  /// One name for each plane that the reader hands out: {"black"} for anything grey, the names of
  /// ink_names() for separations. Never empty.
  std::vector<std::string> inks;
  uint32_t max_sample = 255;      ///< largest value of the samples handed out
  uint32_t bytes_per_sample = 1;  ///< of the samples handed out: 1 when max_sample <= 255, else 2
  Polarity polarity = Polarity::kMaxIsPaper;
  /// Samples of paper and of a solid, where tag DotRange names others than the ends of the range;
  /// else both are 0.
  uint32_t first_dot = 0, last_dot = 0;
  uint32_t extra_channels = 0;       ///< samples of a pixel that no plane shows, nor its alpha
  std::vector<ExtraChannel> extras;  ///< these, of a separated page; in their order
  bool becomes_grey = false;         ///< its samples are colours, and the reader hands out grey
  Model model = Model::kGrey;
  bool has_profile = false;  ///< the file has an ICC profile for it

  bool is_plate = false;           ///< bilevel, and this program wrote it
  uint32_t orientation = 1;        ///< as found in the file, 1 .. 8; the reader undoes it
  std::string document_name;       ///< tag DocumentName, or empty
  std::string format;              ///< for people: "8-bit grey, LZW, 64-row strips"
  std::vector<std::string> notes;  ///< decisions to log: "RGB becomes grey by ..."

  bool operator==(const PageInfo&) const = default;
};

/// Whether paper and solid are not the ends of the samples' range.
inline bool has_dot_range(const PageInfo& page) {
  return page.first_dot != page.last_dot;
}

/// Degrees by which an upright page is turned clockwise while it is read.
enum class Rotation : uint32_t { kNone = 0, k90 = 90, k180 = 180, k270 = 270 };

/// The page once it is turned.
inline PageInfo rotated(PageInfo page, Rotation rotation) {
  if (rotation == Rotation::k90 || rotation == Rotation::k270) {
    std::swap(page.width_px, page.height_px);
    std::swap(page.resolution.x_dpi, page.resolution.y_dpi);
  }
  return page;
}

}  // namespace mezzo
