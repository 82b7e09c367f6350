// The thresholds that PostScript is given, and the rectangle of a tile with a shift. That Ghostscript
// makes the same dots of them: gs_oracle.py.

#include "stages/screen/postscript_halftone.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "kernels/base/error.h"

namespace mezzo::test::postscript_halftone_test {
namespace {

using screen::postscript_threshold;
using screen::ThresholdTile;

TEST(PostscriptHalftone, InksTheGreysOf8BitsThatOurRuleInks) {
  for (int threshold = 0; threshold < 4096; ++threshold) {
    const int limit = postscript_threshold(static_cast<uint16_t>(threshold));
    for (int grey = 0; grey <= 255; ++grey) {
      const bool ours = std::lround((255 - grey) * 4096.0 / 255) > threshold;
      ASSERT_EQ(257 * grey < limit, ours) << threshold << " " << grey;
      ASSERT_GE(std::abs(257 * grey - limit), 128) << threshold << " " << grey;
    }
  }
}

TEST(PostscriptHalftone, WritesTheRectangleInWhichATileRepeats) {
  const ThresholdTile tile{4, 1, 2, {0, 1000, 2000, 4095}};
  std::ostringstream out;
  screen::write_postscript(tile, out);
  const std::string text = out.str();
  const auto row = [&](const std::vector<size_t>& columns) {
    std::string hex;
    for (const size_t i : columns) {
      char number[8];
      std::snprintf(number, sizeof number, "%04x", postscript_threshold(tile.thresholds[i]));
      hex += number;
    }
    return hex + "\n";
  };
  EXPECT_NE(text.find("filter\n" + row({0, 1, 2, 3}) + row({2, 3, 0, 1}) + ">\ndef\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("/HalftoneType 16 /Width 4 /Height 2 "), std::string::npos) << text;
}

TEST(PostscriptHalftone, RefusesWhatGhostscriptDoes) {
  std::ostringstream out;
  const auto refusal = [&](uint32_t width, uint32_t height, uint32_t shift) -> std::string {
    try {
      screen::write_postscript(
          {width, height, shift, std::vector<uint16_t>(size_t{width} * height)}, out);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(refusal(40000, 1, 0),
            "the screen repeats after 40000 x 1 px, and PostScript's may have sides of up to 32767 "
            "px and 16777216 thresholds; export it as TIFF");
  EXPECT_NE(refusal(5000, 1, 1), "");
  EXPECT_EQ(refusal(1000, 1, 1), "");
}

}  // namespace
}  // namespace mezzo::test::postscript_halftone_test
