#include "pipeline/plan/page_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mezzo::test {
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
  settings.scale = "auto";
  PageInfo type = page_of(300, 300);
  type.format = "1-bit grey";
  EXPECT_EQ(stages(type, settings).back(), "scale by 8/1, nearest");
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
  settings.scale = "area";
  EXPECT_EQ(stages(type, settings).back(), "scale by 127/60 x 127/30, area");
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

}  // namespace
}  // namespace mezzo::test
