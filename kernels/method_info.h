// The description of a method: name, help, parameters, schedules, and its maker. Methods include
// this; registry.h lists them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kernels/settings.h"

namespace mezzo::together {
class InksHalftoner;
struct InkColours;
}  // namespace mezzo::together

namespace mezzo {

class Halftoner;
namespace gpu {
class Context;
}

/// A number that a method takes. Percentages may be written with a percent sign, numbers with a
/// unit with its name behind them; a number with `choices` is written as one of their names, and is
/// its index.
struct ParameterInfo {
  /// Who knows the value of a parameter that the user leaves out.
  enum class Source {
    kMethod,  ///< the method: its default
    kPlate,   ///< the plate: its resolution, which complete() (complete.h) fills in or misses
    kInk,     ///< the ink: its usual angle, which complete() fills in or misses
    kSheet,  ///< the method, by default; any other value concerns all inks of a sheet, and a caller that
             ///< halftones single planes refuses it
  };

  std::string_view name;
  std::string_view summary;
  double minimum;
  double maximum;
  double default_value;
  bool percent = false;
  bool integer = false;
  bool tuning = false;  ///< never changes bits: how fast a method runs, what is refused
  /// Plates and reports name it only where it is not the default.
  bool unnamed_default = false;
  std::span<const std::string_view> choices = {};  ///< names of 0, 1, ..; empty: plain numbers
  std::string_view unit = {};                      ///< as in "30 s"; may be left out
  /// complete() (complete.h) fills in numbers of plates and inks; HalftoneOptions (halftone.h) refuses values
  /// that concern all inks of a sheet.
  Source source = Source::kMethod;
};

/// A parameter that is one of `choices`, which must outlive it. The first one is the default.
constexpr ParameterInfo choice_parameter(std::string_view name,
                                         std::string_view summary,
                                         std::span<const std::string_view> choices,
                                         uint32_t default_choice = 0) {
  return {.name = name,
          .summary = summary,
          .minimum = 0,
          .maximum = static_cast<double>(choices.size()) - 1,
          .default_value = static_cast<double>(default_choice),
          .integer = true,
          .choices = choices};
}

/// Of all methods, but for those with a `dot` of another kind (coarse_halftoner.h). Plates that were
/// made before it was there say what they said.
inline constexpr ParameterInfo kDotParameter{
    .name = "dot",
    .summary = "side of the smallest dot and hole; 2 halftones 2 x 2 pixels as one, and so on",
    .minimum = 1,
    .maximum = 4,
    .default_value = 1,
    .integer = true,
    .unnamed_default = true,
    .unit = "px"};

/// A method's own parameters, and kDotParameter if they have no `dot`.
template <const auto& kOwn>
inline constexpr auto kWithDot = [] {
  constexpr size_t kCount = std::size(kOwn);
  constexpr bool kHasOne = std::ranges::any_of(
      kOwn, [](const ParameterInfo& parameter) { return parameter.name == kDotParameter.name; });
  std::array<ParameterInfo, kCount + (kHasOne ? 0 : 1)> all = {};
  std::ranges::copy(kOwn, all.begin());
  if (!kHasOne) all.back() = kDotParameter;
  return all;
}();

/// One way to run a method; all schedules of a method give the same bits.
struct ScheduleInfo {
  std::string_view name;
  std::string_view summary;
  Engine engine;              ///< kCpu or kGpu, or kHandover or kHybrid
  bool uses_threads = false;  ///< more members of a team make it faster
  bool has_levels = false;    ///< runs with several levels, where its method does
};

/// What a method makes of several levels (drop_levels.h).
enum class LevelSupport {
  kNone,
  kByThreshold,  ///< ink where the tone exceeds a threshold that depends on the place alone
  kOfItsOwn,     ///< make() takes settings with levels, and gives the bit that they name
};

/// One line of the table. The first schedule is the reference, which --verify uses; the last of an
/// engine is its fastest.
struct MethodInfo {
  std::string_view name;
  std::string_view summary;
  std::span<const ParameterInfo> parameters;
  std::span<const ScheduleInfo> schedules;
  /// `schedule` is one of the above; `settings.parameters` holds a valid value for every parameter.
  /// Settings with levels have one bit of them, and come to methods of kOfItsOwn alone.
  /// `context` is for schedules that use a GPU, and outlives the halftoner. Throws Error kDevice
  /// where this machine or build lacks the schedule's engine.
  std::unique_ptr<Halftoner> (*make)(const HalftoneSettings& settings,
                                     const ScheduleInfo& schedule,
                                     gpu::Context& context);
  /// Checks that valid values fit each other: empty, or one sentence with the mistake. The settings
  /// are complete. May be null.
  std::string (*check)(const HalftoneSettings& settings) = nullptr;
  LevelSupport levels = LevelSupport::kNone;
  bool takes_tile = false;  ///< runs with HalftoneSettings::tile alone; others ignore it
  /// Integers that decide bits, and that exp() and the like of the C library were asked for: another
  /// library may round them otherwise. The settings are complete. Null without any.
  std::vector<int32_t> (*library_numbers)(const HalftoneSettings& settings) = nullptr;
  /// As `make`, for the inks of a sheet together (together/inks_halftoner.h), where the parameter
  /// together::kInksParameter asks for it. Null where the method halftones every ink by itself.
  std::unique_ptr<together::InksHalftoner> (*make_together)(const HalftoneSettings& settings,
                                                            const ScheduleInfo& schedule,
                                                            const together::InkColours& colours,
                                                            gpu::Context& context) = nullptr;

  /// The side of the squares of pixels that it halftones as one (coarse_halftoner.h).
  uint32_t square_side(const HalftoneSettings& settings) const {
    const auto dot = std::ranges::find(parameters, kDotParameter.name, &ParameterInfo::name);
    const auto asked = settings.parameters.find(kDotParameter.name);
    // Some methods have a `dot` of another kind.
    const bool is_side = dot != parameters.end() && dot->choices.empty();
    return is_side && asked != settings.parameters.end() ? static_cast<uint32_t>(asked->second) : 1;
  }
};

}  // namespace mezzo
