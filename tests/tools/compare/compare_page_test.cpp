// The page of made-up reports: what it says, what it must not say, and that it stands alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "pipeline/report/html_text.h"
#include "tools/compare/html_page.h"

namespace mezzo::test::compare_page_test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kRudeName = "<b>&\"'</script>\xff{{style}}";

compare::ComparePage some_page(size_t halftones) {
  compare::ComparePage page;
  page.title = "page.tif";
  page.contones = {{"page.tif", {{2, 2, {0, 80, 160, 255}}, {1, 1, {9}}, {1, 1, {9}}}}};
  page.width_px = 300;
  page.height_px = 200;
  page.dots = {20, 30, 1, 1};
  for (size_t i = 0; i < halftones; ++i) {
    auto& halftone = page.halftones.emplace_back();
    halftone.name = "plate" + std::to_string(i);
    halftone.pictures = {{2, 2, {0, 90, 150, 255}}, {1, 1, {0}}, {1, 1, {255}}};
    const auto number = static_cast<double>(i);
    halftone.report.width_px = 300;
    halftone.report.height_px = 200;
    halftone.report.hvs_rms = 3.25 + number;
    halftone.report.hpsnr_db = 30.5 + number;
    halftone.report.startup_tone_error = 0.5 - number;
    halftone.report.tones = {{7, 100, 0.0275, 0.0375}};
    halftone.report.spectrum = {{0.25, 10, 1.5}};
  }
  return page;
}

std::string text_of(const compare::ComparePage& page) {
  std::ostringstream out;
  compare::write_compare_page(out, page);
  return out.str();
}

/// The cells of the row of the metric table that starts with `metric`.
std::string row_of(const std::string& text, const std::string& metric) {
  const size_t begin = text.find("<th scope=\"row\">" + metric);
  return begin == std::string::npos ? "" : text.substr(begin, text.find("</tr>", begin) - begin);
}

nlohmann::json data_of(const std::string& text) {
  const std::string before = "<script type=\"application/json\" id=\"data\">";
  const size_t begin = text.find(before) + before.size();
  return nlohmann::json::parse(text.substr(begin, text.find("</script>", begin) - begin));
}

TEST(ComparePage, EscapesWhatHtmlWouldRead) {
  EXPECT_EQ(report::escape_html("<b>&\"'"), "&lt;b&gt;&amp;&quot;&#39;");
}

TEST(ComparePage, TemplatesAreFilledOnce) {
  EXPECT_EQ(report::fill_template("a{{x}}b{{y}}{{x}}", {{"x", "{{y}}"}, {"y", "2"}}),
            "a{{y}}b2{{y}}");
  EXPECT_EQ(report::fill_template("plain", {}), "plain");
}

TEST(ComparePage, NamesCannotBecomeMarkup) {
  compare::ComparePage page = some_page(2);
  page.title = kRudeName;
  page.contones[0].name = kRudeName;
  page.halftones[1].name = kRudeName;
  const std::string text = text_of(page);
  EXPECT_THAT(text, HasSubstr("<title>Halftones of &lt;b&gt;&amp;&quot;&#39;&lt;/script&gt;"));
  EXPECT_THAT(text, Not(HasSubstr("<b>")));
  EXPECT_THAT(text, Not(HasSubstr("&\"'")));
  EXPECT_THAT(text, HasSubstr("{{style}}")) << "a name is not a template";
  // Three scripts of ours, and no end of one that a name brought.
  const std::regex ends("</script>");
  EXPECT_EQ(std::distance(std::sregex_iterator(text.begin(), text.end(), ends), {}), 3);
  EXPECT_EQ(data_of(text)["names"][1], "<b>&\"'</script>\xef\xbf\xbd{{style}}");
}

TEST(ComparePage, StandsAlone) {
  std::string text = text_of(some_page(2));
  const std::string base64 = "[A-Za-z0-9+/]{43}=";
  EXPECT_TRUE(std::regex_search(
      text,
      std::regex(
          "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'sha256-" +
          base64 + "' 'sha256-" + base64 + "'\"")));
  // The chart library names its home in a comment; that is all.
  const std::string home = "/*! https://github.com/leeoniya/uPlot";
  ASSERT_THAT(text, HasSubstr(home));
  text.erase(text.find(home), home.size());
  for (const char* reference : {"http:",
                                "https:",
                                "//www",
                                "url(",
                                "@import",
                                "<link",
                                "<iframe",
                                "fetch(",
                                "XMLHttpRequest",
                                "WebSocket",
                                "sendBeacon"}) {
    EXPECT_THAT(text, Not(HasSubstr(reference)));
  }
  const std::regex source("(src|href)=\"(?!data:image/png;base64,)");
  EXPECT_FALSE(std::regex_search(text, source));
}

TEST(ComparePage, EmphasisesTheBestOfARow) {
  const std::string text = text_of(some_page(2));
  EXPECT_THAT(row_of(text, "seen error, eye (HVS)"),
              HasSubstr("<td class=\"best\"><strong>3.250</strong></td><td>4.250</td>"));
  EXPECT_THAT(row_of(text, "HPSNR"),
              HasSubstr("<td>30.50</td><td class=\"best\"><strong>31.50</strong></td>"));
  EXPECT_THAT(row_of(text, "tone error, first 16 rows"),
              HasSubstr("<strong>0.500</strong></td><td class=\"best\"><strong>&minus;0.500"))
      << "as near to 0 from either side";
  EXPECT_THAT(row_of(text, "WSNR"), Not(HasSubstr("best"))) << "all are alike";
  EXPECT_THAT(row_of(text, "dots"), Not(HasSubstr("best"))) << "no more is better";
  EXPECT_THAT(text_of(some_page(1)), Not(HasSubstr("class=\"best\"")));
}

TEST(ComparePage, ShowsADashForWhatHasNoValue) {
  compare::ComparePage page = some_page(3);
  page.halftones[0].report.hvs_rms = std::nan("");
  page.halftones[1].report.hpsnr_db = std::numeric_limits<double>::infinity();
  page.halftones[2].report.spectrum.clear();
  page.halftones[1].report.spectrum[0].power = 0;
  const std::string text = text_of(page);
  const std::string row = row_of(text, "seen error, eye (HVS)");
  EXPECT_THAT(row, HasSubstr("<td><abbr title=\"No value"));
  EXPECT_THAT(row, HasSubstr("<strong>4.250</strong>")) << "the best of those that have a value";
  EXPECT_THAT(row_of(text, "HPSNR"), HasSubstr("<strong>&infin;</strong>"));
  EXPECT_THAT(text, Not(HasSubstr("nan")));
  const nlohmann::json data = data_of(text);
  EXPECT_NEAR(data["spectra"][0][0][1].get<double>(), 10.0, 1e-12) << "dB";
  EXPECT_TRUE(data["spectra"][1][0][1].is_null());
  EXPECT_TRUE(data["spectra"][2].empty());
}

TEST(ComparePage, HasTheNumbersBehindTheCharts) {
  compare::ComparePage page = some_page(2);
  page.halftones[1].report.tones = {{8, 100, 0.5, 0.25}};
  const std::string text = text_of(page);
  EXPECT_THAT(row_of(text, "7<"), HasSubstr("<td>2.750</td><td>3.750</td><td>1.000</td><td><abbr"));
  EXPECT_THAT(row_of(text, "8<"), HasSubstr("<td>50.000</td><td>25.000</td><td>&minus;25.000"));
  EXPECT_THAT(row_of(text, "0.2500<"), HasSubstr("<td>10.000</td><td>1.500</td>"));
  EXPECT_NEAR(data_of(text)["tones"][0][0][1].get<double>(), 1.0, 1e-12);
}

TEST(ComparePage, ShowsEachPlaneOfTheContoneWithItsHalftones) {
  compare::ComparePage page = some_page(3);
  page.contones.push_back({"page.tif, cyan", page.contones[0].pictures});
  page.halftones[0].contone = 1;
  const std::regex captions("<figcaption>([^<]*(\\(contone\\)|plate.))</figcaption>");
  const std::string text = text_of(page);
  std::vector<std::string> names;
  for (std::sregex_iterator match(text.begin(), text.end(), captions), end; match != end; ++match) {
    names.push_back((*match)[1]);
  }
  EXPECT_THAT(text, Not(HasSubstr("class=\"best\""))) << "plates of different inks do not compete";
  ASSERT_EQ(names.size(), 5U * 4);
  names.resize(5);
  EXPECT_THAT(names,
              testing::ElementsAre(
                  "page.tif (contone)", "plate1", "plate2", "page.tif, cyan (contone)", "plate0"));
}

TEST(ComparePage, SaysHowTheHalftonesWereLookedAt) {
  compare::ComparePage page = some_page(2);
  EXPECT_THAT(text_of(page), HasSubstr("as seen from 11.7&nbsp;inches at 300&nbsp;dpi."));
  page.halftones[1].viewing = {600, 10};
  EXPECT_THAT(text_of(page),
              HasSubstr("as seen from 11.7&nbsp;inches at 300&nbsp;dpi (plate0), "
                        "from 10&nbsp;inches at 600&nbsp;dpi (plate1)."));
}

TEST(ComparePage, HasNoChartOfWhatIsNot) {
  compare::ComparePage page = some_page(2);
  EXPECT_THAT(text_of(page), HasSubstr("<div id=\"power\""));
  page.halftones[0].report.spectrum.clear();
  EXPECT_THAT(text_of(page), HasSubstr("<div id=\"power\"")) << "the other has one";
  page.halftones[1].report.spectrum.clear();
  const std::string text = text_of(page);
  EXPECT_THAT(text, Not(HasSubstr("<div id=\"power\"")));
  EXPECT_THAT(text, HasSubstr("There is none: no piece"));
}

TEST(ComparePage, EveryPictureHasItsText) {
  const std::string text = text_of(some_page(2));
  const std::regex pictures("<img [^>]*>"), with_text("<img [^>]*alt=\"[^\"]+\"[^>]*>");
  const auto count = [&](const std::regex& regex) {
    return std::distance(std::sregex_iterator(text.begin(), text.end(), regex), {});
  };
  EXPECT_EQ(count(pictures), 3 * 4);
  EXPECT_EQ(count(with_text), 3 * 4);
}

}  // namespace
}  // namespace mezzo::test::compare_page_test
