#include "pipeline/plan/page_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mezzo::test::page_chain_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PageInfo page_of(double x_dpi, double y_dpi) {
  PageInfo page;
  page.width_px = 2480;
  page.height_px = 3508;
  page.resolution = {x_dpi, y_dpi};
  page.inks = {"black"};
  return page;
}

manifests::PageSettings to_resolution(uint32_t dpi) {
  manifests::PageSettings settings;
  settings.output.resolution_dpi = dpi;
  return settings;
}

std::vector<std::string> stages(const PageInfo& page, const manifests::PageSettings& settings) {
  std::vector<std::string> result;
  const chain::Chain chain = plan::make_chain(page, settings, "in.tif: page 1");
  for (const auto& stage : chain.stages()) result.push_back(stage->describe());
  return result;
}

std::string refusal(const PageInfo& page, const manifests::PageSettings& settings) {
  try {
    plan::make_chain(page, settings, "in.tif: page 1");
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

constexpr std::string_view kToInk = "samples to 32640 levels of ink";

TEST(PageChain, AnOrdinaryPageHasNoStage) {
  EXPECT_THAT(stages(page_of(300, 300), {}), ElementsAre());
  EXPECT_THAT(stages(page_of(0, 0), {}), ElementsAre());
  EXPECT_THAT(stages(page_of(2400, 2400), to_resolution(2400)), ElementsAre());
}

TEST(PageChain, MapsInksBeforeItScales) {
  PageInfo page = page_of(300, 300);
  page.inks = {"cyan", "varnish", "PANTONE 185 C"};
  manifests::PageSettings settings;
  settings.inks = {{.ink = "Varnish", .label = {}, .is_dropped = true},
                   {.ink = "CYAN", .label = {}, .plate = "blue"}};
  EXPECT_THAT(stages(page, settings), ElementsAre("inks blue, PANTONE 185 C alone"));
  settings.inks.push_back({.ink = "pantone 185c", .label = {}, .shares = {{"M", 90}, {"blue", 5}}});
  settings.output.resolution_dpi = 2400;
  EXPECT_THAT(stages(page, settings),
              ElementsAre(kToInk, "inks mixed into blue, magenta", "scale by 8/1, cubic"));
  settings.inks = {{.ink = "cyan", .label = {}, .plate = "blue"}};
  settings.output.resolution_dpi = 0;
  EXPECT_THAT(stages(page, settings), ElementsAre());
}

TEST(PageChain, RefusesInksWithoutAPlaceToGo) {
  PageInfo page = page_of(300, 300);
  page.inks = {"cyan", "varnish"};
  manifests::PageSettings settings;
  settings.inks = {{.ink = "varnish", .label = {}, .shares = {{"gold", 100}}}};
  EXPECT_EQ(refusal(page, settings),
            "in.tif: page 1: ink 'varnish' is to be printed with 'gold', which has no plate; the "
            "plates are cyan");
  settings.inks = {{.ink = "varnish", .label = {}, .plate = "C"}};
  EXPECT_EQ(refusal(page, settings),
            "in.tif: page 1: inks 'varnish' and 'cyan' would both be the plate 'C'; to print one "
            "with the other, write 'as: C'");
  settings.inks = {{.ink = "cyan", .label = {}, .is_dropped = true},
                   {.ink = "varnish", .label = {}, .is_dropped = true}};
  EXPECT_EQ(refusal(page, settings),
            "in.tif: page 1 has no plate left: 'inks' drops all of its inks");
}

TEST(PageChain, ScalesByTheRatioOfTheResolutions) {
  const auto scale = [](double x_dpi, double y_dpi, uint32_t plate) {
    PageInfo page = page_of(x_dpi, y_dpi);
    page.height_px = 1000;
    return stages(page, to_resolution(plate)).back();
  };
  EXPECT_THAT(stages(page_of(300, 300), to_resolution(2400)),
              ElementsAre(kToInk, "scale by 8/1, cubic"));
  EXPECT_EQ(scale(300, 300, 2540), "scale by 127/15, cubic");
  EXPECT_EQ(scale(118.11 * 2.54, 118.11 * 2.54, 2400), "scale by 8/1, cubic");
  EXPECT_EQ(scale(82.5, 82.5, 2400), "scale by 320/11, cubic");
  EXPECT_EQ(scale(600, 300, 2400), "scale by 4/1 x 8/1, cubic");
  EXPECT_EQ(scale(2400, 2400, 600), "scale by 1/4, area");
  EXPECT_EQ(scale(2400, 600, 1200), "scale by 1/2 x 2/1, area");
}

TEST(PageChain, TakesTheFilterOfTheSettings) {
  manifests::PageSettings settings = to_resolution(2400);
  settings.scale = "linear";
  EXPECT_EQ(stages(page_of(300, 300), settings).back(), "scale by 8/1, linear");
  settings.scale = "edges";
  EXPECT_EQ(stages(page_of(300, 300), settings).back(), "scale by 8/1, edges");
  EXPECT_EQ(stages(page_of(2400, 300), settings).back(), "scale by 1/1 x 8/1, edges");
  EXPECT_THAT(stages(page_of(2400, 2400), settings), ElementsAre());
  EXPECT_EQ(stages(page_of(4800, 4800), settings).back(), "scale by 1/2, area");
  EXPECT_EQ(stages(page_of(4800, 1200), settings).back(), "scale by 1/2 x 2/1, area");
  settings.scale = "auto";
  PageInfo type = page_of(300, 300);
  type.format = "1-bit grey";
  EXPECT_EQ(stages(type, settings).back(), "scale by 8/1, nearest");
}

TEST(PageChain, LimitsTheInkOfSharpBorders) {
  PageInfo page = page_of(300, 300);
  page.inks = {"cyan", "magenta", "yellow", "black"};
  manifests::PageSettings settings = to_resolution(2400);
  settings.ink_limit.percent = 240;
  EXPECT_THAT(stages(page, settings),
              ElementsAre(kToInk, "ink limited to 240 %", "scale by 8/1, cubic"));
  // It makes solids of each ink without a look at the others.
  settings.scale = "edges";
  EXPECT_THAT(stages(page, settings),
              ElementsAre(kToInk, "scale by 8/1, edges", "ink limited to 240 %"));
}

TEST(PageChain, HandsOnThePageOfThePlate) {
  const chain::Chain chain = plan::make_chain(page_of(300, 150), to_resolution(2400), "");
  EXPECT_EQ(chain.page().width_px, 2480U * 8);
  EXPECT_EQ(chain.page().height_px, 3508U * 16);
  EXPECT_EQ(chain.page().resolution, (Resolution{2400, 2400}));
}

TEST(PageChain, AssumesAResolutionOnlyWhereTheFileHasNone) {
  manifests::PageSettings settings = to_resolution(2400);
  EXPECT_EQ(refusal(page_of(0, 0), settings),
            "in.tif: page 1 does not say its resolution, so it cannot be scaled to 2400 dpi; give "
            "it with 'assume_resolution: 300' or --assume-resolution 300");
  settings.assumed_dpi = 600;
  EXPECT_EQ(stages(page_of(0, 0), settings).back(), "scale by 4/1, cubic");
  EXPECT_EQ(stages(page_of(300, 300), settings).back(), "scale by 8/1, cubic");
}

TEST(PageChain, RefusesARatioThatScalingCannotHave) {
  EXPECT_THAT(refusal(page_of(72, 72), to_resolution(2400)),
              HasSubstr("page 1 has 72 dpi, which cannot be scaled to 2400 dpi: plates may have 32 "
                        "times the page's resolution at most"));
  EXPECT_THAT(refusal(page_of(2400, 2400), to_resolution(100)), HasSubstr("1/16 of it at least"));
  EXPECT_THAT(refusal(page_of(331.77, 331.77), to_resolution(2400)),
              HasSubstr("whole numbers up to 4096; export the page at a resolution nearby"));
}

TEST(PageChain, RepeatsPixelsOfOneBitOrRefusesThem) {
  PageInfo type = page_of(1200, 600);
  type.format = "1-bit grey";
  EXPECT_EQ(stages(type, to_resolution(2400)).back(), "scale by 2/1 x 4/1, nearest");
  EXPECT_EQ(refusal(type, to_resolution(2540)),
            "in.tif: page 1 has one bit a pixel, made for 1200 dpi x 600 dpi, and 2540 dpi is no "
            "multiple of that: its pixels would get uneven widths, and its screens a moire; export "
            "it at 2540 dpi, or halftone it as contone with 'scale: area' or --scale area");
  EXPECT_THAT(refusal(type, to_resolution(600)), HasSubstr("600 dpi is no multiple of that"));
  manifests::PageSettings settings = to_resolution(2540);
  settings.scale = "edges";
  EXPECT_THAT(refusal(type, settings), HasSubstr("2540 dpi is no multiple of that"));
  settings.scale = "area";
  EXPECT_EQ(stages(type, settings).back(), "scale by 127/60 x 127/30, area");
  settings = to_resolution(2400);
  settings.scale = "edges";
  EXPECT_EQ(stages(type, settings).back(), "scale by 2/1 x 4/1, nearest");
}

TEST(PageChain, ProtectsPagesOfOneBitThatAreNotHalftonedAsContone) {
  using prepress::Protect;
  PageInfo type = page_of(2400, 2400);
  type.format = "1-bit grey";
  manifests::PageSettings settings;
  const Protect own{true, false};
  EXPECT_EQ(plan::protect_of(type, settings, own), (Protect{true, true}));
  EXPECT_EQ(plan::protect_of(page_of(2400, 2400), settings, own), own);
  settings.output.resolution_dpi = 4800;
  EXPECT_EQ(plan::protect_of(type, settings, own), (Protect{true, true}));
  settings.scale = "cubic";
  EXPECT_EQ(plan::protect_of(type, settings, own), own);
}

TEST(PageChain, RefusesPlatesBeyondTheLimitsOfAPage) {
  PageInfo page = page_of(300, 300);
  page.width_px = 12'501;
  EXPECT_EQ(refusal(page, to_resolution(2400)),
            "in.tif: page 1 would have plates of 100008 x 28064 px at 2400 dpi; the limits are "
            "100000 px a side and 10000000000 px in all");
}

manifests::PageSettings with_geometry(const manifests::Geometry& geometry) {
  manifests::PageSettings settings;
  settings.geometry = geometry;
  return settings;
}

TEST(PageChain, CropsAndTrimsInPixelsOfThePage) {
  const PageInfo page = page_of(300, 300);
  const auto crop = [&](manifests::Crop rectangle, manifests::Trim trim) {
    return stages(page, with_geometry({.crop = rectangle, .trim = trim}));
  };
  EXPECT_THAT(crop({10'000, 20'000, 100'000, 200'000}, {}),
              ElementsAre("crop to 1181 x 2362 px from 118, 236"));
  EXPECT_THAT(crop({0, 0, 210'000, 297'000}, {}), ElementsAre());
  EXPECT_THAT(crop({10'000, 20'000, 100'000, 200'000}, {3'000, 0, 1'000, 2'000}),
              ElementsAre("crop to 1134 x 2338 px from 153, 236"));
  EXPECT_THAT(stages(page, with_geometry({.trim = {0, 0, 42, 0}})), ElementsAre());
  EXPECT_THAT(stages(page, with_geometry({.trim = {0, 0, 43, 0}})),
              ElementsAre("crop to 2479 x 3508 px from 0, 0"));
}

TEST(PageChain, GivesRectanglesThatShareAnEdgeTheSamePixel) {
  for (uint32_t edge_um = 1'000; edge_um < 2'000; edge_um += 7) {
    const auto part = [&](uint32_t left, uint32_t right) {
      return plan::make_chain(
                 page_of(331.77, 331.77),
                 with_geometry({.crop = manifests::Crop{left, 0, right - left, 9'000}}),
                 "")
          .page()
          .width_px;
    };
    ASSERT_EQ(part(0, edge_um) + part(edge_um, 5'003), part(0, 5'003)) << edge_um;
  }
}

TEST(PageChain, CropsThePageAsItIsShownAndThenTurnsIt) {
  PageInfo page = page_of(300, 150);
  const manifests::Crop crop{0, 0, 25'400, 50'800};  // 300 x 300 px
  const auto turned = [&](uint32_t degrees) {
    return plan::make_chain(page, with_geometry({.crop = crop, .rotate_degrees = degrees}), "");
  };
  EXPECT_THAT(turned(90).describe(),
              ElementsAre("rotate by 90 degrees clockwise", "crop to 300 x 300 px from 3208, 0"));
  EXPECT_THAT(turned(180).describe().back(), "crop to 300 x 300 px from 2180, 3208");
  EXPECT_THAT(turned(270).describe().back(), "crop to 300 x 300 px from 0, 2180");
  EXPECT_EQ(turned(270).page().resolution, (Resolution{150, 300}));
}

TEST(PageChain, RepeatsWhatIsScaled) {
  manifests::PageSettings settings = to_resolution(2400);
  settings.geometry = {.crop = manifests::Crop{0, 0, 25'400, 25'400}, .copies = {3, 2, 3'000}};
  // Gaps of 283.46 px: copies begin at 2683 and 5367.
  EXPECT_THAT(stages(page_of(300, 300), settings),
              ElementsAre("crop to 300 x 300 px from 0, 0",
                          kToInk,
                          "scale by 8/1, cubic",
                          "3 x 2 copies on 7767 x 5083 px"));
}

TEST(PageChain, HasItsStagesInTheirOrder) {
  PageInfo page = page_of(300, 150);
  page.inks = {"cyan", "varnish"};
  page.first_dot = 10;
  page.last_dot = 240;
  manifests::PageSettings settings = to_resolution(1200);
  settings.inks = {{.ink = "varnish", .label = {}, .is_dropped = true}};
  settings.geometry = {.crop = manifests::Crop{0, 0, 25'400, 50'800},
                       .trim = {0, 0, 0, 25'400},
                       .rotate_degrees = 90,
                       .copies = {1, 2, 0}};
  const chain::Chain chain = plan::make_chain(page, settings, "in.tif: page 1");
  EXPECT_THAT(chain.describe(),
              ElementsAre("rotate by 90 degrees clockwise",
                          "crop to 150 x 300 px from 3358, 0",
                          kToInk,
                          "inks cyan alone",
                          "scale by 8/1 x 4/1, cubic",
                          "1 x 2 copies on 1200 x 2400 px"));
  EXPECT_EQ(chain.page().inks, std::vector<std::string>{"cyan"});
}

TEST(PageChain, NeedsAResolutionForLengthsAlone) {
  const PageInfo page = page_of(0, 0);
  EXPECT_THAT(stages(page, with_geometry({.copies = {2, 1, 0}})),
              ElementsAre("2 x 1 copies on 4960 x 3508 px"));
  EXPECT_THAT(
      refusal(page, with_geometry({.copies = {2, 1, 1}})),
      HasSubstr("page 1 does not say its resolution, so it cannot have copies with a gap in "
                "millimetres; give it with 'assume_resolution: 300'"));
  manifests::PageSettings settings = with_geometry({.trim = {25'400, 0, 0, 0}});
  EXPECT_THAT(refusal(page, settings), HasSubstr("cannot be cropped or trimmed in millimetres"));
  settings.assumed_dpi = 100;
  EXPECT_THAT(stages(page, settings), ElementsAre("crop to 2380 x 3508 px from 100, 0"));
}

TEST(PageChain, RefusesAGeometryThatThePageCannotHave) {
  const PageInfo page = page_of(300, 300);
  const auto crop = [](manifests::Crop rectangle) { return with_geometry({.crop = rectangle}); };
  EXPECT_EQ(refusal(page, crop({20'000, 0, 200'000, 297'000})),
            "in.tif: page 1 is 209.97 mm x 297.01 mm, and 'crop' ends 219.96 mm from the left and "
            "297.01 mm from the top, which is outside of it");
  EXPECT_EQ(refusal(page, crop({20'000, 0, 20, 297'000})),
            "in.tif: page 1 has 300 x 300 dpi, and 'crop' keeps less than a pixel of it");
  EXPECT_EQ(refusal(page, with_geometry({.trim = {110'000, 0, 100'000, 0}})),
            "in.tif: page 1 is 209.97 mm x 297.01 mm, and 'trim' takes off all of its width; "
            "nothing would be left");
  manifests::PageSettings settings = crop({0, 0, 50'000, 50'000});
  settings.geometry.trim = {0, 25'000, 0, 26'000};
  EXPECT_THAT(refusal(page, settings), HasSubstr("takes off all of its height"));
  EXPECT_EQ(refusal(page, with_geometry({.copies = {41, 1, 0}})),
            "in.tif: page 1 would have plates of 101680 x 3508 px with 41 x 1 copies; the limits "
            "are 100000 px a side and 10000000000 px in all");
  EXPECT_THAT(refusal(page, with_geometry({.copies = {1000, 1000, 1'000'000}})),
              HasSubstr("px with 1000 x 1000 copies"));
}

}  // namespace
}  // namespace mezzo::test::page_chain_test
