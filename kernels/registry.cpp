#include "kernels/registry.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/base/error.h"
#include "kernels/coarse_halftoner.h"
#include "kernels/gpu/context.h"
#include "kernels/halftoner.h"
#include "kernels/method_table.h"
#include "kernels/packed_levels.h"
#include "kernels/screen/ink_angles.h"
#include "kernels/screen/threshold_levels.h"
#include "kernels/spelling/synonyms.h"
#include "kernels/together/inks_halftoner.h"
#include "kernels/together/parameter.h"

namespace mezzo {
namespace {

constexpr EngineInfo kEngines[] = {
    {Engine::kAutomatic, "auto"},
    {Engine::kCpu, "cpu"},
    {Engine::kGpu, "gpu"},
    {Engine::kHandover, "handover"},
    {Engine::kHybrid, "hybrid"},
};

std::string quoted(std::string_view name) {
  return "'" + std::string(name) + "'";
}

/// A number as people write it: 0.1, 50.
std::string shortest(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

/// ", did you mean 'x'?" or nothing.
template <typename Items>
std::string suggestion(std::string_view name, const Items& items) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(item.name);
  const std::string_view close = closest_name(name, names);
  return close.empty() ? std::string() : ", did you mean " + quoted(close) + "?";
}

/// The range of the parameter's values: "in 0.1 .. 100", "0 (spiral) or 1 (serpentine)".
std::string expected(const ParameterInfo& parameter) {
  const size_t count = parameter.choices.size();
  if (count == 0) {
    return (parameter.integer ? "a whole number in " : "in ") + shortest(parameter.minimum) +
           " .. " + shortest(parameter.maximum) +
           (parameter.unit.empty() ? "" : " " + std::string(parameter.unit));
  }
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    if (i > 0) text += i + 1 == count ? " or " : ", ";
    text += std::to_string(i) + " (" + std::string(parameter.choices[i]) + ")";
  }
  return text;
}

/// "; it is a parameter of am", or the name that was meant.
std::string advice_on_parameter(std::string_view name, const MethodInfo& method) {
  std::string owners;
  for (const MethodInfo& other : methods()) {
    if (std::ranges::find(other.parameters, name, &ParameterInfo::name) == other.parameters.end())
      continue;
    owners += (owners.empty() ? "" : ", ") + std::string(other.name);
  }
  return owners.empty() ? suggestion(name, method.parameters) : "; it is a parameter of " + owners;
}

const MethodInfo& required_method(std::string_view name) {
  if (const MethodInfo* method = find_method(name)) return *method;
  throw Error(ErrorKind::kUsage,
              "there is no halftoning method " + quoted(name) + suggestion(name, methods()));
}

/// Names of all methods with several levels.
std::string methods_with_levels() {
  std::string names;
  for (const MethodInfo& method : methods()) {
    if (method.levels == LevelSupport::kNone) continue;
    names += (names.empty() ? "" : ", ") + std::string(method.name);
  }
  return names;
}

void refuse_levels(const MethodInfo& method, const LevelSettings& levels) {
  const std::string fault = check(levels);
  if (!fault.empty()) throw Error(ErrorKind::kUsage, fault);
  if (method.levels != LevelSupport::kNone) return;
  throw Error(
      ErrorKind::kUsage,
      "method " + quoted(method.name) + " has no levels; these have: " + methods_with_levels());
}

/// Levels and squares are made of planes by themselves.
void refuse_with_inks_together(const MethodInfo& method, const HalftoneSettings& settings) {
  const bool has_dot = method.square_side(settings) != 1;
  if (!settings.levels && !has_dot) return;
  throw Error(ErrorKind::kUsage,
              "method " + quoted(method.name) + ": 'inks: together' goes with plates of single " +
                  "pixels of ink or paper; leave out " + (has_dot ? "'dot'" : "'levels'") +
                  ", or use 'inks: apart'");
}

/// Whether the schedule runs what the settings ask for.
bool suits(const ScheduleInfo& schedule, const HalftoneSettings& settings) {
  return schedule.has_levels || !settings.levels;
}

/// The schedule that the settings name.
const ScheduleInfo& named_schedule(const MethodInfo& method, const HalftoneSettings& settings) {
  const ScheduleInfo* named = find_schedule(method, settings.schedule, settings.engine);
  const ScheduleInfo* other = find_schedule(method, settings.schedule, Engine::kAutomatic);
  if (other == nullptr) {
    throw Error(ErrorKind::kUsage,
                "method " + quoted(method.name) + " has no schedule " + quoted(settings.schedule) +
                    suggestion(settings.schedule, method.schedules));
  }
  if (named == nullptr) {
    throw Error(ErrorKind::kUsage,
                "schedule " + quoted(other->name) + " runs on engine " +
                    quoted(to_string(other->engine)) + ", not on " +
                    quoted(to_string(settings.engine)));
  }
  if (suits(*named, settings)) return *named;
  throw Error(
      ErrorKind::kUsage,
      "schedule " + quoted(named->name) + " of method " + quoted(method.name) + " has no levels",
      "leave the schedule out");
}

/// Refuses parameters that do not fit each other.
void check_together(const MethodInfo& method, const HalftoneSettings& settings) {
  const std::string place = "method " + quoted(method.name) + ": ";
  try {
    const std::string fault = method.check(settings);
    if (!fault.empty()) throw Error(ErrorKind::kUsage, fault);
  } catch (const Error& error) {
    throw error.at(place);
  }
}

/// The settings with a checked value for every parameter of the method.
HalftoneSettings completed(const MethodInfo& method, HalftoneSettings settings) {
  for (const auto& [name, value] : settings.parameters) {
    const auto known = std::ranges::find(method.parameters, name, &ParameterInfo::name);
    if (known == method.parameters.end()) {
      throw Error(ErrorKind::kUsage,
                  "method " + quoted(method.name) + " has no parameter " + quoted(name) +
                      advice_on_parameter(name, method));
    }
    const bool whole = !known->integer || value == std::floor(value);
    if (!(value >= known->minimum && value <= known->maximum) || !whole) {
      throw Error(ErrorKind::kUsage,
                  "parameter " + quoted(name) + " must be " + expected(*known) + ", found " +
                      shortest(value));
    }
  }
  for (const ParameterInfo& parameter : method.parameters) {
    settings.parameters.try_emplace(std::string(parameter.name), parameter.default_value);
  }
  if (method.check != nullptr) check_together(method, settings);
  if (settings.levels) refuse_levels(method, *settings.levels);
  return settings;
}

std::string needs(const HalftoneSettings& settings, const ParameterInfo& parameter) {
  return "method '" + settings.method + "' needs " + std::string(parameter.name) + "=";
}

/// Six digits, as people write a resolution: 2400, 299.999.
std::string six_digits(double value) {
  std::array<char, 32> text{};
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
  return {text.data(), end.ptr};
}

void fill_in_resolution(const ParameterInfo& parameter,
                        const CompleteSettings::Plate& plate,
                        HalftoneSettings& settings) {
  double& value = settings.parameters.try_emplace(std::string(parameter.name), 0).first->second;
  const double given = value;
  if (value == 0) value = plate.dpi;
  if (value == 0) {
    throw Error(ErrorKind::kUsage,
                needs(settings, parameter) + ": " +
                    std::string(parameter.summary.substr(0, parameter.summary.find(';'))) +
                    ", in " + std::string(parameter.unit));
  }
  if (plate.dpi == 0 || value == plate.dpi) return;
  throw Error(ErrorKind::kUsage,
              "method '" + settings.method + "' is set to " + six_digits(given) +
                  " dpi, and the plates have " + six_digits(plate.dpi),
              "leave its dpi out")
      .about("halftone." + std::string(parameter.name));
}

void fill_in_angle(const ParameterInfo& parameter,
                   const CompleteSettings::Plate& plate,
                   HalftoneSettings& settings) {
  if (settings.parameters.contains(parameter.name)) return;
  if (!plate.ink.empty()) {
    settings.parameters.emplace(parameter.name, screen::usual_angle(plate.ink));
  } else if (plate.ink_number != 0) {  // the default is that of black
    throw Error(ErrorKind::kUsage,
                needs(settings, parameter) + ", or an ink with a name: the usual value for ink " +
                    std::to_string(plate.ink_number) + " is not known");
  }
}

std::unique_ptr<Halftoner> make_with_dots(const MethodInfo& method,
                                          const HalftoneSettings& complete,
                                          const ScheduleInfo& schedule,
                                          gpu::Context& context) {
  auto halftoner = method.make(complete, schedule, context);
  const uint32_t side = method.square_side(complete);
  return side == 1 ? std::move(halftoner) : make_coarse_halftoner(std::move(halftoner), side);
}

/// The halftoner of one bit of the levels.
std::unique_ptr<Halftoner> made_of_bit(const MethodInfo& method,
                                       HalftoneSettings settings,
                                       uint32_t bit,
                                       const ScheduleInfo& schedule,
                                       gpu::Context& context) {
  if (method.levels == LevelSupport::kOfItsOwn) {
    settings.levels->bit = bit;
    return make_with_dots(method, settings, schedule, context);
  }
  const DropLevels levels = drop_levels(*settings.levels);
  settings.levels.reset();
  return std::make_unique<screen::ThresholdLevels>(
      make_with_dots(method, settings, schedule, context), levels, bit);
}

/// `settings` are complete.
std::unique_ptr<Halftoner> made(const MethodInfo& method,
                                const HalftoneSettings& settings,
                                const ScheduleInfo& schedule,
                                gpu::Context& context) {
  if (!settings.levels) return make_with_dots(method, settings, schedule, context);
  const LevelSettings& levels = *settings.levels;
  const auto of_bit = [&](uint32_t bit) {
    return made_of_bit(method, settings, bit, schedule, context);
  };
  if (levels.format == LevelFormat::kPlanes) return of_bit(levels.bit);
  std::vector<std::unique_ptr<Halftoner>> bits;
  for (uint32_t bit = 0; bit < drop_bits(levels.drops.size()); ++bit) bits.push_back(of_bit(bit));
  if (bits.size() == 1) return std::move(bits.front());
  return std::make_unique<PackedLevels>(std::move(bits));
}

/// The number of letters to insert, remove, replace or exchange with the next to make `a` of `b`.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1), above(b.size() + 1), two_above(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    two_above.swap(above);
    above.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t substituted = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substituted});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row.back();
}

/// Whether an edit distance is that of a slip: up to 1 in 4 letters, 2 in 5 to 8, a third of longer names; at most 1
/// for candidates of 2 or 3 letters, which are too similar to each other.
bool is_slip(std::string_view name, std::string_view candidate, size_t distance) {
  const size_t longer = std::max(name.size(), candidate.size());
  if (longer >= 5 && candidate.size() >= 4) return distance <= std::max<size_t>(2, longer / 3);
  if (longer >= 4) return distance <= 1;
  // Two neighbours exchanged: the same letters.
  return distance == 1 && std::ranges::is_permutation(name, candidate);
}

/// The only candidate that begins with the name, of 3 letters or more.
std::string_view only_one_that_begins(const std::string& name,
                                      std::span<const std::string_view> candidates) {
  std::string_view only;
  for (const std::string_view candidate : candidates) {
    if (name.size() < 3 || !spelling::folded(candidate).starts_with(name) || candidate == only)
      continue;
    if (!only.empty()) return {};
    only = candidate;
  }
  return only;
}

}  // namespace

std::string_view choice_name(const ParameterInfo& parameter, double value) {
  MZ_ASSERT(value >= 0 && value < static_cast<double>(parameter.choices.size()));
  return parameter.choices[static_cast<size_t>(value)];
}

std::span<const EngineInfo> engines() {
  return kEngines;
}

std::string_view to_string(Engine engine) {
  return std::ranges::find(kEngines, engine, &EngineInfo::engine)->name;
}

std::optional<Engine> engine_named(std::string_view name) {
  const auto found = std::ranges::find(kEngines, name, &EngineInfo::name);
  return found == std::end(kEngines) ? std::nullopt : std::optional(found->engine);
}

std::span<const MethodInfo> methods() {
  return method_table();
}

const MethodInfo* find_method(std::string_view name) {
  const auto all = methods();
  const auto found = std::ranges::find(all, name, &MethodInfo::name);
  return found == all.end() ? nullptr : &*found;
}

const ScheduleInfo* find_schedule(const MethodInfo& method, std::string_view name, Engine engine) {
  for (const ScheduleInfo& schedule : method.schedules) {
    const bool on_engine = engine == Engine::kAutomatic || engine == schedule.engine;
    if (schedule.name == name && on_engine) return &schedule;
  }
  return nullptr;
}

CompleteSettings complete(const HalftoneSettings& settings, const CompleteSettings::Plate& plate) {
  HalftoneSettings whole = settings;
  const MethodInfo* method = find_method(settings.method);
  const auto parameters = method == nullptr ? std::span<const ParameterInfo>() : method->parameters;
  for (const ParameterInfo& parameter : parameters) {
    if (parameter.source == ParameterInfo::Source::kPlate) {
      fill_in_resolution(parameter, plate, whole);
    } else if (parameter.source == ParameterInfo::Source::kInk) {
      fill_in_angle(parameter, plate, whole);
    }
  }
  return CompleteSettings(with_defaults(whole));
}

ChosenHalftoner ChosenHalftoner::choice(const HalftoneSettings& settings) {
  const MethodInfo& method = required_method(settings.method);
  completed(method, settings);
  if (!settings.schedule.empty()) {
    return {nullptr, &named_schedule(method, settings), "the schedule is named in the settings"};
  }
  const Engine wanted = settings.engine == Engine::kAutomatic ? Engine::kCpu : settings.engine;
  const ScheduleInfo* fastest = nullptr;
  for (const ScheduleInfo& schedule : method.schedules) {
    if (schedule.engine == wanted && suits(schedule, settings)) fastest = &schedule;
  }
  if (fastest == nullptr) {
    throw Error(ErrorKind::kDevice,
                "method " + quoted(method.name) + " has no schedule for engine " +
                    quoted(to_string(wanted)),
                "use engine 'auto' or 'cpu'");
  }
  return {nullptr,
          fastest,
          settings.engine == Engine::kAutomatic
              ? "engine 'auto': the fastest schedule that this build has for this machine"
              : "the fastest schedule of the engine that the settings name"};
}

ChosenHalftoner make_halftoner(const CompleteSettings& settings) {
  return make_halftoner(settings, gpu::Context::of_process());
}

ChosenHalftoner make_halftoner(const CompleteSettings& settings, gpu::Context& context) {
  ChosenHalftoner chosen = ChosenHalftoner::choice(*settings);
  chosen.halftoner = made(required_method(settings->method), *settings, *chosen.schedule, context);
  return chosen;
}

ChosenInks make_inks_halftoner(const CompleteSettings& settings,
                               const together::InkColours& colours,
                               gpu::Context& context) {
  const MethodInfo& method = required_method(settings->method);
  MZ_ASSERT(together::are_together(*settings) && method.make_together != nullptr);
  refuse_with_inks_together(method, *settings);
  const ScheduleInfo* schedule = ChosenHalftoner::choice(*settings).schedule;
  return {method.make_together(*settings, *schedule, colours, context), schedule};
}

std::unique_ptr<together::InksHalftoner> make_inks_reference(const CompleteSettings& settings,
                                                             const together::InkColours& colours) {
  const MethodInfo& method = required_method(settings->method);
  MZ_ASSERT(together::are_together(*settings) && method.make_together != nullptr);
  return method.make_together(
      *settings, method.schedules.front(), colours, gpu::Context::of_process());
}

HalftoneSettings with_defaults(const HalftoneSettings& settings) {
  return completed(required_method(settings.method), settings);
}

std::unique_ptr<Halftoner> make_reference(const CompleteSettings& settings) {
  const MethodInfo& method = required_method(settings->method);
  const auto reference = std::ranges::find_if(
      method.schedules, [&](const ScheduleInfo& schedule) { return suits(schedule, *settings); });
  return made(method, *settings, *reference, gpu::Context::of_process());
}

std::string_view closest_name(std::string_view name, std::span<const std::string_view> candidates) {
  const std::string wanted = spelling::folded(name);
  for (const std::string_view candidate : candidates) {
    if (spelling::folded(candidate) == wanted) return candidate;
  }
  if (const auto meaning = spelling::synonym_of(name, candidates); !meaning.empty()) return meaning;
  if (const auto only = only_one_that_begins(wanted, candidates); !only.empty()) return only;
  std::string_view best;
  size_t best_distance = SIZE_MAX;
  for (const std::string_view candidate : candidates) {
    const size_t distance = edit_distance(wanted, spelling::folded(candidate));
    if (distance >= best_distance || !is_slip(wanted, candidate, distance)) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace mezzo
