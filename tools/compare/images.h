// Small pictures of a plane, gathered while its rows go by: a blurred preview of the whole page,
// and pieces at full size. Memory depends on neither the width nor the height of the page, save for
// some rows of it: about 10 MiB at most.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipeline/report/image.h"
#include "stages/preview.h"
#include "tools/compare/pages.h"

namespace mezzo::compare {

/// Collects the pictures of one plane, contone or bilevel. One thread at a time.
///
/// Pieces are kept at the places of a PieceGrid until the best one is known. Coverage is shown as
/// grey 255 (1 - coverage), code value for code value, as a contone file is.
class PageImages {
 public:
  static constexpr uint32_t kPreviewWidth = 640, kPreviewHeight = 1280;  ///< at most
  static constexpr uint32_t kPiece = 256;                                ///< side of a piece
  static constexpr uint32_t kCorner = 128;                               ///< and of the corner

  /// Both sides at least 1; `solid` is the value of a pixel that is full of ink.
  PageImages(uint32_t width_px, uint32_t height_px, uint32_t solid);

  /// The next row, from the top: as wide as the page, and as many as the page is high.
  void add_row(std::span<const uint16_t> ink);

  // The pictures; all rows must have been added.

  /// The page scaled down by preview_scale(): cells of plate pixels are averaged
  /// (ScaledDown) and blurred with a Gaussian of 1.5 cells, cut at 3 sigma, its weights inside the
  /// page made to sum to 1. Two cells make a preview pixel; on a page that fits at full size, cell,
  /// plate pixel and preview pixel are one.
  report::GreyImage preview() const;
  uint32_t preview_scale() const { return cell_px_ * step_; }

  report::GreyImage corner() const { return corner_; }  ///< top left
  report::GreyImage piece(size_t place) const { return pieces_[place]; }
  Rect place(size_t place) const { return grid_[place]; }

  /// The place with the most kinds of tone: of 16 equal ranges of grey, those that hold at least
  /// 1/256 of the piece, counting only pixels about as dark as their neighbour, so that edges and
  /// fine lines do not count as tones. For contones.
  size_t liveliest_place() const;

 private:
  uint32_t width_px_, height_px_, solid_;
  uint32_t step_, cell_px_;
  uint32_t next_row_ = 0;
  ScaledDown scaled_;
  InkImage cells_;  ///< after the last row
  PieceGrid grid_;
  std::vector<report::GreyImage> pieces_;  ///< of the grid
  report::GreyImage corner_;
};

/// Reads a plane, contone or bilevel, from top to bottom. Throws Error as PlaneRows does.
PageImages read_page_images(const ComparedPlane& plane, Team& team);

}  // namespace mezzo::compare
