// The picture of a curve: what is in it, and that foreign text cannot get out of its place.
#include "pipeline/report/curve_chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mezzo::report::curve_chart_test {
namespace {

using testing::HasSubstr;
using testing::Not;

size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

curve::CurveFile example() {
  curve::CurveFile file;
  file.press = "XL 106, <board>";
  file.ink = "PANTONE \"185\" & C";
  file.screen = "am";
  file.dpi = 2400;
  file.target = "tvi: 16%";
  file.curve.points = {{0, 0}, {50, 40}, {100, 100}};
  file.measures = {{0, 0}, {25, 38}, {50, 66.5}, {50, 67.5}, {75, 88}, {100, 100}};
  return file;
}

TEST(CurveChart, HasTheCurveItsMeasuresAndTheTarget) {
  const std::string svg = curve_chart(example());
  EXPECT_EQ(count_of(svg, "<circle"), 2 * 6U + 1);  // tones, residuals, legend
  EXPECT_EQ(count_of(svg, "<path"), 3U);
  EXPECT_THAT(svg, HasSubstr("<path class=\"c\" d=\"M44.00 412.00L"));
  EXPECT_THAT(svg, HasSubstr("target: tvi: 16%"));
  EXPECT_THAT(svg, HasSubstr("PANTONE &quot;185&quot; &amp; C"));
  EXPECT_THAT(svg, Not(HasSubstr("<board>")));
  EXPECT_THAT(svg, Not(HasSubstr("against a refusal")));
}

TEST(CurveChart, WithoutMeasuresHasTheChange) {
  curve::CurveFile file = example();
  file.measures.clear();
  file.target = "like: set.txt";  // no tones to draw
  file.reason = std::string(300, 'x');
  const std::string svg = curve_chart(file);
  EXPECT_EQ(count_of(svg, "<circle"), 0U);
  EXPECT_EQ(count_of(svg, "<path"), 1U);
  EXPECT_THAT(svg, HasSubstr("change of tones"));
  EXPECT_THAT(svg, HasSubstr("against a refusal: xxx"));
  EXPECT_LT(svg.size(), 30'000U);
}

}  // namespace
}  // namespace mezzo::report::curve_chart_test
