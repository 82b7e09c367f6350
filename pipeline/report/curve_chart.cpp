#include "pipeline/report/curve_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <vector>

#include "manifests/curve/steps.h"
#include "manifests/curve/target.h"
#include "manifests/fields.h"
#include "pipeline/report/html_text.h"

namespace mezzo::report {
namespace {

constexpr double kWidth = 390, kLeft = 44, kSide = 328;  // of the page, and of the square of tones
constexpr double kTop = 84, kResidualTop = kTop + kSide + 86, kResidualHeight = 110;
constexpr double kHeight = kResidualTop + kResidualHeight + 44;
constexpr std::string_view kStyle =
    "text{font:12px sans-serif;fill:#333}.h{font-size:16px;font-weight:bold;fill:#111}"
    ".g{stroke:#e3e3e3}.a{stroke:#888}.d{stroke:#bbb;stroke-dasharray:2 4}"
    ".c{stroke:#0b57c4;stroke-width:2.5;fill:none}.t{stroke:#1a7f37;stroke-width:1.5;"
    "stroke-dasharray:6 4;fill:none}.f{stroke:#c2510c;stroke-width:1;fill:none}.m{fill:#c2510c;"
    "fill-opacity:.65}.w{fill:#b00020;font-weight:bold}.r{text-anchor:end}.n{text-anchor:middle}";

class Chart {
 public:
  explicit Chart(const curve::CurveFile& file) : file_(file) {
    curve::Ramp ramp;
    for (const curve::Measure& measure : file.measures) {
      ramp.readings.push_back({{}, measure.nominal, measure.measured});
    }
    std::ranges::stable_sort(ramp.readings, {}, &curve::Reading::nominal);
    steps_ = steps_of(ramp);
    if (steps_.size() > 2) fit_.emplace(tones_of(steps_));
  }

  std::string svg();

 private:
  void head();
  void square();
  void tones();
  void legend();
  void residuals();
  void text(double x, double y, std::string_view kind, std::string_view what);
  void line(double x1, double y1, double x2, double y2, std::string_view kind);
  void path(std::string_view kind, const std::function<double(double)>& tone_of);
  void dot(double x, double y);

  static double x_of(double percent) { return kLeft + kSide * percent / 100; }
  static double y_of(double percent) { return kTop + kSide * (1 - percent / 100); }

  const curve::CurveFile& file_;
  std::vector<curve::Step> steps_;
  std::optional<curve::MonotoneCubic> fit_;
  std::string out_;
};

void Chart::text(double x, double y, std::string_view kind, std::string_view what) {
  out_ += fmt::format(
      "<text x=\"{:g}\" y=\"{:g}\" class=\"{}\">{}</text>\n", x, y, kind, escape_foreign(what));
}

void Chart::line(double x1, double y1, double x2, double y2, std::string_view kind) {
  out_ +=
      fmt::format("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" class=\"{}\"/>\n",
                  x1,
                  y1,
                  x2,
                  y2,
                  kind);
}

void Chart::path(std::string_view kind, const std::function<double(double)>& tone_of) {
  constexpr int kPieces = 200;
  out_ += fmt::format("<path class=\"{}\" d=\"", kind);
  for (int i = 0; i <= kPieces; ++i) {
    const double in = 100.0 * i / kPieces;
    out_ += fmt::format("{}{:.2f} {:.2f}", i == 0 ? "M" : "L", x_of(in), y_of(tone_of(in)));
  }
  out_ += "\"/>\n";
}

void Chart::dot(double x, double y) {
  out_ += fmt::format("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"2.2\" class=\"m\"/>\n", x, y);
}

void Chart::head() {
  constexpr size_t kMostLetters = 52;
  const auto fitting = [](std::string what) {
    if (what.size() <= kMostLetters) return what;
    size_t end = kMostLetters - 2;
    while (end > 0 && (static_cast<unsigned char>(what[end]) & 0xC0U) == 0x80U) --end;
    return what.substr(0, end) + " ...";
  };
  const auto joined = [](std::initializer_list<std::string> parts) {
    std::string all;
    for (const std::string& part : parts) {
      if (!part.empty()) all += (all.empty() ? "" : ", ") + part;
    }
    return all;
  };
  text(12, 24, "h", fitting(file_.ink));
  text(12,
       43,
       "",
       fitting(joined({std::string(curve::name_of(file_.curve.kind)) + " curve", file_.press})));
  text(12,
       59,
       "",
       fitting(joined({manifests::plain_number(file_.dpi) + " dpi",
                       file_.paper,
                       file_.made.empty() ? "" : "made " + file_.made})));
  if (!file_.reason.empty()) text(12, 75, "w", fitting("against a refusal: " + file_.reason));
}

void Chart::square() {
  for (int percent = 0; percent <= 100; percent += 10) {
    const std::string_view kind = percent == 0 ? "a" : "g";
    line(x_of(percent), y_of(0), x_of(percent), y_of(100), kind);
    line(x_of(0), y_of(percent), x_of(100), y_of(percent), kind);
    if (percent % 20 != 0) continue;
    text(x_of(percent), y_of(0) + 16, "n", fmt::format("{}", percent));
    text(kLeft - 6, y_of(percent) + 4, "r", fmt::format("{}", percent));
  }
  line(x_of(0), y_of(0), x_of(100), y_of(100), "d");
}

void Chart::tones() {
  const auto target = curve::parse_target(file_.target);
  if (target.value) path("t", target.value->tone);
  if (fit_) path("f", [&](double tone) { return fit_->at(tone); });
  for (const curve::Measure& measure : file_.measures) {
    dot(x_of(measure.nominal), y_of(std::clamp(measure.measured, -3.0, 103.0)));
  }
  path("c", [&](double tone) { return curve::value_at(file_.curve.points, tone); });
}

void Chart::legend() {
  const double top = kTop + kSide + 36;
  const auto entry = [&](double x, double y, std::string_view kind, std::string_view what) {
    line(x, y - 4, x + 22, y - 4, kind);
    text(x + 28, y, "", what);
  };
  entry(kLeft, top, "c", "curve: tone to print");
  if (!file_.target.empty()) entry(kLeft + 168, top, "t", "target: " + file_.target);
  if (!file_.measures.empty()) {
    entry(kLeft, top + 18, "f", "measured, and its fit");
    dot(kLeft + 11, top + 14);
  }
}

/// Each measure less the fit; without measures the change that the curve makes.
void Chart::residuals() {
  std::vector<std::pair<double, double>> dots;
  for (const curve::Measure& measure : file_.measures) {
    if (fit_) dots.emplace_back(measure.nominal, measure.measured - fit_->at(measure.nominal));
  }
  double most = 1;
  for (const auto& one : dots) most = std::max(most, std::abs(one.second));
  if (!fit_) {
    for (const CurvePoint& point : file_.curve.points) {
      most = std::max(most, std::abs(point.out_percent - point.in_percent));
    }
  }
  most = std::ceil(most);
  const double middle = kResidualTop + kResidualHeight / 2;
  const auto y = [&](double value) { return middle - value / most * kResidualHeight / 2; };
  text(kLeft,
       kResidualTop - 8,
       "",
       fit_ ? "measured less fit, in % of dot" : "change of tones, in % of dot");
  for (const double value : {-most, 0.0, most}) {
    line(x_of(0), y(value), x_of(100), y(value), value == 0 ? "a" : "g");
    text(kLeft - 6, y(value) + 4, "r", value == 0 ? "0" : fmt::format("{:+g}", value));
  }
  for (const auto& [nominal, value] : dots) dot(x_of(nominal), y(value));
  for (int percent = 0; percent <= 100; percent += 20) {
    text(x_of(percent), kResidualTop + kResidualHeight + 16, "n", fmt::format("{}", percent));
  }
  text(kLeft, kHeight - 10, "", "tone of the job, in %");
  if (fit_) return;
  const auto change = [&](double tone) { return curve::value_at(file_.curve.points, tone) - tone; };
  for (double tone = 0; tone < 100; ++tone) {
    line(x_of(tone), y(change(tone)), x_of(tone + 1), y(change(tone + 1)), "c");
  }
}

std::string Chart::svg() {
  out_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:g} {:g}\" width=\"{:g}\" "
      "style=\"max-width:100%;height:auto\" role=\"img\"><title>{}</title><style>{}</style>\n"
      "<rect width=\"{:g}\" height=\"{:g}\" fill=\"#fff\"/>\n",
      kWidth,
      kHeight,
      kWidth,
      escape_foreign("Curve of " + file_.ink),
      kStyle,
      kWidth,
      kHeight);
  head();
  square();
  tones();
  legend();
  residuals();
  return out_ + "</svg>\n";
}

}  // namespace

std::string curve_chart(const curve::CurveFile& file) {
  return Chart(file).svg();
}

}  // namespace mezzo::report
