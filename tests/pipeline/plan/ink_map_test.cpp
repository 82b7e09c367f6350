// The plates of pages on a press: its inks under all their names, and no others.
#include "pipeline/plan/ink_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/base/error.h"

namespace mezzo::test {
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

}  // namespace
}  // namespace mezzo::test
