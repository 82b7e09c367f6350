#include "tools/bench/plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/bench/search/search.h"

namespace mezzo::bench {
namespace {

using Timings = std::vector<SearchTiming>;

PlotSeries& add_series(PlotPanel& panel, const std::string& name) {
  return panel.series.emplace_back(
      PlotSeries{name, {}, static_cast<uint32_t>(panel.series.size())});
}

/// How the error falls; `over` gives the place of each round on the x axis.
template <typename Over>
void add_errors(PlotPanel& panel, const SearchTiming& timing, const std::string& name, Over over) {
  PlotSeries& series = add_series(panel, name);
  for (size_t i = 0; i < timing.rounds.size(); ++i) {
    const double x = over(i, timing.rounds[i]);
    if (timing.rounds[i].error > 0) series.points.emplace_back(x, timing.rounds[i].error);
  }
}

PlotPanel panel_of_rounds(const Timings& times) {
  PlotPanel panel{
      "Error by round", "Round 0: the start, random dither or Floyd-Steinberg (FS).", {}, {}, {}};
  panel.x = {"round"};
  panel.y = {"mean error of a pixel, of 255", true};
  for (const SearchTiming& timing : times) {
    const std::string name =
        timing.point.name() + (timing.point.start == "random" ? ", random" : ", FS");
    if (std::ranges::find(panel.series, name, &PlotSeries::name) != panel.series.end()) continue;
    add_errors(panel, timing, name, [](size_t i, const auto&) { return static_cast<double>(i); });
  }
  return panel;
}

PlotPanel panel_of_seconds(const Timings& times) {
  PlotPanel panel{"Error by time", "From random dither, as published.", {"seconds", true}, {}, {}};
  panel.y = {"mean error of a pixel, of 255", true};
  for (const SearchTiming& timing : times) {
    if (timing.point.start != "random") continue;
    double seconds = 0;
    add_errors(panel,
               timing,
               timing.point.name() + ", " + timing.where(),
               [&](size_t, const SearchRound& round) { return seconds += round.seconds; });
  }
  return panel;
}

PlotPanel panel_of_page(uint32_t side_px, const Timings& pages) {
  PlotPanel panel{fmt::format("{0} x {0} px", side_px), "From Floyd-Steinberg.", {"round"}, {}, {}};
  panel.y = {"time of a round, ms", true};
  for (const SearchTiming& timing : pages) {
    if (timing.side_px != side_px) continue;
    PlotSeries& series = add_series(panel, timing.point.name() + ", " + timing.where());
    for (size_t i = 1; i < timing.rounds.size(); ++i) {
      series.points.emplace_back(i, 1e3 * timing.rounds[i].seconds);
    }
  }
  return panel;
}

}  // namespace

std::string search_plot(const Timings& times, const Timings& pages, const std::string& machine) {
  std::vector<PlotPanel> panels;
  if (!times.empty()) panels = {panel_of_rounds(times), panel_of_seconds(times)};
  std::vector<uint32_t> sides;
  for (const SearchTiming& page : pages) {
    if (std::ranges::find(sides, page.side_px) != sides.end()) continue;
    sides.push_back(page.side_px);
    panels.push_back(panel_of_page(page.side_px, pages));
  }
  return svg_plot("Search halftoning", machine, panels);
}

}  // namespace mezzo::bench
