// Curve files: written and read again, and the mistakes that are refused at their place.
#include "manifests/curve/curve_file.h"

#include <gtest/gtest.h>

#include <variant>

#include "manifests/fields.h"

namespace mezzo::curve::curve_file_test {
namespace {

CurveFile example() {
  CurveFile file;
  file.press = "XL 106, board";
  file.ink = "PANTONE 185 C";
  file.screen = "am ruling=175 angle=15; dpi=2400";
  file.dpi = 2400;
  file.paper = "GC1";
  file.made = "2026-11-20";
  file.expires = "2027-11-20";
  file.target = "tvi: 16%";
  file.source = CurveSource{"wedge.txt", std::string(64, '0')};
  file.measures = {{0, -0.25}, {0.5, 1}, {100, 100.125}};
  file.curve.points = {{0, 0}, {1.0 / 3, 0.1}, {50, 36.5}, {100, 100}};
  file.curve.cut_off_percent = 2;
  file.curve.digest = digest_of(file.curve);
  return file;
}

TEST(CurveFile, IsReadAsItIsWritten) {
  const auto check = [](const CurveFile& file) {
    const auto read = parse_curve_file(curve_file_text(file), "c.yaml");
    const auto* good = std::get_if<CurveFile>(&read);
    ASSERT_NE(good, nullptr) << to_string(std::get<std::vector<Diagnostic>>(read).front())
                             << curve_file_text(file);
    EXPECT_EQ(*good, file);
  };
  CurveFile file = example();
  check(file);
  file.curve = PressCurve();
  file.curve.kind = PressCurve::Kind::kPlate;
  file.curve.points = {{0, 0}, {100, 98}};
  file.curve.bump_from_percent = 0.5;
  file.curve.bump_to_percent = 3;
  file.curve.digest = digest_of(file.curve);
  file.solid_percent = 98;
  file.source.reset();
  file.paper.clear();
  check(file);
  file.measures.assign(manifests::kMaxMeasures, {33.25, 40.123456});
  check(file);
}

TEST(CurveFile, DigestTellsWhatDecidesTonesApart) {
  const PressCurve curve = example().curve;
  PressCurve other = curve;
  EXPECT_EQ(digest_of(curve), digest_of(other));
  other.kind = PressCurve::Kind::kPlate;
  EXPECT_NE(digest_of(curve), digest_of(other));
  other = curve;
  other.cut_off_percent = 1;
  EXPECT_NE(digest_of(curve), digest_of(other));
  other = curve;
  other.points[1].out_percent += 1e-9;
  EXPECT_NE(digest_of(curve), digest_of(other));
}

}  // namespace
}  // namespace mezzo::curve::curve_file_test
