// What goes into a plane on a GPU (plane.h), and the strips that come out. No CUDA header.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/codec/row_sum.h"
#include "kernels/device_chain/picture.h"
#include "kernels/prepress/finish.h"
#include "kernels/prepress/overlay.h"
#include "kernels/prepress/protect.h"
#include "kernels/prepress/scaler.h"

namespace mezzo::device_chain {

/// Code of the strips that a GPU sends.
enum class Coding {
  kRaw,  ///< none: the host codes them, or writes them as they are
  kT6,   ///< G4, by the name of its standard
};

/// All that decides a plane's strips but its halftoner, its curve and its samples. Plates of 2 or 4
/// bits a pixel are not protected, get no line work, and come down raw.
struct PlaneSettings {
  uint32_t page_width_px = 0, page_height_px = 0;  ///< of the samples that go up
  uint32_t bytes_per_sample = 1;  ///< with scaling 2, as it takes ink15; 1 with levels
  /// If not empty: the GPU replaces each one-byte sample by levels[sample], which is ink15, and then scales.
  /// It has 256 entries. Only with scaling.
  std::vector<uint16_t> levels = {};
  std::optional<prepress::Scaling> scaling = {};  ///< none: the plate has the page's pixels
  uint32_t planes =
      1;  ///< of the page; they matter for scaling by kEdges, which looks at all of them
  uint32_t plane = 0;                    ///< which of them this is
  uint32_t width_px = 0, height_px = 0;  ///< of the plate
  /// Of the plate: a multiple of rows_per_strip, and of the band_rows that the halftoner asks for
  /// where the plate has more rows.
  uint32_t band_rows = 0;
  uint32_t rows_per_strip = 0;
  prepress::Protect protect = {};
  prepress::Overlay overlay = prepress::Overlay::kKeep;  ///< of the page's line work
  prepress::Finish finish = {};
  Coding coding = Coding::kRaw;
  bool decodes = false;                     ///< strips that are coded there are decoded there, too
  std::optional<PictureGrid> picture = {};  ///< sums that picture() gives; none: it is not called
};

/// The rows of a band, and all that they are made of.
struct BandInput {
  uint32_t first = 0, rows = 0;  ///< of the plate: the next band_rows, or those that are left
  SampleBand page = {};          ///< the rows of the page that they need, context included
  BitBand linework = {};         ///< of the same rows; may be missing where the overlay keeps all
  /// The same rows of all planes; may be missing where no other plane matters (PlaneSettings::planes).
  std::span<const SampleBand> planes = {};
};

/// A strip of a band that has come down.
struct StripFacts {
  std::span<const std::byte> coded =
      {};                               ///< within the memory of the band; empty: the rows are raw
  codec::RowSum sum = {};               ///< of its rows
  codec::RowSum coded_sum = {};         ///< byte_sum() of `coded` as it left the GPU
  bool decodes = false;                 ///< `coded`, after it was summed, to rows with `sum`
  uint64_t ink_px = 0;                  ///< of bilevel rows
  std::vector<uint64_t> value_px = {};  ///< of others: pixels of each value
};

/// A band that has come down; `memory` of start() holds its rows or its coded strips.
struct Strips {
  BitBand rows = {};  ///< raw; no data where the strips are coded
  std::vector<StripFacts> strips = {};
  prepress::Protection protection = {};
  prepress::OverlayPixels linework = {};
};

}  // namespace mezzo::device_chain
