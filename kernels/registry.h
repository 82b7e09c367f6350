// The table of halftoning methods: names, help texts, parameters and how to make one.
//
// The manifest parser, the command line, the schema and the contract tests all read this table, so
// a method that is listed here is complete everywhere.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kernels/complete.h"
#include "kernels/method_info.h"

namespace mezzo {

struct EngineInfo {
  Engine engine;
  std::string_view name;  ///< as it is written in a manifest
};
std::span<const EngineInfo> engines();
std::string_view to_string(Engine engine);

/// The engine of that name; nothing when there is none.
std::optional<Engine> engine_named(std::string_view name);

/// The name of a valid value of a parameter with choices.
std::string_view choice_name(const ParameterInfo& parameter, double value);

std::span<const MethodInfo> methods();

/// The method of that name, or null.
const MethodInfo* find_method(std::string_view name);

/// The method's schedule of that name on that engine, or null. The name alone may stand for two,
/// one an engine: kAutomatic gives the first.
const ScheduleInfo* find_schedule(const MethodInfo& method, std::string_view name, Engine engine);

/// A halftoner ready to run, and the reason for its choice.
struct ChosenHalftoner {
  std::unique_ptr<Halftoner> halftoner;
  const ScheduleInfo* schedule;
  std::string reason;  ///< for --explain

  /// The choice alone, without a halftoner. Throws Error: kUsage for an unknown method, schedule or parameter or
  /// a value out of range, kDevice for an engine that the method does not run on.
  static ChosenHalftoner choice(const HalftoneSettings& settings);
};

/// Chooses a schedule and makes its halftoner. Throws what choice() throws, and kDevice for an engine that this
/// machine does not have. A GPU is used as part of the context, which outlives the halftoner; without one, of
/// the process's.
ChosenHalftoner make_halftoner(const CompleteSettings& settings);
ChosenHalftoner make_halftoner(const CompleteSettings& settings, gpu::Context& context);

/// Likewise of inks together, whose settings are the same and ask for it (together::are_together());
/// `colours` has the inks in their order. Throws kUsage also for settings with levels or dots of several
/// pixels, and kUnsupported for more inks than the method takes.
struct ChosenInks {
  std::unique_ptr<together::InksHalftoner> halftoner;
  const ScheduleInfo* schedule;
};
ChosenInks make_inks_halftoner(const CompleteSettings& settings,
                               const together::InkColours& colours,
                               gpu::Context& context);

/// The reference of them; the engine and schedule of the settings are ignored.
std::unique_ptr<together::InksHalftoner> make_inks_reference(const CompleteSettings& settings,
                                                             const together::InkColours& colours);

/// The settings with a value for every parameter of their method. Numbers that only the plate knows may be
/// missing in them (complete.h). Throws Error(kUsage) for an unknown method or parameter, or a value out of
/// range.
HalftoneSettings with_defaults(const HalftoneSettings& settings);

/// The reference schedule of the method; the engine and schedule of the settings are ignored.
std::unique_ptr<Halftoner> make_reference(const CompleteSettings& settings);

/// The name of `candidates` closest to `name` in spelling, or empty when none is close. For "did
/// you mean".
std::string_view closest_name(std::string_view name, std::span<const std::string_view> candidates);

}  // namespace mezzo
