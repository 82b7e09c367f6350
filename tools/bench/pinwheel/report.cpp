#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/bench/pinwheel/pinwheel.h"

namespace mezzo::bench {
namespace {

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
  if (!result.paper_gpx_per_s) return std::nullopt;
  return result.gpx_per_s() / *result.paper_gpx_per_s;
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
      add("paper", result.paper_gpx_per_s, 3);
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

/// What no row of a table can say.
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

std::string PinwheelMeasurement::name() const {
  if (on_gpu()) return "GPU " + schedule;
  return fmt::format("CPU {} x{}", schedule, threads);
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

nlohmann::ordered_json pinwheel_json(const PinwheelMeasurement& result, const PinwheelRow& row) {
  nlohmann::ordered_json object = {{"v", 1},
                                   {"type", "pinwheel"},
                                   {"width_px", result.size.width_px},
                                   {"height_px", result.size.height_px},
                                   {"block", result.point.block},
                                   {"path", result.point.path},
                                   {"weights", result.point.weights},
                                   {"engine", to_string(result.engine)},
                                   {"schedule", result.schedule},
                                   {"threads", result.threads},
                                   {"ms", result.ms},
                                   {"gpx_per_s", result.gpx_per_s()},
                                   {"words", result.comparison.words},
                                   {"differing_words", result.comparison.differing}};
  const auto add = [&object](const char* name, const std::optional<double>& value) {
    object[name] = value ? nlohmann::ordered_json(*value) : nullptr;
  };
  const double bytes = pinwheel_bytes_per_px(result.point.block);
  add("paper_gpx_per_s", result.paper_gpx_per_s);
  add("over_paper", over_paper(result));
  add("over_loop", result.schedule == "unrolled" ? unrolled_over_loop(row) : std::nullopt);
  add("least_bytes_per_px", result.on_gpu() ? std::optional(bytes) : std::nullopt);
  add("traffic_gbps", result.on_gpu() ? std::optional(result.gpx_per_s() * bytes) : std::nullopt);
  add("of_copy", result.of_copy);
  add("upload_ms", result.upload_ms);
  add("download_ms", result.download_ms);
  return object;
}

std::string csv_header(const nlohmann::ordered_json& object) {
  std::string row;
  for (const auto& [name, value] : object.items()) {
    if (name != "v" && name != "type") row += (row.empty() ? "" : ",") + name;
  }
  return row;
}

std::string csv_row(const nlohmann::ordered_json& object) {
  std::string row;
  bool first = true;
  for (const auto& [name, value] : object.items()) {
    if (name == "v" || name == "type") continue;
    if (!first) row += ',';
    first = false;
    if (value.is_number_float()) {
      const double number = value.get<double>();
      if (std::isfinite(number)) row += fmt::format("{:.6g}", number);
    } else if (value.is_string()) {
      row += value.get<std::string>();
    } else if (!value.is_null()) {
      row += value.dump();
    }
  }
  return row;
}

}  // namespace mezzo::bench
