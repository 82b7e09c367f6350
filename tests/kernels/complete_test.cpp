// complete(): what a plate knows is filled in or missed by name, and halftoners are made of nothing else.

#include "kernels/complete.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "kernels/base/error.h"
#include "kernels/screen/am_method.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::complete_test {
namespace {

HalftoneSettings am(const Parameters& parameters = {}) {
  return {.method = "am", .parameters = parameters};
}

/// The text of the Error that these settings are refused with, or empty.
std::string refusal(const HalftoneSettings& settings, const CompleteSettings::Plate& plate = {}) {
  try {
    complete(settings, plate);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return {};
}

double angle_of(const CompleteSettings::Plate& plate, const Parameters& parameters = {}) {
  return complete(am(parameters), plate)->parameters.at("angle");
}

template <typename Settings>
concept MakesAHalftoner = requires(Settings settings) {
  make_halftoner(settings);
};
template <typename Settings>
concept MakesAReference = requires(Settings settings) {
  make_reference(settings);
};

TEST(Complete, IsTheOnlyWayToAHalftoner) {
  static_assert(MakesAHalftoner<CompleteSettings> && MakesAReference<CompleteSettings>);
  static_assert(!MakesAHalftoner<HalftoneSettings> && !MakesAReference<HalftoneSettings>);
  static_assert(!std::is_constructible_v<CompleteSettings, HalftoneSettings>);
  static_assert(!std::is_default_constructible_v<CompleteSettings>);
}

TEST(Complete, GivesEveryMethodAValueForEachParameter) {
  for (const MethodInfo& method : methods()) {
    const CompleteSettings whole = complete(settings_of(method), kPlate);
    EXPECT_EQ(whole->parameters.size(), method.parameters.size()) << method.name;
    EXPECT_EQ(*complete(*whole), *whole) << method.name;
    EXPECT_EQ(*complete(*whole, kPlate), *whole) << method.name;
  }
}

TEST(Complete, MissesANumberOfThePlateByName) {
  size_t found = 0;
  for (const MethodInfo& method : methods()) {
    for (const ParameterInfo& parameter : method.parameters) {
      if (parameter.source != ParameterInfo::Source::kPlate) continue;
      ++found;
      const std::string name(parameter.name);
      EXPECT_TRUE(
          refusal(settings_of(method))
              .starts_with("method '" + std::string(method.name) + "' needs " + name + "=: "));
    }
  }
  EXPECT_GT(found, 0U);
  EXPECT_EQ(refusal(am({{"ruling", 30}})),
            "method 'am' needs dpi=: resolution of the plate, in dpi");
  EXPECT_EQ(refusal(am({{"ruling", 30}, {"dpi", 0}})), refusal(am({{"ruling", 30}})));
}

TEST(Complete, MakesTheScreenOfThePlatesResolution) {
  const CompleteSettings whole = complete(am({{"ruling", 30}}), {.dpi = 300});
  EXPECT_EQ(screen::Am::screen(*whole).cell, screen::choose_cell(300, 30, 45));
  EXPECT_EQ(*complete(am({{"ruling", 30}, {"dpi", 300}})), *whole);
  EXPECT_EQ(*complete(am({{"ruling", 30}, {"dpi", 300}}), {.dpi = 300}), *whole);
}

TEST(Complete, RefusesAResolutionThatIsNotThatOfThePlate) {
  EXPECT_EQ(refusal(am({{"dpi", 1200}}), {.dpi = 2540.5}),
            "method 'am' is set to 1200 dpi, and the plates have 2540.5; leave its dpi out");
}

TEST(Complete, GivesAnInkItsUsualAngle) {
  EXPECT_EQ(angle_of({.dpi = 2400}), 45);
  EXPECT_EQ(angle_of({.dpi = 2400, .ink = "Process Cyan"}), 15);
  EXPECT_EQ(angle_of({.dpi = 2400, .ink = "magenta", .ink_number = 7}), 75);
  EXPECT_EQ(angle_of({.dpi = 2400, .ink = "magenta"}, {{"angle", 20}}), 20);
  EXPECT_EQ(angle_of({.dpi = 2400, .ink_number = 7}, {{"angle", 20}}), 20);
  EXPECT_EQ(refusal(am(), {.dpi = 2400, .ink_number = 7}),
            "method 'am' needs angle=, or an ink with a name: the usual value for ink 7 is not "
            "known");
}

TEST(Complete, RefusesWhatTheMethodRefuses) {
  EXPECT_EQ(refusal({.method = "floyd-steinburg"}),
            "there is no halftoning method 'floyd-steinburg', did you mean 'floyd-steinberg'?");
  EXPECT_EQ(refusal({.method = "threshold", .parameters = {{"level", 101}}}),
            "parameter 'level' must be in 0.1 .. 100, found 101");
  EXPECT_EQ(refusal(am({{"ruling", 200}}), {.dpi = 600}),
            "method 'am': a ruling of 200 lpi at 600 dpi leaves less than 4 px to a cell; give "
            "the plates' resolution, such as 2400 dpi, or use at most 150 lpi");
}

}  // namespace
}  // namespace mezzo::test::complete_test
