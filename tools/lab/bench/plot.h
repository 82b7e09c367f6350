// Line plots as SVG files that stand alone: axes with ticks and units, a legend, a note, one panel
// or several. For the results of `mezzotint-lab bench`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace mezzo::bench {

struct PlotAxis {
  std::string label;  ///< with its unit
  bool logarithmic = false;
  bool ticks_at_points = false;  ///< else at round values
};

/// A line with a marker at each point.
struct PlotSeries {
  std::string name;
  uint32_t colour = 0;  ///< of the palette; also chooses the marker
  bool dashed = false;  ///< for a reference: dashes, and no markers
  std::vector<std::pair<double, double>> points = {};
};

struct PlotPanel {
  std::string title;
  std::string note;  ///< a line below the title; may be empty
  PlotAxis x;
  PlotAxis y;
  std::vector<PlotSeries> series = {};

  /// Adds a point to the line of that name, and the line when there is none. Points may come in any
  /// order; on a logarithmic axis they are positive.
  void add(const std::string& name, double x_value, double y_value);

  /// The same for a dashed line, which has the colour of the line `beside`.
  void add_dashed(const std::string& beside,
                  const std::string& name,
                  double x_value,
                  double y_value);
};

/// The panel of that title; when there is none it is added.
PlotPanel& panel_of(std::vector<PlotPanel>& panels, const std::string& title);

/// The panels that have a line, side by side, at most two a row, below a title and a line of
/// smaller print.
std::string svg_plot(const std::string& title,
                     const std::string& subtitle,
                     std::vector<PlotPanel> panels);

}  // namespace mezzo::bench
