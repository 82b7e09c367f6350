// The texture of flat tints: radially averaged power spectrum and anisotropy (Ulichney).
//
// Judged are the flattest whole tiles of 256 x 256 px, cut from the page's top left corner without
// overlap, at most 64: those whose contone has a standard deviation of at most 2/255 and a mean
// coverage of 2 % to 98 %, and whose halftone has both ink and paper; least deviation first, then
// the higher and the more left one. Of each, P = |DFT(b)|^2 / 256^2 / (g (1 - g)), g = ink coverage
// of the tile, P(0, 0) = 0; P is averaged over the tiles (Bartlett). Ring r holds the frequencies
// whose distance from 0, in steps of 1/256 cycle per pixel, rounds to r, 1 <= r <= 181; power is
// its mean, and anisotropy 10 log10(sum (P - mean)^2 / (n - 1) / mean^2). A power below 1e-20 is
// rounding, and given as 0; anisotropy is NaN there, in a ring of one frequency, and where all of a
// ring are equal.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "kernels/quality/quality.h"
#include "kernels/quality/window.h"

namespace mezzo::quality {

inline constexpr uint32_t kFlatTile = 256;
inline constexpr uint32_t kFlatTiles = 64;

/// The flattest tiles that were offered so far, and their bits (4 MiB).
class FlatTiles {
 public:
  /// Offers the tile with its top left corner at (x, y), which the window must hold.
  void offer(const Window& window, uint32_t x, uint32_t y);

  uint32_t count() const { return static_cast<uint32_t>(tiles_.size()); }

  /// The mean spectrum; empty when there is no tile.
  std::vector<Report::Ring> spectrum() const;

  /// Lines of periods from 8 px on. The tiles count as independent.
  Periods periods() const;

 private:
  using Key = std::tuple<uint64_t, uint32_t, uint32_t>;  ///< deviation (scaled), y, x
  std::map<Key, std::vector<uint8_t>> tiles_;
};

/// The spectrum of tiles of kFlatTile x kFlatTile bytes, each with zeros and ones.
std::vector<Report::Ring> mean_spectrum(const std::vector<const std::vector<uint8_t>*>& tiles);

}  // namespace mezzo::quality
