// Words of the field, and the guess at a name that does not exist.
#include "kernels/spelling/synonyms.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "kernels/registry.h"

namespace mezzo::test::synonyms_test {
namespace {

std::string_view method_meant(std::string_view name) {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods()) names.push_back(method.name);
  return closest_name(name, names);
}

TEST(Synonyms, AreThereOnceAndAsNamesAreCompared) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (const spelling::Synonym& synonym : spelling::synonyms()) {
    EXPECT_EQ(spelling::folded(synonym.name), synonym.name);
    EXPECT_TRUE(seen.emplace(synonym.name, synonym.meaning).second) << synonym.name;
    EXPECT_EQ(find_method(synonym.name), nullptr) << synonym.name << " is a method itself";
  }
}

TEST(Synonyms, MeanTheFirstNameThatExistsAtAPlace) {
  const std::vector<std::string_view> page = {"halftone", "output"},
                                      halftone = {"engine", "method"};
  EXPECT_EQ(spelling::synonym_of("Screen", page), "halftone");
  EXPECT_EQ(spelling::synonym_of("screen", halftone), "method");
  EXPECT_EQ(spelling::synonym_of("dpi", page), "");
}

TEST(ClosestName, OfMethods) {
  const std::pair<std::string_view, std::string_view> kMeant[] = {
      {"fs", "floyd-steinberg"},
      {"FS", "floyd-steinberg"},
      {"floyd", "floyd-steinberg"},
      {"Floyd", "floyd-steinberg"},
      {"floyd_steinberg", "floyd-steinberg"},
      {"Floyd Steinberg", "floyd-steinberg"},
      {"floyd-steinburg", "floyd-steinberg"},
      {"blue-noise", "fm"},
      {"ma", "am"},
      {"dsb", "dbs"},
      {"pinwheal", "pinwheel"},
  };
  for (const auto& [name, meant] : kMeant) EXPECT_EQ(method_meant(name), meant) << name;
}

TEST(ClosestName, IsNoOtherWord) {
  for (const char* name :
       {"fx", "xm", "les1s", "stucki", "atkinson", "jjn", "keys", "bayes-net", ""}) {
    EXPECT_EQ(method_meant(name), "") << name;
  }
  const std::vector<std::string_view> shells = {"bash", "zsh", "fish"};
  EXPECT_EQ(closest_name("tcsh", shells), "");
  EXPECT_EQ(closest_name("bsah", shells), "bash");
}

TEST(ClosestName, TakesABeginningOnlyWhereItIsTheOnlyOne) {
  const std::vector<std::string_view> names = {"minimum_dot", "minimum_run", "ruling"};
  EXPECT_EQ(closest_name("rul", names), "ruling");
  EXPECT_EQ(closest_name("minimum", names), "");
  EXPECT_EQ(closest_name("ru", names), "");
}

}  // namespace
}  // namespace mezzo::test::synonyms_test
