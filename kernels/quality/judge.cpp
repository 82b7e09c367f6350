#include "kernels/quality/judge.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "kernels/base/error.h"
#include "kernels/quality/moire.h"
#include "kernels/quality/seams.h"
#include "kernels/quality/spectrum.h"
#include "kernels/quality/tile.h"

namespace mezzo::quality {
namespace {

/// Levels with fewer pixels say little of the tone.
constexpr uint64_t kEnoughPixels = 4096;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// 255 sqrt(sum / pixels), NaN without pixels.
double rms(double sum, double pixels) {
  return pixels > 0 ? 255 * std::sqrt(sum / pixels) : kNaN;
}

class PageJudge {
 public:
  PageJudge(PagePair& pages, const Viewing& viewing, Team& team)
      : window_(pages),
        plan_(pages.width_px(), pages.height_px(), viewing),
        team_(team),
        results_((pages.width_px() + kTile - 1) / kTile),
        error_(pages.width_px(), pages.height_px()),
        column_power_(pages.width_px(), 0.0) {
    const size_t members = std::min<size_t>(team.size(), results_.size());
    for (size_t i = 0; i < members; ++i) judges_.push_back(std::make_unique<TileJudge>(plan_));
  }

  Report run() {
    for (uint32_t y = 0; y < window_.height_px(); y += kTile) judge_row_of_tiles(y);
    Report report;
    fill_in_counts(report);
    fill_in_sums(report);
    report.spectrum = flat_tiles_.spectrum();
    report.spectrum_tiles = flat_tiles_.count();
    report.periods = flat_tiles_.periods();
    report.moire = error_.find_moire();
    const Seam row_seam = find_seam(row_power_, team_);
    report.seam_row_ratio = row_seam.ratio;
    report.seam_row_period = row_seam.period_px;
    const Seam column_seam = find_seam(column_power_, team_);
    report.seam_column_ratio = column_seam.ratio;
    report.seam_column_period = column_seam.period_px;
    return report;
  }

 private:
  void judge_row_of_tiles(uint32_t y);
  void offer_flat_tiles(uint32_t y, uint32_t rows);
  void look_from_afar(uint32_t y, uint32_t rows);
  void fill_in_counts(Report& report) const;
  void fill_in_tones(Report& report) const;
  void fill_in_sums(Report& report) const;

  Window window_;
  const TilePlan plan_;
  Team& team_;
  std::vector<std::unique_ptr<TileJudge>> judges_;  ///< one for each member of the team
  std::vector<TileResult> results_;                 ///< of a row of tiles
  FarField error_;
  Counts counts_;
  Sums sums_;
  std::vector<double> row_power_;
  std::vector<double> column_power_;
  FlatTiles flat_tiles_;
};

void PageJudge::judge_row_of_tiles(uint32_t y) {
  const uint32_t margin = std::max(plan_.eye.radius(), kMirror);
  const uint32_t rows = std::min(kTile, window_.height_px() - y);
  window_.advance(
      y - std::min(y, margin), y + rows + std::min(margin, window_.height_px() - y - rows), team_);
  const auto count = static_cast<uint32_t>(results_.size());
  std::atomic<uint32_t> members{0};
  std::atomic<uint32_t> next{0};
  team_.run([&] {
    const uint32_t member = members.fetch_add(1);
    if (member >= judges_.size()) return;
    for (uint32_t n = next.fetch_add(1); n <= count; n = next.fetch_add(1)) {
      if (n == 0) {
        look_from_afar(y, rows);
        continue;
      }
      const uint32_t i = n - 1;
      const uint32_t x = i * kTile;
      const Rect tile{x, y, std::min(kTile, window_.width_px() - x), rows};
      judges_[member]->judge(window_, tile, results_[i]);
    }
  });
  row_power_.resize(size_t{y} + rows, 0.0);
  for (uint32_t i = 0; i < count; ++i) {
    const TileResult& result = results_[i];
    counts_.add(result.counts);
    sums_.add(result.sums);
    for (uint32_t j = 0; j < rows; ++j) row_power_[y + j] += result.row_power[j];
    double* columns = column_power_.data() + size_t{i} * kTile;
    for (size_t j = 0; j < result.column_power.size(); ++j) columns[j] += result.column_power[j];
  }
  offer_flat_tiles(y, rows);
}

void PageJudge::look_from_afar(uint32_t y, uint32_t rows) {
  std::vector<double> error(window_.width_px());
  for (uint32_t j = y; j < y + rows; ++j) {
    const uint16_t* ink = window_.ink(j);
    const uint8_t* bits = window_.bits(j);
    for (size_t x = 0; x < error.size(); ++x) error[x] = bits[x] - window_.coverage(ink[x]);
    error_.add_row(error);
  }
}

void PageJudge::offer_flat_tiles(uint32_t y, uint32_t rows) {
  for (uint32_t top = 0; top + kFlatTile <= rows; top += kFlatTile) {
    for (uint32_t x = 0; x + kFlatTile <= window_.width_px(); x += kFlatTile) {
      flat_tiles_.offer(window_, x, y + top);
    }
  }
}

void PageJudge::fill_in_counts(Report& report) const {
  report.width_px = window_.width_px();
  report.height_px = window_.height_px();
  uint64_t ink = 0;
  for (const Counts::Level& level : counts_.levels) {
    report.dots += level.dots;
    ink += level.ink;
  }
  const double pixels = 1.0 * report.width_px * report.height_px;
  report.contone_coverage = static_cast<double>(ink) / window_.max_ink() / pixels;
  report.ink_coverage = static_cast<double>(report.dots) / pixels;
  report.isolated_dots = counts_.isolated_dots;
  report.isolated_holes = counts_.isolated_holes;
  const double startup = 1.0 * report.width_px * std::min(report.height_px, kStartupRows);
  report.startup_tone_error = 255 *
                              (static_cast<double>(counts_.startup_dots) -
                               static_cast<double>(counts_.startup_ink) / window_.max_ink()) /
                              startup;
  fill_in_tones(report);
}

void PageJudge::fill_in_tones(Report& report) const {
  double sum = 0;
  double highest = 0;
  uint32_t judged = 0;
  for (uint32_t level = 0; level < kLevels; ++level) {
    const Counts::Level& counted = counts_.levels[level];
    if (counted.pixels == 0) continue;
    const auto pixels = static_cast<double>(counted.pixels);
    const double asked = static_cast<double>(counted.ink) / window_.max_ink() / pixels;
    const double got = static_cast<double>(counted.dots) / pixels;
    report.tones.push_back({level, counted.pixels, asked, got});
    if (counted.pixels < kEnoughPixels) continue;
    const double error = 255 * std::abs(got - asked);
    sum += error;
    highest = std::max(highest, error);
    ++judged;
  }
  report.tone_error_mean = judged > 0 ? sum / judged : kNaN;
  report.tone_error_max = judged > 0 ? highest : kNaN;
}

void PageJudge::fill_in_sums(Report& report) const {
  const double width = report.width_px;
  const double height = report.height_px;
  const double pixels = width * height;
  const double margins = 2.0 * plan_.eye.radius();
  const double startup_rows = std::min(height, double{kStartupRows});
  report.hvs_rms =
      rms(sums_.hvs_inside, std::max(width - margins, 0.0) * std::max(height - margins, 0.0));
  report.startup_rms = rms(sums_.hvs_startup, width * startup_rows);
  report.interior_rms = rms(sums_.hvs_rest, width * (height - startup_rows));
  report.gaussian_rms_1_5 = rms(sums_.gaussian_1_5, pixels);
  report.gaussian_rms_3 = rms(sums_.gaussian_3, pixels);
  report.average_error = 255 * sums_.average_error / pixels;
  report.hpsnr_db = -10 * std::log10(sums_.hpsnr / pixels);
  report.wsnr_db = 10 * std::log10(sums_.wsnr_signal / sums_.wsnr_noise);
  report.ssim = sums_.ssim / pixels;
}

}  // namespace

Report judge(PagePair& pages, const Viewing& viewing, Team& team) {
  const double sight = viewing.dpi * viewing.distance_inch;
  MZ_ASSERT(sight >= kMinSight && sight <= kMaxSight);
  MZ_ASSERT(pages.width_px() > 0 && pages.height_px() > 0);
  return PageJudge(pages, viewing, team).run();
}

}  // namespace mezzo::quality
