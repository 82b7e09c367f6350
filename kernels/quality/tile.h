// One tile of the page: the sums behind the report (computed in tile.cpp, and counts.cpp for those
// of dots).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/base/rect.h"
#include "kernels/quality/gaussian.h"
#include "kernels/quality/hvs.h"
#include "kernels/quality/window.h"

namespace mezzo::quality {

inline constexpr uint32_t kTile = 512;   ///< side of a tile, in pixels
inline constexpr uint32_t kMirror = 12;  ///< rows and columns of the Gaussians beyond the border
inline constexpr uint32_t kStartupRows = 16;  ///< the rows where error diffusion starts up
inline constexpr uint32_t kLevels = 256;      ///< of ink, for the tone

/// Exact counts; their order does not matter.
struct Counts {
  struct Level {
    uint64_t pixels = 0;
    uint64_t dots = 0;  ///< of them, ink
    uint64_t ink = 0;   ///< sum of the contone's values
  };
  std::array<Level, kLevels> levels;
  uint64_t isolated_dots = 0;
  uint64_t isolated_holes = 0;
  uint64_t startup_dots = 0;
  uint64_t startup_ink = 0;

  void add(const Counts& other);
};

/// Sums of squares and the like, of coverage.
struct Sums {
  double hvs_inside = 0;  ///< pixels at least R from all borders
  double hvs_startup = 0;
  double hvs_rest = 0;
  double gaussian_1_5 = 0;
  double gaussian_3 = 0;
  double average_error = 0;
  double hpsnr = 0;
  double wsnr_signal = 0;  ///< of whole tiles
  double wsnr_noise = 0;
  double ssim = 0;

  void add(const Sums& other);
};

/// The results of a tile.
struct TileResult {
  Counts counts;
  Sums sums;
  std::vector<double> row_power;     ///< of each row: sum of (G(1.5, 6) * e)^2, for the seams
  std::vector<double> column_power;  ///< of each column, likewise
};

/// The read-only data of all tiles of a page.
struct TilePlan {
  TilePlan(uint32_t width_px, uint32_t height_px, const Viewing& viewing);

  EyeFilter eye;
  uint32_t spectrum_columns;  ///< a whole tile of the weighted signal-to-noise ratio
  uint32_t spectrum_rows;
  std::vector<double> sensitivity;  ///< squared, for such a tile
};

/// Judges tiles, one after the other; each thread has one of its own.
class TileJudge {
 public:
  explicit TileJudge(const TilePlan& plan);

  /// The window must hold the rows of the tile and `eye.radius()` (at least kMirror) more above
  /// and below, as far as the page has them.
  void judge(const Window& window, const Rect& tile, TileResult& result);

 private:
  void see(const Window& window, const Rect& tile, Sums& sums);
  void weigh_noise(const Window& window, const Rect& tile, Sums& sums);
  void compare_strip(const Window& window, const Rect& strip, const Rect& tile, TileResult& result);
  void load_strip(const Window& window, const Rect& strip);
  void add_average_error(const Window& window, const Rect& strip, Sums& sums);
  void add_structure(Sums& sums);

  const TilePlan& plan_;
  const Gaussian sigma_1_, sigma_1_5_, sigma_2_, sigma_3_, ssim_window_;
  Fft2d eye_fft_;
  Fft2d noise_fft_;
  // A strip of the tile, with kMirror more on every side, and its filtered forms.
  Patch asked_, got_, error_, scratch_, blurred_, soft_asked_, soft_got_;
  Patch product_, mean_asked_, mean_got_, asked_squared_, got_squared_, asked_got_;
};

/// Counts of a tile: tone, dots and holes.
void count_tile(const Window& window, const Rect& tile, Counts& counts);

}  // namespace mezzo::quality
