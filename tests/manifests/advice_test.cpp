// The advice on keys and values that do not exist: it names what exists at that place, and a manifest
// that follows it is accepted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/registry.h"
#include "kernels/spelling/synonyms.h"
#include "manifests/fields.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::test::advice_test {
namespace {

using ::testing::HasSubstr;

const std::string kTop = "mezzotint: 1\njob: x\npages:\n  - input: a.tif\n";

/// What is said of a manifest with this at its page; "none" for a good one.
std::string said(const std::string& settings) {
  const auto parsed = manifests::parse_manifest(kTop + settings, "m.yaml");
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
  return wrong == nullptr ? "none" : messages(*wrong);
}

struct Guess {
  const char* written;
  const char* advice;
  const char* followed;  ///< the settings when the advice was followed
};

constexpr Guess kGuesses[] = {
    {"    output: {dpi: 2400}\n", "did you mean 'resolution'?", "    output: {resolution: 2400}\n"},
    {"    output: {format: g4}\n",
     "did you mean 'compression'?",
     "    output: {compression: g4}\n"},
    {"    output: {compression: fax}\n", "did you mean 'g4'?", "    output: {compression: g4}\n"},
    {"    halftone: {method: am, lpi: 175}\n",
     "did you mean 'ruling'?",
     "    halftone: {method: am, ruling: 175}\n"},
    {"    screen: {method: am}\n", "did you mean 'halftone'?", "    halftone: {method: am}\n"},
    {"    halftone: {screen: am}\n", "did you mean 'method'?", "    halftone: {method: am}\n"},
    {"    halftone: {method: fs}\n",
     "did you mean 'floyd-steinberg'?",
     "    halftone: {method: floyd-steinberg}\n"},
    {"    halftone: {method: Floyd}\n",
     "did you mean 'floyd-steinberg'?",
     "    halftone: {method: floyd-steinberg}\n"},
    {"    dpi: 2400\n",
     "did you mean 'resolution', which belongs under 'output'?",
     "    output: {resolution: 2400}\n"},
    {"    lpi: 175\n",
     "did you mean 'ruling', which belongs under 'halftone'?",
     "    halftone: {method: am, ruling: 175}\n"},
    {"    format: g4\n",
     "did you mean 'compression', which belongs under 'output'?",
     "    output: {compression: g4}\n"},
    {"    compression: g4\n",
     "'compression' belongs under 'output'",
     "    output: {compression: g4}\n"},
    {"    tac: 300%\n", "did you mean 'ink_limit'?", "    ink_limit: 300%\n"},
};

TEST(Advice, FollowedGivesAGoodManifest) {
  for (const Guess& guess : kGuesses) {
    EXPECT_THAT(said(guess.written), HasSubstr(guess.advice)) << guess.written;
    EXPECT_EQ(said(guess.followed), "none") << guess.followed;
  }
}

TEST(Advice, IsNotGivenByDistanceForShortNames) {
  EXPECT_THAT(said("    halftone: {method: fx}\n"), Not(HasSubstr("did you mean")));
}

/// All that a synonym may mean, but for options and topics of help.
std::vector<std::string_view> names_of_manifests() {
  std::vector<std::string_view> names = manifests::all_parameters();
  for (const MethodInfo& method : methods()) {
    names.push_back(method.name);
    for (const ParameterInfo& parameter : method.parameters) {
      names.insert(names.end(), parameter.choices.begin(), parameter.choices.end());
    }
  }
  for (const manifests::Field& field : manifests::fields()) {
    names.push_back(field.name);
    if (field.choices == nullptr) continue;
    const auto choices = field.choices();
    names.insert(names.end(), choices.begin(), choices.end());
  }
  return names;
}

TEST(Synonyms, MeanWhatExists) {
  const std::vector<std::string_view> names = names_of_manifests();
  const std::vector<std::string_view> of_programs = {"ink-limit", "manifest"};
  for (const spelling::Synonym& synonym : spelling::synonyms()) {
    const bool exists = std::ranges::find(names, synonym.meaning) != names.end() ||
                        std::ranges::find(of_programs, synonym.meaning) != of_programs.end();
    EXPECT_TRUE(exists) << synonym.name << " means " << synonym.meaning;
  }
}

TEST(Indentation, NamesASpaceThatIsNone) {
  for (const auto& [space, name] : {std::pair{"\u00A0", "U+00A0"}, {"\u2003", "U+2003"}}) {
    const auto parsed = manifests::parse_manifest(
        "mezzotint: 1\njob: x\npages:\n " + std::string(space) + "- a.tif\n", "m.yaml");
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
    ASSERT_NE(wrong, nullptr);
    EXPECT_THAT(messages(*wrong),
                HasSubstr("4:2: the line is indented with a space of another kind"));
    EXPECT_THAT(messages(*wrong), HasSubstr(name));
  }
}

TEST(Numbers, MayHaveTheirUnit) {
  for (const char* text : {"2400", "2400 dpi", "2400dpi", "2400 ppi"}) {
    EXPECT_EQ(said("    output: {resolution: " + std::string(text) + "}\n"), "none") << text;
    EXPECT_EQ(said("    assume_resolution: " + std::string(text) + "\n"), "none") << text;
  }
  EXPECT_THAT(said("    output: {resolution: 2400 lpi}\n"), HasSubstr("must be a whole number"));
  for (const char* ruling : {"175", "175 lpi", "70 l/cm", "70 lpcm"}) {
    EXPECT_EQ(said("    halftone: {method: am, ruling: " + std::string(ruling) + "}\n"), "none");
  }
  for (const char* angle : {"15", "15 degrees", "15 deg", "15\u00B0"}) {
    EXPECT_EQ(said("    halftone: {method: am, angle: " + std::string(angle) + "}\n"), "none");
  }
}

}  // namespace
}  // namespace mezzo::test::advice_test
