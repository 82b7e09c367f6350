#include "tools/bench/pinwheel/measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tools/bench/pinwheel/zhang_table.h"

namespace mezzo::bench {
namespace {

// Values of the parameters, by name. A build has those that its registry allows.
constexpr const char* kWeights[] = {"fs", "tone-dependent"};
constexpr const char* kPaths[] = {"spiral", "serpentine"};

template <size_t kCount>
std::vector<std::string> allowed(std::string_view parameter, const char* const (&names)[kCount]) {
  const auto& parameters = find_method("pinwheel")->parameters;
  const double most = std::ranges::find(parameters, parameter, &ParameterInfo::name)->maximum;
  return {names, names + std::min(kCount, static_cast<size_t>(most) + 1)};
}

double index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<double>(std::ranges::find(names, name) - names.begin());
}

/// The measurement of that schedule, or null.
const PinwheelMeasurement* find(const PinwheelRow& row, std::string_view schedule) {
  const auto found = std::ranges::find(row, schedule, &PinwheelMeasurement::schedule);
  return found == row.end() || found->ms <= 0 ? nullptr : &*found;
}

std::optional<double> unrolled_over_loop(const PinwheelRow& row) {
  const PinwheelMeasurement *unrolled = find(row, "unrolled"), *loop = find(row, "loop");
  if (unrolled == nullptr || loop == nullptr) return std::nullopt;
  return loop->ms / unrolled->ms;
}

std::optional<double> over_paper(const PinwheelMeasurement& result) {
  const auto paper = result.paper_gpx_per_s();
  return paper ? std::optional(result.gpx_per_s() / *paper) : std::nullopt;
}

/// A column's heading and its text in this row.
struct Cell {
  std::string heading;
  std::string text;
};

std::vector<Cell> cells(const PinwheelRow& row) {
  std::vector<Cell> all = {{"block", std::to_string(row.front().point.block)}};
  const auto add = [&all](const std::string& heading,
                          const std::optional<double>& value,
                          int digits,
                          std::string_view unit = "") {
    all.push_back({heading, value ? fmt::format("{:.{}f}{}", *value, digits, unit) : "-"});
  };
  for (const PinwheelMeasurement& result : row) {
    const bool good = result.ms > 0;
    all.push_back({result.name(), good ? fmt::format("{:.3f}", result.gpx_per_s()) : "failed"});
    if (result.schedule == "unrolled") {
      add("paper", result.paper_gpx_per_s(), 3);
      add("over paper", good ? over_paper(result) : std::nullopt, 1);
      const auto share = result.of_copy;
      add("of copy", share ? std::optional(100 * *share) : std::nullopt, 1, " %");
    }
    if (result.schedule == "loop") {
      add("unrolled/loop", unrolled_over_loop(row), 2);
      add("bytes/px", pinwheel_bytes_per_px(row.front().point.block), 2);
    }
  }
  return all;
}

void print_cells(const std::vector<Cell>& row, bool heading) {
  std::string line = " ";
  for (const Cell& cell : row) {
    line += fmt::format("{:>{}}", heading ? cell.heading : cell.text, cell.heading.size() + 3);
  }
  fmt::print("{}\n", line);
}

/// Figures that are in no row of a table.
void print_differences(const PinwheelRow& row) {
  for (const PinwheelMeasurement& result : row) {
    if (result.comparison.differing == 0) continue;
    fmt::print("        {}: {} of {} words differ from the reference\n",
               result.name(),
               result.comparison.differing,
               result.comparison.words);
  }
}

}  // namespace

std::vector<std::string> pinwheel_weights() {
  return allowed("weights", kWeights);
}

std::vector<std::string> pinwheel_paths() {
  return allowed("path", kPaths);
}

HalftoneSettings PinwheelPoint::settings() const {
  HalftoneSettings settings = {.method = "pinwheel"};
  settings.parameters = {{"block", block},
                         {"weights", index_of(pinwheel_weights(), weights)},
                         {"path", index_of(pinwheel_paths(), path)},
                         {"threshold_noise", threshold_noise}};
  return settings;
}

std::string PinwheelMeasurement::name() const {
  if (on_gpu()) return "GPU " + schedule;
  return fmt::format("CPU {} x{}", schedule, threads);
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

void print_pinwheel_row(const PinwheelRow& row, bool with_heading) {
  const std::vector<Cell> line = cells(row);
  if (with_heading) print_cells(line, true);
  print_cells(line, false);
  print_differences(row);
}

Record record_of(const PinwheelMeasurement& result, const PinwheelRow& row) {
  const auto on_gpu = [&result](double value) {
    return result.on_gpu() ? std::optional(value) : std::nullopt;
  };
  const double bytes = pinwheel_bytes_per_px(result.point.block);
  return Record("pinwheel")
      .add("width_px", result.size.width_px)
      .add("height_px", result.size.height_px)
      .add("block", result.point.block)
      .add("path", result.point.path)
      .add("weights", result.point.weights)
      .add("engine", to_string(result.engine))
      .add("schedule", result.schedule)
      .add("threads", result.threads)
      .add("ms", result.ms)
      .add("gpx_per_s", result.gpx_per_s())
      .add("words", result.comparison.words)
      .add("differing_words", result.comparison.differing)
      .add("paper_gpx_per_s", result.paper_gpx_per_s())
      .add("over_paper", over_paper(result))
      .add("over_loop", result.schedule == "unrolled" ? unrolled_over_loop(row) : std::nullopt)
      .add("least_bytes_per_px", on_gpu(bytes))
      .add("traffic_gbps", on_gpu(result.gpx_per_s() * bytes))
      .add("of_copy", result.of_copy)
      .add("upload_ms", result.upload_ms)
      .add("download_ms", result.download_ms);
}

}  // namespace mezzo::bench
