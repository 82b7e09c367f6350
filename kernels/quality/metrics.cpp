#include "kernels/quality/metrics.h"

#include <functional>
#include <limits>

namespace mezzo::quality {
namespace {

using enum Better;

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

template <auto kMember>
double get(const Report& report) {
  return static_cast<double>(report.*kMember);
}

/// A number of the first line; NaN without one.
template <typename Member>
double line_of(const Periods& periods, Member member) {
  return periods.lines.empty() ? kUndefined : std::invoke(member, periods.lines.front());
}

double excess_ink(const Report& report) {
  return report.ink_coverage - report.contone_coverage;
}

/// Mean anisotropy of the rings up to half a cycle per pixel, over that of isotropic noise.
double anisotropy_over_noise(const Report& report) {
  double sum = 0;
  uint32_t rings = 0;
  for (const Report::Ring& ring : report.spectrum) {
    if (ring.frequency > 0.5 || std::isnan(ring.anisotropy_db)) continue;
    sum += ring.anisotropy_db;
    ++rings;
  }
  return rings == 0 ? kUndefined : sum / rings + 10 * std::log10(report.spectrum_tiles);
}

constexpr std::string_view kTone = kGroups[0], kEye = kGroups[1], kDots = kGroups[2];
constexpr std::string_view kStart = kGroups[3], kSeams = kGroups[4];

// clang-format off
constexpr Metric kMetrics[] = {
    {"contone_coverage", kTone, "ink asked for", "%", kNeither, 3,
     get<&Report::contone_coverage>, 100, "mean coverage of the contone"},
    {"ink_coverage", kTone, "ink put down", "%", kNeither, 3,
     get<&Report::ink_coverage>, 100, "mean coverage of the halftone"},
    {"", kTone, "put down over asked for", "%", kNearZero, 3,
     excess_ink, 100, "over the page", true},
    {"hvs_rms", kEye, "seen error, eye (HVS)", "of 255", kLower, 3,
     get<&Report::hvs_rms>, 1, "root mean square; N&auml;s&auml;nen&rsquo;s eye"},
    {"gaussian_rms_1_5", kEye, "seen error, Gaussian 1.5 px", "of 255", kLower, 3,
     get<&Report::gaussian_rms_1_5>, 1, "root mean square"},
    {"gaussian_rms_3", kEye, "seen error, Gaussian 3 px", "of 255", kLower, 3,
     get<&Report::gaussian_rms_3>, 1, "root mean square"},
    {"average_error", kEye, "average error (Kouge)", "of 255", kLower, 3,
     get<&Report::average_error>, 1, "after Kouge et al.; rewards sharpening"},
    {"hpsnr_db", kEye, "HPSNR", "dB", kHigher, 2,
     get<&Report::hpsnr_db>, 1, "peak signal to noise, halftone blurred"},
    {"wsnr_db", kEye, "WSNR", "dB", kHigher, 2,
     get<&Report::wsnr_db>, 1, "signal to noise, weighted by the eye"},
    {"ssim", kEye, "SSIM, blurred", "0..1", kHigher, 4,
     get<&Report::ssim>, 1, "structure kept, both blurred; 1 is all"},
    {"tone_error_mean", kTone, "tone error, mean", "of 255", kLower, 3,
     get<&Report::tone_error_mean>, 1, "over the levels with at least 4096 pixels"},
    {"tone_error_max", kTone, "tone error, worst level", "of 255", kLower, 3,
     get<&Report::tone_error_max>, 1, "of those levels"},
    {"startup_rms", kStart, "seen error, first 16 rows", "of 255", kLower, 3,
     get<&Report::startup_rms>, 1, "behind the eye, paper around the page"},
    {"interior_rms", kStart, "seen error, other rows", "of 255", kLower, 3,
     get<&Report::interior_rms>, 1, "the same, to compare with"},
    {"startup_tone_error", kStart, "tone error, first 16 rows", "of 255", kNearZero, 3,
     get<&Report::startup_tone_error>, 1, "put down &minus; asked for; below 0 is too pale"},
    {"seam_row_ratio", kSeams, "strongest periodic row", "times", kLower, 2,
     get<&Report::seam_row_ratio>, 1, "error power over its neighbours&rsquo;; 1 is none", true},
    {"seam_column_ratio", kSeams, "strongest periodic column", "times", kLower, 2,
     get<&Report::seam_column_ratio>, 1, "error power over its neighbours&rsquo;; 1 is none", true},
    {"seam_row_period", kSeams, "period of that row", "px", kNeither, 0,
     get<&Report::seam_row_period>, 1, "0 is none", true},
    {"seam_column_period", kSeams, "period of that column", "px", kNeither, 0,
     get<&Report::seam_column_period>, 1, "0 is none", true},
    {"", kSeams, "period of the strongest line in flat tints", "px", kNeither, 1,
     [](const Report& report) { return line_of(report.periods, &SpectrumLine::period_px); }, 1,
     "from 8 px on; &ndash; is none", true},
    {"", kSeams, "swing of that line", "% ink", kLower, 2,
     [](const Report& report) { return line_of(report.periods, &SpectrumLine::amplitude); }, 100,
     "half of the way from its palest to its darkest", true},
    {"", kSeams, "power of that line", "times", kLower, 1,
     [](const Report& report) { return line_of(report.periods, &SpectrumLine::ratio); }, 1,
     "over its neighbours&rsquo; in the spectrum", true},
    {"", kSeams, "moire with the page, period", "px", kNeither, 1,
     [](const Report& report) { return line_of(report.moire, &SpectrumLine::period_px); }, 1,
     "a wave of 32 px and more that the page does not have; &ndash; is none", true},
    {"", kSeams, "swing of that moire", "% ink", kLower, 2,
     [](const Report& report) { return line_of(report.moire, &SpectrumLine::amplitude); }, 100, "", true},
    {"dots", kDots, "dots", "px", kNeither, 0,
     get<&Report::dots>, 1, ""},
    {"isolated_dots", kDots, "isolated dots", "px", kNeither, 0,
     get<&Report::isolated_dots>, 1, "no ink among 8 neighbours; presses lose them"},
    {"isolated_holes", kDots, "isolated holes", "px", kNeither, 0,
     get<&Report::isolated_holes>, 1, "no paper among 8 neighbours; presses fill them"},
    {"", kDots, "flat tiles judged", "", kNeither, 0,
     get<&Report::spectrum_tiles>, 1,
     "256&nbsp;&times;&nbsp;256&nbsp;px, at most 64: the spectrum is theirs"},
    {"", kDots, "anisotropy there, over noise", "dB", kLower, 1,
     anisotropy_over_noise, 1, "mean up to half a cycle per pixel"},
};
// clang-format on

}  // namespace

std::span<const Metric> metrics() {
  return kMetrics;
}

}  // namespace mezzo::quality
