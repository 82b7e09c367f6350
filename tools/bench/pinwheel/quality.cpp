// How pinwheel error diffusion looks, by block, weights and noise, on a page as the paper has it: a
// grey ramp, four constant patches and a photo.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "kernels/quality/judge.h"
#include "stages/tiff/plate/contone_writer.h"
#include "stages/tiff/plate/encode.h"
#include "stages/tiff/plate/writer.h"
#include "tools/bench/bench.h"
#include "tools/bench/pinwheel/pinwheel.h"
#include "tools/synth/photo.h"

namespace mezzo::bench {
namespace {

constexpr double kNoise[] = {0, 10};                   // threshold_noise, percent
constexpr double kPatches[] = {0.05, 0.25, 0.5, 0.8};  // coverage; the paper does not say its own
constexpr double kDpi = 300;
constexpr uint64_t kPhotoSeed = 1;
constexpr uint64_t kTonePixels = 4096;  ///< that a level needs to count (quality.h)

/// The page and one halftone of it, in memory.
class QualityPage final : public quality::PagePair {
 public:
  explicit QualityPage(uint32_t side_px)
      : side_(side_px),
        row_bytes_(bit_row_bytes(side_px)),
        samples_(size_t{side_px} * side_px),
        bits_(row_bytes_ * side_px) {
    draw();
  }

  SampleBand samples() { return {samples_.data(), side_, side_, side_}; }
  BitBand bits() { return {bits_.data(), side_, side_, row_bytes_}; }

  uint32_t width_px() const override { return side_; }
  uint32_t height_px() const override { return side_; }
  uint32_t max_ink() const override { return 255; }
  void read(const BandView<uint16_t>& ink, const BandView<uint8_t>& dots, Team&) override {
    stop_if_requested();
    for (uint32_t i = 0; i < ink.rows; ++i) {
      const uint32_t y = ink.first_row + i;
      const uint8_t* row = samples().row8(y);
      for (uint32_t x = 0; x < side_; ++x) {
        ink.row(i)[x] = static_cast<uint16_t>(255 - row[x]);
        dots.row(i)[x] = bits().ink(x, y) ? 1 : 0;
      }
    }
  }

 private:
  /// Its upper quarter a ramp from paper to solid, then the patches, its lower half the photo.
  void draw() {
    const auto side = static_cast<int32_t>(side_);
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
    std::vector<uint16_t> coverage(side_);
    synth::Row row;
    row.width_px = side;
    row.line[0] = coverage.data();
    for (uint32_t y = 0; y < side_; ++y) {
      row.y = static_cast<int32_t>(y);
      for (const auto& shape : shapes) {
        if (row.y >= shape->box().y0 && row.y < shape->box().y1) shape->draw(row);
      }
      for (uint32_t x = 0; x < side_; ++x) {
        samples_[size_t{y} * side_ + x] =
            static_cast<std::byte>(255 - (coverage[x] + synth::kFullInk / 510) / 257);
      }
    }
  }

  uint32_t side_;
  size_t row_bytes_;
  std::vector<std::byte> samples_;
  std::vector<uint8_t> bits_;
};

/// What is judged: a point of pinwheel, or Floyd-Steinberg in raster order.
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

struct Result {
  Candidate candidate;
  quality::Report report;
  std::optional<double> gpx_per_s;
  std::string plate = {};

  /// How many levels tone errors are of.
  uint64_t levels() const {
    return static_cast<uint64_t>(std::ranges::count_if(
        report.tones, [](const auto& tone) { return tone.pixels >= kTonePixels; }));
  }
};

std::vector<Candidate> candidates(const PinwheelQualityOptions& options) {
  std::vector<Candidate> all = {{}};
  for (const std::string& weights : pinwheel_weights()) {
    for (const double noise : kNoise) {
      for (const uint32_t block : options.blocks) {
        all.push_back({PinwheelPoint{block, weights, options.path, noise}});
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
  file->begin_page(page, tiff::Compression::kDeflate);
  for (uint32_t i = 0; i < tiff::strip_count(page); ++i) {
    const BitBand strip = bits.slice(i * page.rows_per_strip, tiff::strip_rows(page, i));
    file->write_strip(tiff::encode_strip(strip, tiff::Compression::kDeflate), strip);
  }
  file->end_page("", "");
  file->seal(true, team);
  file->publish();
  file->commit();
}

std::string number(double value, int digits) {
  return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
}

std::string seam(uint32_t period_px, double ratio) {
  return period_px == 0 ? "none" : fmt::format("x{:.2f} at {}", ratio, period_px);
}

void print_heading(uint32_t side_px) {
  fmt::print(
      "\nQuality on {0} x {0}: a ramp, patches of 5, 25, 50 and 80 % and a photo. Less is better. "
      "RMS and tone errors are of 255;\n'tone' is over levels of {1} pixels or more; 'seams' are "
      "lines that return every so many px; 'Gpx/s' is the fastest\nthat was measured above on the "
      "first page; it is blank where nothing was.\n"
      "  {2:<17}{3:>6}  {4:<14}{5:>6}{6:>9}{7:>10}{8:>10}{9:>11}{10:>10}  "
      "{11:<14}{12:<14}{13:>7}\n",
      side_px,
      kTonePixels,
      "method",
      "block",
      "weights",
      "noise",
      "HVS rms",
      "rms s=1.5",
      "rms s=3",
      "tone mean",
      "tone max",
      "row seams",
      "column seams",
      "Gpx/s");
}

void print_row(const Result& result) {
  const auto& point = result.candidate.point;
  const quality::Report& report = result.report;
  fmt::print("  {:<17}{:>6}  {:<14}{:>6}{:>9}{:>10}{:>10}{:>11}{:>10}  {:<14}{:<14}{:>7}\n",
             point ? "pinwheel" : "floyd-steinberg",
             point ? std::to_string(point->block) : "",
             point ? point->weights : "",
             point ? fmt::format("{:g} %", point->threshold_noise) : "",
             number(report.hvs_rms, 2),
             number(report.gaussian_rms_1_5, 2),
             number(report.gaussian_rms_3, 2),
             number(report.tone_error_mean, 2),
             number(report.tone_error_max, 2),
             seam(report.seam_row_period, report.seam_row_ratio),
             seam(report.seam_column_period, report.seam_column_ratio),
             result.gpx_per_s ? fmt::format("{:.3f}", *result.gpx_per_s) : "");
}

/// The names and values of a result, for JSON and CSV alike.
nlohmann::ordered_json to_json(const Result& result) {
  const auto& point = result.candidate.point;
  const quality::Report& report = result.report;
  nlohmann::ordered_json object = {{"v", 1},
                                   {"type", "pinwheel-quality"},
                                   {"width_px", report.width_px},
                                   {"height_px", report.height_px},
                                   {"method", result.candidate.settings().method},
                                   {"block", nullptr},
                                   {"path", nullptr},
                                   {"weights", nullptr},
                                   {"threshold_noise_percent", nullptr},
                                   {"hvs_rms", report.hvs_rms},
                                   {"gaussian_rms_1_5", report.gaussian_rms_1_5},
                                   {"gaussian_rms_3", report.gaussian_rms_3},
                                   {"tone_levels", result.levels()},
                                   {"tone_error_mean", report.tone_error_mean},
                                   {"tone_error_max", report.tone_error_max},
                                   {"seam_row_ratio", report.seam_row_ratio},
                                   {"seam_row_period", report.seam_row_period},
                                   {"seam_column_ratio", report.seam_column_ratio},
                                   {"seam_column_period", report.seam_column_period},
                                   {"gpx_per_s", nullptr},
                                   {"plate", nullptr}};
  if (point) {
    object["block"] = point->block;
    object["path"] = point->path;
    object["weights"] = point->weights;
    object["threshold_noise_percent"] = point->threshold_noise;
  }
  if (result.gpx_per_s) object["gpx_per_s"] = *result.gpx_per_s;
  if (!result.plate.empty()) object["plate"] = result.plate;
  return object;
}

class QualityOfPinwheel final : public PinwheelQuality {
 public:
  explicit QualityOfPinwheel(const PinwheelQualityOptions& options)
      : options_(options), csv_(options.csv, csv_header(to_json({}))) {
    if (options.plates.empty()) return;
    std::error_code fault;
    std::filesystem::create_directories(options.plates, fault);
    if (fault) {
      throw Error(ErrorKind::kCannotCreate,
                  fmt::format("{}: cannot be created: {}", options.plates, fault.message()));
    }
  }

  void run(const RateOf& rate_of, Team& team) override {
    QualityPage page(options_.side_px);
    if (!options_.plates.empty()) write_contone(path_of("contone"), page.samples());
    if (!options_.json) print_heading(options_.side_px);
    for (const Candidate& candidate : candidates(options_)) {
      stop_if_requested();
      halftone(candidate, page, team);
      Result result{candidate, quality::judge(page, {}, team), std::nullopt};
      if (candidate.point) result.gpx_per_s = rate_of(*candidate.point);
      if (!options_.plates.empty()) {
        result.plate = path_of(candidate.name());
        write_halftone(result.plate, page.bits(), team);
      }
      const nlohmann::ordered_json object = to_json(result);
      csv_.add(csv_row(object));
      options_.json ? fmt::print("{}\n", object.dump()) : print_row(result);
      std::fflush(stdout);
    }
  }

 private:
  std::string path_of(const std::string& name) const {
    return (std::filesystem::path(options_.plates) / (name + ".tif")).string();
  }

  static void halftone(const Candidate& candidate, QualityPage& page, Team& team) {
    HalftoneSettings settings = candidate.settings();
    settings.engine = Engine::kCpu;
    const auto halftoner = make_halftoner(settings).halftoner;
    const auto state = halftoner->make_state(page.width_px());
    const ToneCurve curve(255, Polarity::kMaxIsPaper);
    halftoner->run(page.samples(), curve, page.bits(), state.get(), team);
  }

  PinwheelQualityOptions options_;
  CsvFile csv_;
};

}  // namespace

std::unique_ptr<PinwheelQuality> make_pinwheel_quality(const PinwheelQualityOptions& options) {
  return std::make_unique<QualityOfPinwheel>(options);
}

}  // namespace mezzo::bench
