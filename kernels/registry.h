// The table of halftoning methods: names, help texts, parameters and how to make one.
//
// The manifest parser, the command line, the schema, the contract tests and the benchmark all read
// this table, so a method that is listed here is complete everywhere.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kernels/halftoner.h"

namespace mezzo {

/// Where a method runs. `automatic` chooses what is fastest; the bits are always the same.
enum class Engine { kAutomatic, kCpu, kGpu, kHandover, kHybrid };

struct EngineInfo {
  Engine engine;
  std::string_view name;  ///< as it is written in a manifest
};
std::span<const EngineInfo> engines();
std::string_view to_string(Engine engine);

/// A number that a method takes. Percentages may be written with a percent sign, numbers with a
/// unit with its name behind them; a number with `choices` is written as one of their names, and is
/// its index.
struct ParameterInfo {
  std::string_view name;
  std::string_view summary;
  double minimum;
  double maximum;
  double default_value;
  bool percent = false;
  bool integer = false;
  bool tuning = false;  ///< changes how fast a method runs, never its bits
  std::span<const std::string_view> choices = {};  ///< names of 0, 1, ..; empty: plain numbers
  std::string_view unit = {};                      ///< as in "30 s"; may be left out
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

/// The name of a valid value of a parameter with choices.
std::string_view choice_name(const ParameterInfo& parameter, double value);

/// One way to run a method; all schedules of a method give the same bits.
struct ScheduleInfo {
  std::string_view name;
  std::string_view summary;
  Engine engine;              ///< kCpu or kGpu, or kHandover or kHybrid
  bool uses_threads = false;  ///< more members of a team make it faster
};

/// What a user asks for.
struct HalftoneSettings {
  std::string method = "floyd-steinberg";
  Engine engine = Engine::kAutomatic;
  std::string schedule = {};  ///< empty: the engine's fastest
  std::map<std::string, double, std::less<>> parameters =
      {};  ///< by name; a missing one is default

  bool operator==(const HalftoneSettings&) const = default;
};

/// One line of the table. The first schedule is the reference, which --verify uses; the last of an
/// engine is its fastest.
struct MethodInfo {
  std::string_view name;
  std::string_view summary;
  std::span<const ParameterInfo> parameters;
  std::span<const ScheduleInfo> schedules;
  /// `schedule` is one of the above; `settings.parameters` holds a valid value for every parameter.
  /// Throws Error kDevice where this machine or build lacks the schedule's engine.
  std::unique_ptr<Halftoner> (*make)(const HalftoneSettings& settings,
                                     const ScheduleInfo& schedule);
  /// Where values, each valid, must also fit each other: empty, or one sentence that says what does
  /// not. The settings are complete. May be null.
  std::string (*check)(const HalftoneSettings& settings) = nullptr;
};

std::span<const MethodInfo> methods();

/// Lists one more method, at the end, for as long as this lives: for tests of what no method of the
/// table does yet. Before threads start; the last made goes first.
class ExtraMethod {
 public:
  explicit ExtraMethod(const MethodInfo& method);
  ~ExtraMethod();
  ExtraMethod(const ExtraMethod&) = delete;
  ExtraMethod& operator=(const ExtraMethod&) = delete;
};

/// The method of that name, or null.
const MethodInfo* find_method(std::string_view name);

/// The method's schedule of that name on that engine, or null. The name alone may stand for two,
/// one an engine: kAutomatic gives the first.
const ScheduleInfo* find_schedule(const MethodInfo& method, std::string_view name, Engine engine);

/// A halftoner ready to run, and why it is this one.
struct ChosenHalftoner {
  std::unique_ptr<Halftoner> halftoner;
  const ScheduleInfo* schedule;
  std::string reason;  ///< for --explain
};

/// Fills in defaults and chooses a schedule. Throws Error: kUsage for an unknown method, schedule
/// or parameter or a value out of range, kDevice for an engine that this machine does not have.
ChosenHalftoner make_halftoner(const HalftoneSettings& settings);

/// The settings with a value for every parameter of their method. Throws Error(kUsage) for an
/// unknown method or parameter, or a value out of range.
HalftoneSettings with_defaults(const HalftoneSettings& settings);

/// The reference schedule of the method, whatever engine and schedule the settings ask for.
std::unique_ptr<Halftoner> make_reference(const HalftoneSettings& settings);

/// The name of `candidates` closest to `name` in spelling, or empty when none is close. For "did
/// you mean".
std::string_view closest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace mezzo
