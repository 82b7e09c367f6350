// The plates of pages on a press: its inks under all their names, and no others.
#include "pipeline/plan/ink_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/base/error.h"

namespace mezzo::test::ink_map_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

manifests::PageSettings on_press() {
  manifests::PageSettings settings;
  settings.press = {"XL 106", "", {{"black", {"PB 7"}}, {"cyan", {}}, {"varnish", {}}}};
  return settings;
}

std::vector<std::string> plates_of(const std::vector<std::string>& inks,
                                   const manifests::PageSettings& settings) {
  std::vector<std::string> plates;
  for (const plan::MappedPlate& plate : plan::map_inks(inks, settings, "a.tif").plates) {
    plates.push_back(plate.ink + " of " + std::to_string(plate.parts.size()));
  }
  return plates;
}

std::string refusal_of(const std::vector<std::string>& inks,
                       const manifests::PageSettings& settings) {
  try {
    plan::map_inks(inks, settings, "a.tif");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "accepted";
}

TEST(InksOfAPress, AreKnownByAllTheirNames) {
  EXPECT_THAT(plates_of({"Cyan", "pb7"}, on_press()), ElementsAre("Cyan of 1", "pb7 of 1"));
}

TEST(InksOfAPress, AreAllThatItPrints) {
  EXPECT_EQ(refusal_of({"cyan", "gold"}, on_press()),
            "a.tif has the ink 'gold', and the press 'XL 106' has black, cyan, varnish; drop it, "
            "print it with others or as one of these in 'inks', or add it to the press file, where "
            "'spot' stands for all others");
  manifests::PageSettings settings = on_press();
  settings.press->inks.push_back({"spot", {}});
  EXPECT_THAT(plates_of({"cyan", "gold"}, settings), ElementsAre("cyan of 1", "gold of 1"));
  settings = on_press();
  settings.press->inks.clear();
  EXPECT_THAT(plates_of({"cyan", "gold"}, settings), ElementsAre("cyan of 1", "gold of 1"));
}

TEST(InksOfAPress, TakeOthersOntoTheirPlates) {
  manifests::PageSettings settings = on_press();
  settings.inks = {{.ink = "gold", .label = {}, .is_dropped = true}};
  EXPECT_THAT(plates_of({"cyan", "gold"}, settings), ElementsAre("cyan of 1"));
  settings.inks = {{.ink = "gold", .label = {}, .shares = {{"black", 40}}}};
  EXPECT_THAT(plates_of({"PB 7", "gold"}, settings), ElementsAre("PB 7 of 2"));
  settings.inks = {{.ink = "gold", .label = {}, .plate = "varnish"}};
  EXPECT_THAT(plates_of({"cyan", "gold"}, settings), ElementsAre("cyan of 1", "varnish of 1"));
  settings.inks = {{.ink = "gold", .label = {}, .plate = "silver"}};
  EXPECT_THAT(refusal_of({"cyan", "gold"}, settings), HasSubstr("has the ink 'silver'"));
}

TEST(InksOfAPress, PrintPlatesOfOtherNames) {
  const manifests::PageSettings settings = on_press();
  EXPECT_EQ(plan::ink_on_press(settings, "Deep", "PB 7"), "black");
  EXPECT_EQ(plan::ink_on_press(settings, "pb7", "cyan"), "black");
  EXPECT_EQ(plan::ink_on_press(settings, "Deep", "gold"), "Deep");
  EXPECT_EQ(plan::ink_on_press(settings, "PB 7", ""), "black");
  EXPECT_EQ(plan::ink_on_press({}, "Deep", "black"), "Deep");
}

TEST(InksOfAPress, HaveOnePlateEach) {
  EXPECT_EQ(
      refusal_of({"K", "cyan", "PB 7"}, on_press()),
      "a.tif: inks 'K' and 'PB 7' are one ink of the press 'XL 106'; if they are two, take one "
      "of them out of 'names' in the press file");
  manifests::PageSettings settings = on_press();
  settings.inks = {{.ink = "gold", .label = {}, .plate = "PB 7"}};
  EXPECT_THAT(refusal_of({"K", "gold"}, settings),
              HasSubstr("to print one with the other, write 'inks: {gold: {as: K}}'"));
  settings.inks = {{.ink = "gold", .label = {}, .shares = {{"K"}}}};
  EXPECT_THAT(plates_of({"K", "gold"}, settings), ElementsAre("K of 2"));
}

TEST(InksOfAPage, HaveANameEach) {
  EXPECT_EQ(refusal_of({"Gold", "Rot", "GOLD"}, {}),
            "a.tif: its inks 'Gold' and 'GOLD' have names of one ink, so that no setting can tell "
            "them apart; rename one of them in the page, or merge them there");
  EXPECT_THAT(refusal_of({"Gr\u00FCn", "Gru\u0308n"}, {}), HasSubstr("have names of one ink"));
  EXPECT_THAT(refusal_of({"K", "Schwarz", "Black"}, {}), HasSubstr("'K' and 'Schwarz' have names"));
  EXPECT_THAT(refusal_of({"PANTONE 185 C", "pantone185c"}, {}), HasSubstr("have names of one ink"));
  manifests::PageSettings settings;
  settings.inks = {{.ink = "gold", .label = {}, .is_dropped = true}};
  EXPECT_THAT(refusal_of({"Gold", "Rot", "GOLD"}, settings), HasSubstr("have names of one ink"));
  EXPECT_THAT(plates_of({"Gold", "gold-2"}, {}), ElementsAre("Gold of 1", "gold-2 of 1"));
}

TEST(InksOfAPress, AreMadeUnderAnyOfTheirNames) {
  manifests::PageSettings settings = on_press();
  settings.inks = {{.ink = "gold", .label = {}, .shares = {{"PB 7"}}}};
  EXPECT_THAT(plates_of({"cyan", "gold"}, settings), ElementsAre("cyan of 1", "black of 1"));
}

TEST(InksOfAPage, TakeOthersOntoTheirPlatesOfOtherNames) {
  manifests::PageSettings settings;
  settings.inks = {{.ink = "black", .label = {}, .plate = "Deep"},
                   {.ink = "gold", .label = {}, .shares = {{"K"}}}};
  EXPECT_THAT(plates_of({"black", "gold"}, settings), ElementsAre("Deep of 2"));
  settings.press = on_press().press;
  settings.inks[1].shares = {{"PB 7"}};
  EXPECT_THAT(plates_of({"black", "gold"}, settings), ElementsAre("Deep of 2"));
  // A plate of the name itself comes first.
  settings.inks.push_back({.ink = "silver", .label = {}, .plate = "PB 7"});
  settings.press.reset();
  EXPECT_THAT(plates_of({"black", "gold", "silver"}, settings),
              ElementsAre("Deep of 1", "PB 7 of 2"));
}

manifests::PageSettings with_planes(std::vector<double> drops) {
  manifests::PageSettings settings;
  settings.halftone.levels =
      LevelSettings{.drops = std::move(drops), .format = LevelFormat::kPlanes};
  return settings;
}

TEST(LevelsOfInks, HaveAPlateForEachBit) {
  EXPECT_THAT(plates_of({"cyan", "black"}, with_planes({0, 1, 2, 3, 4})),
              ElementsAre("cyan_1 of 1",
                          "cyan_2 of 1",
                          "cyan_3 of 1",
                          "black_1 of 1",
                          "black_2 of 1",
                          "black_3 of 1"));
  const plan::InkMap map = plan::map_inks({"cyan", "black"}, with_planes({0, 1, 2}), "a.tif");
  EXPECT_EQ(map.plates[3].page_ink, "black");
  EXPECT_EQ(map.plates[3].plane, 1U);
  EXPECT_EQ(map.plates[3].drop_bit, 1U);
  EXPECT_EQ(plan::without_bit(map.plates[3].ink, 1), "black");
}

TEST(LevelsOfInks, AreOfTheInk) {
  manifests::PageSettings settings = with_planes({0, 1, 2, 3});
  settings.halftone.levels->format = LevelFormat::kPacked;
  settings.inks = {{.ink = "K", .label = {}}};
  settings.inks[0].halftone.levels = with_planes({0, 1, 2}).halftone.levels;
  EXPECT_THAT(plates_of({"cyan", "black"}, settings),
              ElementsAre("cyan of 1", "black_1 of 1", "black_2 of 1"));
}

TEST(LevelsOfInks, SelectPlanesWhereInksAreDropped) {
  // As many plates as inks of the page, and not those.
  manifests::PageSettings settings = with_planes({0, 1, 2});
  settings.inks = {{.ink = "cyan", .label = {}, .is_dropped = true}};
  const plan::InkMap map = plan::map_inks({"cyan", "black"}, settings, "a.tif");
  EXPECT_EQ(map.plates.size(), 2U);
  EXPECT_TRUE(map.only_selects());
  EXPECT_FALSE(map.keeps_all(2));
}

TEST(InksFromOthers, HaveTheSamplesOfThese) {
  manifests::PageSettings settings;
  settings.inks = {{.ink = "light cyan", .label = {}, .from = "C"},
                   {.ink = "gold", .label = {}, .shares = {{"cyan", 40}}}};
  EXPECT_THAT(plates_of({"cyan", "gold"}, settings), ElementsAre("cyan of 2", "light cyan of 2"));
  EXPECT_THAT(plates_of({"cyan"}, settings), ElementsAre("cyan of 1", "light cyan of 1"));
  EXPECT_THAT(plates_of({"black"}, settings), ElementsAre("black of 1"));
  settings.inks[1] = {.ink = "cyan", .label = {}, .is_dropped = true};
  const plan::InkMap map = plan::map_inks({"black", "cyan"}, settings, "a.tif");
  EXPECT_EQ(map.plates[1].ink, "light cyan");
  EXPECT_EQ(map.plates[1].plane, 2U);
  EXPECT_EQ(map.plates[1].parts.front().plane, 1U);
  EXPECT_FALSE(map.keeps_all(2));
  EXPECT_EQ(
      refusal_of({"cyan", "light cyan"}, settings),
      "a.tif has the plate 'light cyan' already, which 'inks' makes from 'C'; give one of them "
      "another name");
}

/// Not of a plate of the same name, which other inks of a page may have given it.
TEST(InksFromOthers, AreOfTheInkOfThePageWhateverElseIsOnIt) {
  manifests::PageSettings settings;
  settings.inks = {{.ink = "cyan", .label = {}, .shares = {{"magenta", 100}}},
                   {.ink = "gold", .label = {}, .shares = {{"cyan", 10}}},
                   {.ink = "light cyan", .label = {}, .from = "cyan"}};
  using Inks = std::vector<std::string>;
  for (const Inks& inks : {Inks{"cyan"}, Inks{"cyan", "gold"}, Inks{"gold", "black", "cyan"}}) {
    const plan::InkMap map = plan::map_inks(inks, settings, "a.tif");
    const plan::MappedPlate& light = map.plates.back();
    ASSERT_EQ(light.ink, "light cyan");
    ASSERT_EQ(light.parts.size(), 1U);
    EXPECT_EQ(inks[light.parts.front().plane], "cyan");
  }
}

}  // namespace
}  // namespace mezzo::test::ink_map_test
