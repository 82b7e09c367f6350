// Small pictures of a page, gathered while its bands go by: the contone and the plates scaled down,
// and a piece of the plates dot for dot. Nothing is read twice, and no bit of a plate changes.
//
// Memory depends little on the size of the page: about 180 KiB an ink.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/drop_levels.h"
#include "kernels/base/rect.h"
#include "kernels/device_chain/picture.h"
#include "stages/page_info.h"

namespace mezzo {

/// Ink of one plane, rows without gaps; 0 is paper, 255 is solid.
struct InkImage {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  std::vector<uint8_t> coverage;
  bool operator==(const InkImage&) const = default;
};

/// The sides of a page, or of an image of it; both at least 1.
struct Sides {
  uint32_t width_px = 0, height_px = 0;
};

/// The sides scaled down so that the longer one is `longest`, or as they are when neither is
/// longer.
Sides scaled_within(const Sides& page, uint32_t longest);

/// The places of the pieces that are kept until the page has gone by, when the best one is known: 5
/// x 5, spread evenly from edge to edge. They follow from the size of the page alone.
class PieceGrid {
 public:
  static constexpr uint32_t kAcross = 5;

  /// Pieces are squares, or as wide or high as a page that is smaller. They begin at columns that
  /// are multiples of `column_quantum`.
  PieceGrid(const Sides& page, uint32_t side_px, uint32_t column_quantum = 1);

  const std::vector<Rect>& places() const { return places_; }
  const Rect& operator[](size_t place) const { return places_[place]; }

  /// The place with the highest score, one score a place; of equals the one nearest to the middle.
  static size_t best(std::span<const size_t> scores);

 private:
  std::vector<Rect> places_;
};

/// Gathers the means over the cells of a grid laid over a plane: an image of it, scaled down. Cell
/// i of n over a side of w pixels begins at pixel i * w / n, rounded down. Rows are added from the
/// top.
///
/// All bits are counted, as a choice of rows would give moire with a screen. Of samples, cells of r
/// >= 16 rows take every (r / 8)th row, rounded down, from their first, unless all are asked for:
/// contones are smooth, and adding all of them takes as long as a quarter of a fast error
/// diffusion.
class ScaledDown {
 public:
  enum class Rows { kSome, kAll };

  /// `cells` has at most as many cells as pixels. `solid` is the value of a pixel full of ink.
  ScaledDown(const Sides& page, const Sides& cells, Rows rows, uint32_t solid, Polarity polarity);

  void add_row(const uint8_t* row);
  void add_row(const uint16_t* row);
  void add_bits(const uint8_t* row);  ///< packed, as in a BitBand; 1 is ink, `solid` is 1

  /// After the last row.
  InkImage take();

  /// In place of all rows: the sums of the cells, row by row, over the rows that row_steps() names.
  void add_sums(std::span<const uint64_t> sums);

  /// The first pixel after each cell across and down.
  const std::vector<uint32_t>& column_ends() const { return ends_; }
  std::vector<uint32_t> row_ends() const;
  /// Of each row of cells one row of samples in so many counts, from its first on.
  std::vector<uint32_t> row_steps() const;

 private:
  template <typename Sample, typename Sum>
  void add_samples(const Sample* row, std::vector<Sum>& columns);
  uint32_t cell_rows(uint32_t cell) const;  ///< of a row of cells
  uint32_t row_step(uint32_t cell) const;
  void finish_row();
  void add_coverage(std::span<const uint64_t> sums, uint32_t rows_taken);

  uint32_t width_px_, height_px_;
  Rows rows_;
  uint32_t solid_;
  Polarity polarity_;
  uint32_t next_row_ = 0;            ///< of the page
  uint32_t next_cell_ = 0;           ///< current row of cells
  uint32_t rows_taken_ = 0;          ///< in it
  std::vector<uint32_t> ends_;       ///< of the cells across
  std::vector<uint16_t> columns16_;  ///< sums down the rows taken, of samples of one byte
  std::vector<uint32_t> columns32_;  ///< and of two
  std::vector<uint64_t> sums_;       ///< of the current cells
  InkImage image_;
};

/// The pictures of a page, ink by ink.
struct PreviewImages {
  struct Ink {
    std::string name;
    InkImage contone;  ///< scaled down; as the file has it, before any tone curve
    InkImage plate;    ///< the same of its dots: descreened
    InkImage dots;     ///< a piece of the plate, a pixel a dot: 0 or 255
  };
  std::vector<Ink> inks;
  uint32_t dots_x = 0, dots_y = 0;  ///< where on the page the piece begins
};

/// Gathers the pictures of a page. Each plane takes its samples and its bits from the top; planes,
/// and the samples and bits of one, may come from different threads.
class PagePreview {
 public:
  static constexpr uint32_t kLongest = 256;  ///< cells along the longer side
  static constexpr uint32_t kPiece = 160;    ///< dots along a side of a piece, at most

  /// `levels`: of the plates whose pixels are levels, one a plane; empty: all are bilevel.
  explicit PagePreview(const PageInfo& info,
                       const std::vector<std::optional<DropLevels>>& levels = {});

  void add_samples(const SampleBand& rows);  ///< of plane `rows.plane`; context is left out
  void add_bits(uint32_t plane, const BitBand& rows);

  /// In place of the samples and bits of a whole plane: the sums that a GPU took over grid(plane).
  device_chain::PictureGrid grid(uint32_t plane) const;
  void add_sums(uint32_t plane, device_chain::PictureSums sums);

  /// After the last row of every plane. The piece is that of the place with the most kinds of
  /// midtone (of six equal ranges from 1/8 to 7/8 of coverage those that hold a 64th of the
  /// samples that are looked at); places whose dots are all paper or all solid come last.
  PreviewImages take();

 private:
  static constexpr uint32_t kTones = 8;
  static constexpr uint32_t kToneRows = 4;  ///< one of so many samples counts

  struct Plane {
    ScaledDown contone, plate;
    std::vector<uint32_t> tones;  ///< kTones counts a place
    std::optional<DropLevels> levels;
    uint32_t bits_per_px = 1;
    std::vector<uint8_t> bits;  ///< the pieces, packed, place after place
  };

  template <typename Sample>
  void count_tones(Plane& plane, uint32_t row, const Sample* samples) const;
  bool has_dots(const Plane& plane, size_t place) const;
  size_t best_place() const;

  PageInfo info_;
  PieceGrid pieces_;
  uint32_t piece_width_px_, piece_height_px_;
  std::vector<Plane> planes_;
};

}  // namespace mezzo
