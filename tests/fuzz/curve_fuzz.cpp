// Curves and measurements of strangers: our own curve files, those of other programs, and tables of
// instruments, from which a curve is fitted. What was read is written, and read again as the same.

#include <algorithm>
#include <cmath>

#include "manifests/curve/curve_file.h"
#include "manifests/curve/fit.h"
#include "manifests/curve/foreign_curve.h"
#include "manifests/curve/read_measurement.h"
#include "manifests/curve/wedge_facts.h"
#include "tests/fuzz/manifest_tokens.h"
#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

using curve::CurveFile;
using curve::InkCurve;
using curve::Measurement;
using Mistakes = std::vector<Diagnostic>;

constexpr std::string_view kTableTokens[] = {"CGATS.17\n",
                                             "CTI3\n",
                                             "CAL\n",
                                             "BEGIN_DATA_FORMAT\n",
                                             "END_DATA_FORMAT\n",
                                             "BEGIN_DATA\n",
                                             "END_DATA\n",
                                             "NUMBER_OF_SETS 2\n",
                                             "NUMBER_OF_FIELDS 3\n",
                                             "KEYWORD \"INK\"\n",
                                             "SAMPLE_ID",
                                             "SAMPLE_NAME",
                                             "CMYK_C",
                                             "CMYK_K",
                                             "CMYK_I",
                                             "5CLR_1",
                                             "6CLR_6",
                                             "INK",
                                             "NOMINAL",
                                             "OUTPUT",
                                             "D_RED",
                                             "D_VIS",
                                             "LAB_L",
                                             "LAB_A",
                                             "LAB_B",
                                             "XYZ_X",
                                             "XYZ_Y",
                                             "XYZ_Z",
                                             "SPECTRAL_NM380",
                                             "SPECTRAL_NM390",
                                             "nm400",
                                             "AREA",
                                             "ink,nominal,area\n",
                                             "ink;nominal;density\n",
                                             "value",
                                             "reflectance",
                                             "Y",
                                             "L",
                                             "DEVICE_CLASS \"OUTPUT\"\n",
                                             "PRESS \"x\"\n",
                                             "CURVES none\n",
                                             "DPI 2400\n",
                                             "\t",
                                             " ",
                                             "\r",
                                             "\"",
                                             "#",
                                             "0.5",
                                             "100",
                                             "-.3e-2",
                                             "1,5",
                                             "\n"};

/// A curve as machines take it.
void check_points(const std::vector<CurvePoint>& points, const std::string& what) {
  demand(points.size() >= 2 && points.size() <= 256, what + " has too few or too many points");
  demand(points.front().in_percent == 0 && points.back().in_percent == 100,
         what + " misses an end");
  for (size_t i = 0; i < points.size(); ++i) {
    const auto [in, out] = points[i];
    demand(out >= 0 && out <= 100, what + " leaves 0 .. 100 %");
    if (i > 0)
      demand(in > points[i - 1].in_percent && out >= points[i - 1].out_percent, what + " falls");
  }
}

bool check_curve_file(const std::string& text) {
  const auto read = curve::parse_curve_file(text, "curve.yaml");
  if (const auto* mistakes = std::get_if<Mistakes>(&read))
    return check_mistakes(*mistakes, text), false;
  const auto& file = std::get<CurveFile>(read);
  check_points(file.curve.points, "a curve file");
  const std::string written = curve::curve_file_text(file);
  const auto again = curve::parse_curve_file(written, "curve.yaml");
  const auto* same = std::get_if<CurveFile>(&again);
  demand(same != nullptr && *same == file, "a curve file is written as another:\n" + written);
  return true;
}

bool is_near(const std::vector<InkCurve>& a, const std::vector<InkCurve>& b) {
  constexpr double kWritten = 1e-5;  // of a percent: its digits
  return std::ranges::equal(a, b, [](const InkCurve& one, const InkCurve& other) {
    return one.ink == other.ink &&
           std::ranges::equal(one.points, other.points, [](CurvePoint p, CurvePoint q) {
             return std::abs(p.in_percent - q.in_percent) <= kWritten &&
                    std::abs(p.out_percent - q.out_percent) <= kWritten;
           });
  });
}

/// Steps finer than the digits that are written become one, and that is refused.
bool has_fine_steps(const std::vector<InkCurve>& curves) {
  return std::ranges::any_of(curves, [](const InkCurve& one) {
    return std::ranges::adjacent_find(one.points, [](CurvePoint p, CurvePoint q) {
             return q.in_percent - p.in_percent < 1e-4;
           }) != one.points.end();
  });
}

bool check_foreign(const std::string& text, const curve::CurveOptions& options) {
  const auto read = curve::parse_curves(text, "in.txt", options);
  if (const auto* mistakes = std::get_if<Mistakes>(&read))
    return check_mistakes(*mistakes, text), false;
  const auto& curves = std::get<std::vector<InkCurve>>(read);
  demand(!curves.empty(), "a file without curves");
  for (const InkCurve& one : curves) check_points(one.points, "the curve of " + one.ink);
  passes([&] { curve::cal_text(curves); });
  if (has_fine_steps(curves)) return true;
  const std::string written = curve::cgats_text(curves);
  const auto again = curve::parse_curves(written, "again.txt", {});
  const auto* same = std::get_if<std::vector<InkCurve>>(&again);
  demand(same != nullptr && is_near(*same, curves), "curves are written as others:\n" + written);
  return true;
}

void check_fit(const curve::Ramp& ramp, const Measurement& measurement) {
  const curve::Target targets[] = {
      curve::linear_target(), curve::tvi_target(16), curve::like_target(ramp, "m")};
  for (const curve::Target& target : targets) {
    const curve::CurveFit fit = curve::fit_curve(ramp, target, nullptr, *measurement.source);
    check_points(fit.points, "a fitted curve");
    for (const double number :
         {fit.gain_25, fit.gain_50, fit.gain_75, fit.largest_change, fit.spread}) {
      demand(std::isfinite(number), "a fit says that something is not a number");
    }
    if (!fit.refusals.empty()) check_mistakes(fit.refusals, measurement.source->text());
  }
  for (const curve::Measure& one : curve::measures_of(ramp)) {
    demand(std::isfinite(one.measured) && std::isfinite(one.nominal), "a measure is not a number");
  }
}

bool check_measurement(const std::string& text, const curve::ReadOptions& options) {
  const auto read = curve::parse_measurement(text, "in.txt", options);
  if (const auto* mistakes = std::get_if<Mistakes>(&read))
    return check_mistakes(*mistakes, text), false;
  const auto& measurement = std::get<Measurement>(read);
  demand(!measurement.patches.empty(), "a measurement of nothing");
  for (size_t ink = 0; ink < measurement.inks.size(); ++ink) {
    for (size_t i = 0; i <= std::size(curve::kFormulas); ++i) {
      curve::RampOptions way;
      if (i > 0) way = {.formula = static_cast<curve::Formula>(i - 1), .n = i % 2 == 0 ? 1.7 : 1.0};
      const auto ramp = curve::ramp_of(measurement, ink, way);
      if (const auto* wrong = std::get_if<Mistakes>(&ramp)) {
        check_mistakes(*wrong, measurement.source->text());
      } else {
        check_fit(std::get<curve::Ramp>(ramp), measurement);
      }
    }
  }
  return true;
}

std::string ramp_text() {
  std::string rows;
  for (int i = 0; i <= 20; ++i) {
    const double tone = i * 5, density = 0.06 + 1.4 * (1 - std::pow(1 - tone / 100, 1.3));
    rows += std::to_string(i) + " " + std::to_string(tone) + " 0 " + std::to_string(density) +
            " 0.1 0.1 0.2\n";
  }
  return "CGATS.17\nPRESS \"XL\"\nDPI 2400\nBEGIN_DATA_FORMAT\nSAMPLE_ID CMYK_C CMYK_K D_RED "
         "D_GREEN D_BLUE D_VIS\n"
         "END_DATA_FORMAT\nNUMBER_OF_SETS 21\nBEGIN_DATA\n" +
         rows + "END_DATA\n";
}

}  // namespace

std::vector<Bytes> seeds() {
  std::vector<Bytes> all = source_files("tests/manifests/curve/valid", ".yaml");
  const std::string acv("\0\4\0\1\0\3\0\0\0\0\0\x60\0\x80\0\xff\0\xff", 18);
  std::string amp;
  for (int i = 0; i < 256; ++i) amp += static_cast<char>(i);
  all.push_back(bytes_of(acv));
  all.push_back(bytes_of(amp));
  const std::vector<InkCurve> curves = {{"cyan", {{0, 0}, {33.3, 20.125}, {100, 100}}}};
  all.push_back(bytes_of(curve::cgats_text(curves)));
  all.push_back(bytes_of(
      "CAL\n\nDEVICE_CLASS \"OUTPUT\"\nBEGIN_DATA_FORMAT\nCMYK_I CMYK_C CMYK_K\nEND_DATA_FORMAT\n"
      "BEGIN_DATA\n0 0 0\n.5 .4 .25\n1 1 1\nEND_DATA\n"));
  all.push_back(bytes_of(ramp_text()));
  all.push_back(bytes_of("ink,nominal,density\ncyan,0,0.07\ncyan,50,0.5\ncyan,100,1.4\n"));
  all.push_back(bytes_of("ink;nominal;L\nK;0;95.5\nK;10;90\nK;50;60.1\nK;100;18\n"));
  return all;
}

void change(Bytes& input, Random& random) {
  if (random.one_in(6)) return change_bytes(input, random);
  random.one_in(3) ? change_text(input, random, manifest_tokens())
                   : change_text(input, random, kTableTokens);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::string text = text_of(input);
  bool is_taken = check_curve_file(text);
  for (const curve::Levels levels :
       {curve::Levels::kUnknown, curve::Levels::kInk, curve::Levels::kLight}) {
    is_taken |= check_foreign(text, {.levels = levels, .inks = {"cyan"}});
  }
  is_taken |= check_measurement(text, {});
  is_taken |=
      check_measurement(text, {.inks = {"cyan", "gold"}, .values = curve::CsvValues::kReflectance});
  is_taken |= check_measurement(text, {.inks = {}, .is_wedge = true});
  return is_taken;
}

}  // namespace mezzo::fuzz
