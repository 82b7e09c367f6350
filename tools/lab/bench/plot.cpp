#include "tools/lab/bench/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "pipeline/report/html_text.h"

namespace mezzo::bench {
namespace {

// Lengths are in px of a picture at 96 dpi.
constexpr double kPanelWidth = 748, kPanelHeight = 470;
constexpr double kLeft = 72, kTop = 58, kBottom = 56;  // around the axes of a panel
constexpr double kLegend = 204;                        // to the right of the axes
constexpr double kHeader = 66;
constexpr double kMargin = 12;

// Distinct to colour-blind eyes as well (Okabe and Ito, "Color universal design", 2008).
constexpr std::array kColours = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#7f7f7f"};

// Drawn around a point. Where the colours begin anew, each has another marker than before.
constexpr std::array kMarkers = {"m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z",
                                 "m-3.3 -3.3h6.6v6.6h-6.6z",
                                 "m0 -4.8l4.4 7.6h-8.8z",
                                 "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z"};

using Ticks = std::vector<double>;

std::string label_of(double tick) {
  return fmt::format("{:.6g}", tick);
}

/// Ticks at 1, 2 and 5 times powers of ten, or at the powers alone where there are many.
Ticks logarithmic_ticks(double low, double high) {
  const double decades = std::log10(high / low);
  Ticks ticks;
  for (double power = std::pow(10.0, std::floor(std::log10(low))); power <= high; power *= 10) {
    for (const double step : {1.0, 2.0, 5.0}) {
      const double value = power * step;
      if (value < low * 0.999 || value > high * 1.001 || (decades > 4.2 && step != 1)) continue;
      ticks.push_back(value);
    }
  }
  return ticks;
}

/// Four to ten ticks at multiples of 1, 2 or 5 times a power of ten.
Ticks linear_ticks(double low, double high) {
  const double rough = (high - low) / 6;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double ratio = rough / power;
  const double step = power * (ratio < 1.5 ? 1 : ratio < 3 ? 2 : ratio < 7 ? 5 : 10);
  Ticks ticks;
  const auto first = static_cast<int64_t>(std::ceil(low / step - 1e-9));
  const auto last = static_cast<int64_t>(std::floor(high / step + 1e-9));
  for (int64_t i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
  return ticks;
}

/// Each value once, powers of two first: where labels have no room, those of the first ones stay.
Ticks ticks_at(Ticks values) {
  int exponent = 0;
  std::ranges::sort(values, {}, [&](double value) {
    return std::pair(std::frexp(value, &exponent) != 0.5, value);
  });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

/// An axis with its range, that of `values`: from a value to a place between `begin` and `end`.
class Scale {
 public:
  Scale(const PlotAxis& axis, const Ticks& values, double begin, double end)
      : logarithmic_(axis.logarithmic), begin_(begin), end_(end) {
    const auto [low, high] = std::ranges::minmax(values);
    if (logarithmic_) {
      low_ = low / 1.12;
      high_ = high * 1.12;
    } else {
      // Times and shares mean most against zero.
      low_ = std::min(0.0, low);
      high_ = high > low_ ? high + (high - low_) * 0.06 : low_ + 1;
    }
    ticks_ = axis.ticks_at_points ? ticks_at(values)
             : logarithmic_       ? logarithmic_ticks(low_, high_)
                                  : linear_ticks(low_, high_);
  }

  double at(double value) const {
    const double share = logarithmic_ ? std::log(value / low_) / std::log(high_ / low_)
                                      : (value - low_) / (high_ - low_);
    return begin_ + share * (end_ - begin_);
  }
  const Ticks& ticks() const { return ticks_; }

 private:
  bool logarithmic_;
  double low_, high_, begin_, end_;
  Ticks ticks_;
};

/// Adds a point to the series of the name of `one`, which becomes it when there is none.
void add_point(PlotSeries one, double x, double y, std::vector<PlotSeries>& all) {
  auto found = std::ranges::find(all, one.name, &PlotSeries::name);
  if (found == all.end()) found = all.insert(found, std::move(one));
  found->points.emplace_back(x, y);
}

/// Writes one panel.
class PanelDrawing {
 public:
  PanelDrawing(const PlotPanel& panel, double x, double y, std::string& out)
      : panel_(panel),
        left_(x + kLeft),
        right_(x + kPanelWidth - kLegend),
        top_(y + kTop),
        bottom_(y + kPanelHeight - kBottom),
        x_(panel.x, values<0>(panel), left_, right_),
        y_(panel.y, values<1>(panel), bottom_, top_),
        out_(out) {}

  void draw() {
    text(left_, top_ - 30, panel_.title, "class=\"title\"");
    text(left_, top_ - 12, panel_.note, "class=\"note\"");
    draw_x_ticks();
    draw_y_ticks();
    put(R"(<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" class="frame"/>)",
        left_,
        top_,
        right_ - left_,
        bottom_ - top_);
    const double middle = (top_ + bottom_) / 2;
    text((left_ + right_) / 2, bottom_ + 40, panel_.x.label, "text-anchor=\"middle\"");
    text(left_ - 52,
         middle,
         panel_.y.label,
         fmt::format(
             "text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} {:.1f})\"", left_ - 52, middle));
    for (const PlotSeries& series : panel_.series) draw_line(series);
    draw_legend();
  }

 private:
  /// One coordinate of all points.
  template <size_t kCoordinate>
  static Ticks values(const PlotPanel& panel) {
    Ticks values;
    for (const PlotSeries& series : panel.series) {
      for (const auto& point : series.points) values.push_back(std::get<kCoordinate>(point));
    }
    return values;
  }

  template <typename... Arguments>
  void put(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_ += '\n';
  }

  void text(double x, double y, const std::string& words, const std::string& attributes) {
    if (words.empty()) return;
    put(R"(<text x="{:.1f}" y="{:.1f}" {}>{}</text>)",
        x,
        y,
        attributes,
        report::escape_html(words));
  }

  void line(double x1, double y1, double x2, double y2, const std::string& attributes) {
    put(R"(<line x1="{:.1f}" y1="{:.1f}" x2="{:.1f}" y2="{:.1f}" {}/>)",
        x1,
        y1,
        x2,
        y2,
        attributes);
  }

  /// A grid line each; labels where there is room, earlier ticks first.
  void draw_x_ticks() {
    std::vector<std::pair<double, double>> taken;
    for (const double tick : x_.ticks()) {
      const double x = x_.at(tick);
      if (x < left_ - 0.5 || x > right_ + 0.5) continue;
      line(x, top_, x, bottom_, kGrid);
      const std::string label = label_of(tick);
      const double half = 3.6 * static_cast<double>(label.size()) + 4;
      const bool clash = std::ranges::any_of(
          taken, [&](const auto& span) { return x - half < span.second && x + half > span.first; });
      if (clash) continue;
      taken.emplace_back(x - half, x + half);
      text(x, bottom_ + 18, label, "text-anchor=\"middle\"");
    }
  }

  void draw_y_ticks() {
    for (const double tick : y_.ticks()) {
      const double y = y_.at(tick);
      if (y > bottom_ + 0.5 || y < top_ - 0.5) continue;
      line(left_, y, right_, y, kGrid);
      text(left_ - 8, y + 4, label_of(tick), "text-anchor=\"end\"");
    }
  }

  static std::string stroke(const PlotSeries& series) {
    return fmt::format(R"(stroke="{}" stroke-width="1.8"{})",
                       kColours[series.colour % kColours.size()],
                       series.dashed ? R"( stroke-dasharray="6 4" stroke-opacity="0.75")" : "");
  }

  void marker(const PlotSeries& series, double x, double y) {
    if (series.dashed) return;
    const size_t number = series.colour, turn = number / kColours.size();
    put(R"(<path d="M{:.1f} {:.1f}{}" fill="{}"/>)",
        x,
        y,
        kMarkers[(number + turn) % kMarkers.size()],
        kColours[number % kColours.size()]);
  }

  void draw_line(const PlotSeries& series) {
    std::string path;
    for (const auto& [x, y] : series.points) {
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x_.at(x), y_.at(y));
    }
    put(R"(<path d="{}" fill="none" {}/>)", path, stroke(series));
    for (const auto& [x, y] : series.points) marker(series, x_.at(x), y_.at(y));
  }

  void draw_legend() {
    const double x = right_ + 16;
    double y = top_ + 8;
    for (const PlotSeries& series : panel_.series) {
      line(x, y, x + 28, y, stroke(series));
      marker(series, x + 14, y);
      text(x + 35, y + 4, series.name, "class=\"legend\"");
      y += 20;
    }
  }

  static constexpr const char* kGrid = "class=\"grid\"";

  const PlotPanel& panel_;
  double left_, right_, top_, bottom_;
  Scale x_, y_;
  std::string& out_;
};

}  // namespace

void PlotPanel::add(const std::string& name, double x_value, double y_value) {
  const auto colour = std::ranges::count(series, false, &PlotSeries::dashed);
  add_point({name, static_cast<uint32_t>(colour)}, x_value, y_value, series);
}

void PlotPanel::add_dashed(const std::string& beside,
                           const std::string& name,
                           double x_value,
                           double y_value) {
  const auto line = std::ranges::find(series, beside, &PlotSeries::name);
  const uint32_t colour = line == series.end() ? 0 : line->colour;
  add_point({name, colour, true}, x_value, y_value, series);
}

PlotPanel& panel_of(std::vector<PlotPanel>& panels, const std::string& title) {
  const auto found = std::ranges::find(panels, title, &PlotPanel::title);
  return found == panels.end() ? panels.emplace_back(PlotPanel{title, "", {}, {}}) : *found;
}

std::string svg_plot(const std::string& title,
                     const std::string& subtitle,
                     std::vector<PlotPanel> panels) {
  std::erase_if(panels, [](const PlotPanel& panel) { return panel.series.empty(); });
  for (PlotPanel& panel : panels) {
    for (PlotSeries& series : panel.series) {
      std::ranges::sort(series.points);
      const auto again = std::ranges::unique(series.points);
      series.points.erase(again.begin(), again.end());
    }
  }
  const size_t columns = std::min<size_t>(2, std::max<size_t>(1, panels.size()));
  const size_t rows = (panels.size() + columns - 1) / columns;
  const double width = 2 * kMargin + kPanelWidth * static_cast<double>(columns);
  const double height = kHeader + kPanelHeight * static_cast<double>(rows);
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0:.0f}" height="{1:.0f}" viewBox="0 0 {0:.0f} {1:.0f}">
<style>
text {{ font: 12.5px "DejaVu Sans", Verdana, sans-serif; fill: #222 }}
.head {{ font-size: 19px; font-weight: bold }}
.title {{ font-size: 15px; font-weight: bold }}
.note, .sub {{ fill: #555 }}
.grid {{ stroke: #ddd; stroke-width: 1 }}
.frame {{ fill: none; stroke: #444; stroke-width: 1 }}
</style>
<rect width="100%" height="100%" fill="white"/>
<text x="{2:.0f}" y="32" class="head">{3}</text>
<text x="{2:.0f}" y="54" class="sub">{4}</text>
)",
      width,
      height,
      kMargin + kLeft,
      report::escape_html(title),
      report::escape_html(subtitle));
  for (size_t i = 0; i < panels.size(); ++i) {
    const size_t row = i / columns, column = i % columns;
    const double x = kMargin + kPanelWidth * static_cast<double>(column);
    const double y = kHeader + kPanelHeight * static_cast<double>(row);
    PanelDrawing(panels[i], x, y, out).draw();
  }
  out += "</svg>\n";
  return out;
}

}  // namespace mezzo::bench
