#include "pipeline/watch/folder/ink_sets.h"

#include <gtest/gtest.h>

namespace mezzo::test::ink_sets_test {
namespace {

manifests::SeparationSets sets(std::vector<std::string> inks,
                               std::string pattern = "{page}_{ink}.tif") {
  manifests::SeparationSets result;
  result.inks = std::move(inks);
  result.pattern = std::move(pattern);
  return result;
}

std::string member(const manifests::SeparationSets& of, const std::string& name) {
  const auto found = watch::SetMatcher(of).match(name);
  return found ? found->page + " | " + of.inks[found->ink] : "none";
}

TEST(SetMatcher, KnowsInksUnderAnyOfTheirNames) {
  const auto of = sets({"cyan", "black", "PANTONE 185 C"});
  EXPECT_EQ(member(of, "tea_cyan.tif"), "tea | cyan");
  EXPECT_EQ(member(of, "Tea_C.TIFF"), "Tea | cyan");
  EXPECT_EQ(member(of, "tea_Schwarz.tif"), "tea | black");
  EXPECT_EQ(member(of, "tea_Process Black.tif"), "tea | black");
  EXPECT_EQ(member(of, "tea_pantone185c.tif"), "tea | PANTONE 185 C");
  EXPECT_EQ(member(of, "tea_magenta.tif"), "none");
  EXPECT_EQ(member(of, "_cyan.tif"), "none");
  EXPECT_EQ(member(of, "tea.tif"), "none");
  EXPECT_EQ(member(sets({}), "tea_cyan.tif"), "none");
}

TEST(SetMatcher, TakesTheLongestInk) {
  const auto of = sets({"cyan", "light_cyan"});
  EXPECT_EQ(member(of, "tea_light_cyan.tif"), "tea | light_cyan");
  EXPECT_EQ(member(of, "tea_dark_cyan.tif"), "tea_dark | cyan");
  EXPECT_EQ(member(of, "light_cyan.tif"), "light | cyan");
}

TEST(SetMatcher, ListsAllThatAnInkOutsideTheListCouldBe) {
  const auto strays = [](const manifests::SeparationSets& of, const std::string& name) {
    std::vector<std::string> found;
    for (const watch::StrayInk& one : watch::SetMatcher(of).stray_inks(name)) {
      found.push_back(one.page + " | " + one.ink);
    }
    return found;
  };
  using Found = std::vector<std::string>;
  const auto of = sets({"cyan"});
  EXPECT_EQ(strays(of, "tea_spot_varnish.tif"),
            (Found{"tea | spot_varnish", "tea_spot | varnish"}));
  EXPECT_EQ(strays(of, "tea_cyan.tif"), Found{});
  EXPECT_EQ(strays(of, "tea_dark_cyan.tif"), Found{});
  EXPECT_EQ(strays(of, "tea.tif"), Found{});
  EXPECT_EQ(strays(of, "_varnish.tif"), Found{});
  EXPECT_EQ(strays(of, "tea_.tif"), Found{});
  EXPECT_EQ(strays(sets({}), "tea_varnish.tif"), Found{});
  EXPECT_EQ(strays(sets({"cyan"}, "{page}({ink}).tif"), "tea(Varnish).tif"),
            Found{"tea | Varnish"});
  EXPECT_EQ(strays(sets({"cyan"}, "{page}({ink}).tif"), "tea_Varnish.tif"), Found{});
}

TEST(SetMatcher, FollowsThePattern) {
  const auto of = sets({"k", "cyan"}, "p-{ink}--{page}-x.tif");
  EXPECT_EQ(member(of, "P-Black--tea--2-X.tif"), "tea--2 | k");
  EXPECT_EQ(member(of, "p-cyan---x.tif"), "none");
  EXPECT_EQ(member(of, "q-cyan--1-x.tif"), "none");
}

TEST(SetMatcher, ComparesLettersOutsideAsciiWithoutCaseAndInAnyForm) {
  const auto of = sets({"cyan", "Gr\u00FCn"}, "\u00C9t\u00E9-{page}\u00E9{ink}.tif");
  EXPECT_EQ(member(of, "\u00E9T\u00C9-tea\u00C9cyan.tif"), "tea | cyan");
  EXPECT_EQ(member(of, "E\u0301te\u0301-teae\u0301Gru\u0308n.tif"), "tea | Gr\u00FCn");
  EXPECT_EQ(member(of, "E\u0301te\u0301-t\u00E9aE\u0301GR\u00DCN.tif"), "t\u00E9a | Gr\u00FCn");
}

TEST(SetMatcher, NamesPagesAsTheirFilesDo) {
  const auto of = sets({"cyan"});
  EXPECT_EQ(member(of, "Gru\u0308n_cyan.tif"), "Gru\u0308n | cyan");
  EXPECT_EQ(member(of, "Wei\u00DF_Cyan.tif"), "Wei\u00DF | cyan");
  EXPECT_EQ(member(of, "Gr\xFCn_cyan.tif"), "Gr\xFCn | cyan") << "not UTF-8";
  EXPECT_EQ(member(sets({"cyan"}, "{page}s{ink}.tif"), "Wei\u00DFcyan.tif"), "none")
      << "no cut within a letter";
}

}  // namespace
}  // namespace mezzo::test::ink_sets_test
