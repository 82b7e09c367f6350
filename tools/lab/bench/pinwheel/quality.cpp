#include "tools/lab/bench/pinwheel/quality.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "kernels/pinwheel/pinwheel_method.h"
#include "kernels/quality/judge.h"
#include "kernels/quality/memory_pair.h"
#include "stages/tiff/plate/contone_writer.h"
#include "stages/tiff/plate/encode.h"
#include "stages/tiff/plate/writer.h"
#include "tools/synth/photo.h"

namespace mezzo::bench {
namespace {

constexpr double kNoise[] = {0, 10};                   // threshold_noise, percent
constexpr double kPatches[] = {0.05, 0.25, 0.5, 0.8};  // coverage; the paper does not say its own
constexpr double kDpi = 300;
constexpr uint64_t kTonePixels = 4096;  ///< that a level needs to count (quality.h)

/// The page: its upper quarter a ramp from paper to solid, then the patches, its lower half the
/// photo.
TestPage draw_page(uint32_t side_px) {
  const auto side = static_cast<int32_t>(side_px);
  const int32_t quarter = side / 4;
  synth::ShapeList shapes;
  shapes.push_back(std::make_unique<synth::Ramp>(
      synth::Box{0, 0, side, quarter}, synth::Direction::kAcross, synth::mix_ink(1, 0, 0, 0, 1)));
  for (int32_t i = 0; i < 4; ++i) {
    const synth::Box box{i * quarter, quarter, i == 3 ? side : (i + 1) * quarter, 2 * quarter};
    shapes.push_back(
        std::make_unique<synth::Rectangle>(box, synth::mix_ink(1, 0, 0, 0, kPatches[i])));
  }
  shapes.push_back(synth::make_landscape({0, 2 * quarter, side, side}, 1, kPhotoSeed));
  return draw_shapes({side_px, side_px}, std::move(shapes));
}

/// A halftone to judge: a point of pinwheel, or Floyd-Steinberg in raster order.
struct Candidate {
  std::optional<PinwheelPoint> point;

  HalftoneSettings settings() const { return point ? point->settings() : HalftoneSettings{}; }
  /// As a file is called.
  std::string name() const {
    if (!point) return "floyd-steinberg";
    const std::string noise =
        point->threshold_noise > 0 ? fmt::format("-noise{:g}", point->threshold_noise) : "";
    return fmt::format("pinwheel-{:02}-{}-{}{}", point->block, point->path, point->weights, noise);
  }
};

struct Judged {
  Candidate candidate;
  quality::Report report;
  std::optional<double> gpx_per_s = {};
  std::optional<std::string> plate = {};

  /// The number of levels with tone errors.
  uint64_t levels() const {
    return static_cast<uint64_t>(std::ranges::count_if(
        report.tones, [](const auto& tone) { return tone.pixels >= kTonePixels; }));
  }
};

std::vector<Candidate> candidates(const PinwheelQualityOptions& options) {
  std::vector<Candidate> all = {{}};
  for (const std::string_view weights : pinwheel::kWeightNames) {
    for (const double noise : kNoise) {
      for (const uint32_t block : options.blocks) {
        all.push_back({PinwheelPoint{block, std::string(weights), options.path, noise}});
      }
    }
  }
  return all;
}

void write_contone(const std::string& path, const SampleBand& samples) {
  const auto file = tiff::ContoneWriter::create(
      path, {.width_px = samples.width_px, .height_px = samples.rows, .dpi = kDpi});
  file->write_rows(samples.data, samples.rows);
  file->finish();
}

void write_halftone(const std::string& path, const BitBand& bits, Team& team) {
  tiff::PlatePage page;
  page.width_px = bits.width_px;
  page.height_px = bits.rows;
  page.rows_per_strip = tiff::plate_rows_per_strip(bits.width_px);
  page.resolution = {kDpi, kDpi};
  const auto file =
      tiff::PlateFile::create(path, tiff::worst_case_bytes(page, tiff::Compression::kDeflate));
  file->begin_page(page, tiff::Compression::kDeflate, true);
  for (uint32_t i = 0; i < tiff::strip_count(page); ++i) {
    const BitBand strip = bits.slice(i * page.rows_per_strip, tiff::strip_rows(page, i));
    file->write_strip(tiff::summed(strip, tiff::encode_strip(strip, tiff::Compression::kDeflate)));
  }
  file->end_page("", "");
  file->seal(tiff::VerifyLevel::kDecode, team);
  file->publish();
  file->commit();
}

std::string seam(uint32_t period_px, double ratio) {
  return period_px == 0 ? "  none" : fmt::format("  x{:.2f} at {}", ratio, period_px);
}

Record record_of(const Judged& result) {
  const auto& point = result.candidate.point;
  const quality::Report& report = result.report;
  const auto of_point = [&point](auto PinwheelPoint::*member) {
    return point ? std::optional((*point).*member) : std::nullopt;
  };
  const std::string method = result.candidate.settings().method;
  const std::string noise = point ? fmt::format("{:g} %", point->threshold_noise) : "";
  return Record("pinwheel-quality")
      .add("width_px", report.width_px)
      .add("height_px", report.height_px)
      .add("method", method, Column{"method", -17})
      .add("block", of_point(&PinwheelPoint::block), Column{"block", 6})
      .add("path", of_point(&PinwheelPoint::path))
      .show({"", 2}, "")
      .add("weights", of_point(&PinwheelPoint::weights), Column{"weights", -14})
      .add("threshold_noise_percent", of_point(&PinwheelPoint::threshold_noise))
      .show({"noise", 6}, noise)
      .add("hvs_rms", report.hvs_rms, Column{"HVS rms", 9, 2})
      .add("gaussian_rms_1_5", report.gaussian_rms_1_5, Column{"rms s=1.5", 10, 2})
      .add("gaussian_rms_3", report.gaussian_rms_3, Column{"rms s=3", 10, 2})
      .add("tone_levels", result.levels())
      .add("tone_error_mean", report.tone_error_mean, Column{"tone mean", 11, 2})
      .add("tone_error_max", report.tone_error_max, Column{"tone max", 10, 2})
      .add("seam_row_ratio", report.seam_row_ratio)
      .add("seam_row_period", report.seam_row_period)
      .show({"  row seams", -16}, seam(report.seam_row_period, report.seam_row_ratio))
      .add("seam_column_ratio", report.seam_column_ratio)
      .add("seam_column_period", report.seam_column_period)
      .show({"column seams", -14},
            seam(report.seam_column_period, report.seam_column_ratio).substr(2))
      .add("gpx_per_s", result.gpx_per_s, Column{"Gpx/s", 7, 3})
      .add("plate", result.plate);
}

/// Halftones the page into `bits`.
void halftone(const Candidate& candidate, const TestPage& page, PlaneBits& bits, Team& team) {
  HalftoneSettings settings = candidate.settings();
  settings.engine = Engine::kCpu;
  const auto halftoner = make_halftoner(complete(settings)).halftoner;
  const auto state = halftoner->make_state(page.size.width_px);
  halftoner->run(page.samples(), page.curve(), bits_of(bits, page.size), state.get(), team);
}

}  // namespace

PinwheelQuality::PinwheelQuality(const PinwheelQualityOptions& options, bool json)
    : options_(options), results_(options.csv, json) {
  if (options.plates.empty()) return;
  std::error_code fault;
  std::filesystem::create_directories(options.plates, fault);
  if (fault) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{}: cannot be created: {}", options.plates, fault.message()));
  }
}

void PinwheelQuality::run(const RateOf& rate_of, Team& team) {
  const TestPage page = draw_page(options_.side_px);
  PlaneBits bits = make_bits(page.size);
  if (!options_.plates.empty()) write_contone(plate_path("contone"), page.samples());
  results_.print(
      "\nQuality on {0} x {0}: a ramp, patches of 5, 25, 50 and 80 % and a photo. Less is better. "
      "RMS and tone errors are of 255;\n'tone' is over levels of {1} pixels or more; 'seams' are "
      "lines that return every so many px; 'Gpx/s' is the fastest\nthat was measured above on the "
      "first page; it is blank where nothing was.\n",
      options_.side_px,
      kTonePixels);
  results_.begin_table();
  for (const Candidate& candidate : candidates(options_)) {
    stop_if_requested();
    halftone(candidate, page, bits, team);
    quality::MemoryPair pair(
        page.samples(), page.max_sample, page.polarity, bits_of(bits, page.size));
    Judged result{candidate, quality::judge(pair, {}, team)};
    if (candidate.point) result.gpx_per_s = rate_of(*candidate.point);
    if (!options_.plates.empty()) {
      result.plate = plate_path(candidate.name());
      write_halftone(*result.plate, bits_of(bits, page.size), team);
    }
    results_.add(record_of(result));
  }
}

std::string PinwheelQuality::plate_path(const std::string& name) const {
  return (std::filesystem::path(options_.plates) / (name + ".tif")).string();
}

}  // namespace mezzo::bench
