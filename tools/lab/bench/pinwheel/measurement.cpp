#include "tools/lab/bench/pinwheel/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "kernels/pinwheel/pinwheel_method.h"
#include "tools/lab/bench/pinwheel/zhang_table.h"

namespace mezzo::bench {
namespace {

std::optional<double> unrolled_over_loop(const PinwheelRow& row) {
  const auto unrolled = std::ranges::find(row, "unrolled", &PinwheelMeasurement::schedule);
  const auto loop = std::ranges::find(row, "loop", &PinwheelMeasurement::schedule);
  if (unrolled == row.end() || loop == row.end()) return std::nullopt;
  return loop->ms / unrolled->ms;
}

std::optional<double> over_paper(const PinwheelMeasurement& result) {
  const auto paper = result.paper_gpx_per_s();
  return paper ? std::optional(result.gpx_per_s() / *paper) : std::nullopt;
}

}  // namespace

HalftoneSettings PinwheelPoint::settings() const {
  HalftoneSettings settings = {.method = "pinwheel"};
  settings.parameters = {{"block", block},
                         {"weights", index_of(pinwheel::kWeightNames, weights)},
                         {"path", index_of(pinwheel::kPathNames, path)},
                         {"threshold_noise", threshold_noise}};
  return settings;
}

std::optional<double> PinwheelMeasurement::paper_gpx_per_s() const {
  if (schedule != "unrolled" || point.path != "spiral") return std::nullopt;  // the paper's
  return zhang::gpx_per_s(point.block, size.width_px, size.height_px);
}

double pinwheel_bytes_per_px(uint32_t block) {
  constexpr double kSector = 32;
  const double s = block;
  const double whole = std::gcd(block, 32U) / kSector;
  const double samples = 1 + std::min(1.0, kSector / s * (1 - whole));
  return samples + 5.0 / 8 + 8 / s;
}

Record record_of(const PinwheelMeasurement& result, const PinwheelRow& row) {
  const auto on_gpu = [&result](double value) {
    return result.on_gpu() ? std::optional(value) : std::nullopt;
  };
  const double bytes = pinwheel_bytes_per_px(result.point.block);
  const std::string of_copy = result.of_copy ? fmt::format("{:.1f} %", 100 * *result.of_copy) : "";
  return Record("pinwheel")
      .add("width_px", result.size.width_px)
      .add("height_px", result.size.height_px)
      .add("block", result.point.block, Column{"block", 5})
      .add("path", result.point.path)
      .add("weights", result.point.weights)
      .add("engine", to_string(result.engine))
      .add("schedule", result.schedule)
      .add("threads", result.threads)
      .show({"  schedule", -24}, "  " + result.name())
      .add("ms", result.ms)
      .add("gpx_per_s", result.gpx_per_s(), Column{"Gpx/s", 9, 3})
      .add("words", result.comparison.words)
      .add("differing_words", result.comparison.differing)
      .add("paper_gpx_per_s", result.paper_gpx_per_s(), Column{"paper", 9, 3})
      .add("over_paper", over_paper(result), Column{"over paper", 12, 1})
      .add("over_loop",
           result.schedule == "unrolled" ? unrolled_over_loop(row) : std::nullopt,
           Column{"over loop", 11, 2})
      .add("least_bytes_per_px", on_gpu(bytes), Column{"bytes/px", 10, 2})
      .add("traffic_gbps", on_gpu(result.gpx_per_s() * bytes))
      .add("of_copy", result.of_copy)
      .show({"of copy", 9}, of_copy)
      .add("upload_ms", result.upload_ms)
      .add("download_ms", result.download_ms)
      .show({"  differing words"}, result.comparison.text());
}

}  // namespace mezzo::bench
