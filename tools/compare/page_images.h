// Small pictures of a page, gathered while its rows go by: a blurred preview of the whole page, and
// pieces at full size. Memory depends on neither the width nor the height of the page, save for a
// row of it: about 20 MiB at most.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/base/rect.h"
#include "pipeline/report/image.h"

namespace mezzo::compare {

/// Collects the pictures of one plane, contone or bilevel. One thread at a time.
///
/// Which piece is worth a look is known only at the end, so pieces are kept at 5 x 5 places, spread
/// evenly from edge to edge; the places follow from the size of the page alone. Coverage is shown
/// as grey 255 (1 - coverage), code value for code value, which is how a contone file is shown.
class PageImages {
 public:
  static constexpr uint32_t kPreviewWidth = 640, kPreviewHeight = 1280;  ///< at most
  static constexpr uint32_t kPiece = 256;                                ///< side of a piece
  static constexpr uint32_t kCorner = 128;                               ///< and of the corner
  static constexpr uint32_t kPlacesAcross = 5;

  /// Both sides at least 1.
  PageImages(uint32_t width_px, uint32_t height_px);

  // The next row, from the top; each as wide as the page, and as many as the page is high.
  void add_row(std::span<const uint8_t> coverage);  ///< 255 is solid
  void add_row(std::span<const double> coverage);   ///< 1 is solid; what lies outside 0..1 is cut
  void add_bits(const uint8_t* row);                ///< packed, as in a BitBand

  // The pictures; all rows must have been added.

  /// The page scaled down by preview_scale(): cells of plate pixels are averaged and the cells
  /// blurred with a Gaussian of 1.5 cells, cut at 3 sigma, its weights inside the page made to sum
  /// to 1. Two cells make a preview pixel; on a page that fits at full size, cell, plate pixel and
  /// preview pixel are one.
  report::GreyImage preview() const;
  uint32_t preview_scale() const { return cell_px_ * step_; }

  report::GreyImage corner() const { return pieces_.back(); }  ///< top left
  report::GreyImage piece(size_t place) const { return pieces_[place]; }
  Rect place(size_t place) const { return places_[place]; }

  /// The place with the most kinds of tone: of 16 equal ranges of grey, those that hold at least
  /// 1/256 of the piece, where only pixels count that are about as dark as their neighbour, so that
  /// edges and fine lines do not pass for tones. The place nearest to the middle when several have
  /// as many. For contones.
  size_t liveliest_place() const;

 private:
  void finish_cells();

  uint32_t width_px_, height_px_;
  uint32_t cell_px_, step_;
  uint32_t cells_across_, cells_down_;
  uint32_t next_row_ = 0;
  std::vector<uint8_t> row_;    ///< scratch
  std::vector<uint32_t> sums_;  ///< of the row of cells in hand: cell_px_^2 x 255 at most
  std::vector<float> cells_;    ///< mean coverage, 0..255
  std::vector<Rect> places_;    ///< the last is the corner
  std::vector<report::GreyImage> pieces_;  ///< of the places
};

}  // namespace mezzo::compare
