#include "tools/bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/bench/pinwheel/pinwheel.h"
#include "tools/bench/pinwheel/zhang_table.h"

namespace mezzo::bench {
namespace {

using Results = std::vector<PinwheelMeasurement>;

/// The series of that name, which is made when there is none.
PlotSeries& series_of(PlotPanel& panel, const std::string& name) {
  const auto found = std::ranges::find(panel.series, name, &PlotSeries::name);
  if (found != panel.series.end()) return *found;
  return panel.series.emplace_back(
      PlotSeries{name, {}, static_cast<uint32_t>(panel.series.size())});
}

/// Throughput over the size of a block, a line a schedule.
PlotPanel panel_of_size(const PlaneSize& size, const Results& results) {
  PlotPanel panel{to_string(size) + " px", "", {"side of a block, px", true}, {}, {}};
  panel.y = {"throughput, 10^9 px/s", true};
  std::map<uint32_t, double> paper;
  for (const PinwheelMeasurement& result : results) {
    if (result.size != size) continue;
    const uint32_t block = result.point.block;
    series_of(panel, result.name()).points.emplace_back(block, result.gpx_per_s());
    if (result.paper_gpx_per_s) paper[block] = *result.paper_gpx_per_s;
    const std::string label = std::to_string(block);
    if (std::ranges::find(panel.x.ticks, label, &PlotTick::label) == panel.x.ticks.end()) {
      panel.x.ticks.push_back({static_cast<double>(block), label});
    }
  }
  if (!paper.empty()) {
    panel.note = "Dashed: Zhang et al., Table 1 (GTX 460).";
    panel.series.push_back({"paper, unrolled", {paper.begin(), paper.end()}, 0, true});
  }
  for (PlotSeries& series : panel.series) std::ranges::sort(series.points);
  return panel;
}

/// Throughput of one schedule over the size of square pages, a line a block, as figure 4 (b) has
/// it. The palette has eight lines that can be told apart.
PlotPanel panel_of_pages(const std::string& name, const Results& results) {
  constexpr size_t kMostLines = 8;
  PlotPanel panel{name + " by size of page", "A line a size of block.", {}, {}, {}};
  panel.x = {"side of the square page, px", true};
  panel.y = {"throughput, 10^9 px/s"};
  for (const PinwheelMeasurement& result : results) {
    if (result.name() != name || result.size.width_px != result.size.height_px) continue;
    const std::string block = fmt::format("block {}", result.point.block);
    const bool known =
        std::ranges::find(panel.series, block, &PlotSeries::name) != panel.series.end();
    if (!known && panel.series.size() == kMostLines) {
      panel.note = fmt::format("A line a size of block, the first {} of them.", kMostLines);
      continue;
    }
    const double side = result.size.width_px;
    series_of(panel, block).points.emplace_back(side, result.gpx_per_s());
    if (std::ranges::find(panel.x.ticks, side, &PlotTick::value) == panel.x.ticks.end()) {
      panel.x.ticks.push_back({side, std::to_string(result.size.width_px)});
    }
  }
  for (PlotSeries& series : panel.series) std::ranges::sort(series.points);
  return panel;
}

}  // namespace

std::string pinwheel_plot(const Results& results, const std::string& machine) {
  std::vector<PlaneSize> sizes;
  std::vector<std::string> names;
  for (const PinwheelMeasurement& result : results) {
    if (std::ranges::find(sizes, result.size) == sizes.end()) sizes.push_back(result.size);
    if (std::ranges::find(names, result.name()) == names.end()) names.push_back(result.name());
  }
  std::vector<PlotPanel> panels;
  for (const PlaneSize& size : sizes) panels.push_back(panel_of_size(size, results));
  if (sizes.size() > 1) {
    for (const std::string& name : names) panels.push_back(panel_of_pages(name, results));
  }
  const std::string what = results.empty() ? ""
                                           : fmt::format(", weights {}, {}",
                                                         results.front().point.weights,
                                                         results.front().point.path);
  return svg_plot("Pinwheel error diffusion" + what, machine, panels);
}

}  // namespace mezzo::bench
