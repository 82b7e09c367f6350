// A plane's way over a GPU: from rows of its page, at the page's resolution, to strips of its plate.
//
// What goes up is small, and what comes down is coded: scaling, the tone curve, halftoning, the
// protection of paper and solids, line work, the finish, the digest, the sums of a preview and T.6 all
// happen in the memory of the GPU, and T.6 is decoded there again. The strips and their digests are those
// that the stages of the CPU make of the same rows.
//
// No CUDA header: a build without CUDA has the same interface, and no planes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/codec/row_sum.h"
#include "kernels/device_chain/picture.h"
#include "kernels/halftoner.h"
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
  uint32_t bytes_per_sample = 1;                   ///< 2 with scaling, which is of ink15
  std::optional<prepress::Scaling> scaling = {};   ///< none: the plate has the page's pixels
  uint32_t width_px = 0, height_px = 0;            ///< of the plate
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

class Plane {
 public:
  virtual ~Plane() = default;

  /// Bytes that start() needs for a band.
  virtual size_t memory_bytes() const = 0;

  /// Begins with a band. `memory` is page-locked. Coded strips that take more than the rows come
  /// down as rows. All that the arguments view stays until `done` is called, in the order of the
  /// bands, from any thread. Does not throw. A method that has rounds comes to their end before this
  /// returns.
  virtual void start(const BandInput& in,
                     const ToneCurve& curve,
                     std::span<std::byte> memory,
                     Strips& strips,
                     Halftoner::Done done) = 0;

  /// After the last band is done, once. Throws Error, kDevice.
  virtual PictureSums picture() = 0;

  /// As that of HalftonerState, within start(), whose band fails where it throws.
  std::function<void(const RoundReport&)> on_round;
};

/// The plane of a halftoner that runs on a GPU; null where it does not, where memory that the host
/// locks is not the GPU's to write, or where the GPU has no room. Throws Error, kDevice.
std::unique_ptr<Plane> make_plane(const Halftoner& halftoner, const PlaneSettings& settings);

}  // namespace mezzo::device_chain
