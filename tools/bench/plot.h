// Line plots as SVG files that stand alone: axes with ticks and units, a legend, a note, one panel
// or several. For the results of `mezzotint-lab bench`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mezzo::bench {

struct PlotTick {
  double value = 0;
  std::string label;
};

struct PlotAxis {
  std::string label;  ///< with its unit
  bool logarithmic = false;
  std::vector<PlotTick> ticks = {};  ///< empty: chosen from the data
};

/// A line with a marker at each point.
struct PlotSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;
  uint32_t colour = 0;  ///< of the palette; also chooses the marker
  bool dashed = false;  ///< for a reference: dashes, and no markers
};

struct PlotPanel {
  std::string title;
  std::string note;  ///< a line below the title; may be empty
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series = {};  ///< points of a logarithmic axis are positive

  /// The series of that name, made with the next colour when it is new.
  PlotSeries& line(const std::string& name);
};

/// The panels side by side, at most two a row, below a title and a line of smaller print.
std::string svg_plot(const std::string& title,
                     const std::string& subtitle,
                     const std::vector<PlotPanel>& panels);

}  // namespace mezzo::bench
