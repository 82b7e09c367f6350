#include "manifests/settings_reader.h"

#include <algorithm>
#include <filesystem>
#include <span>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/registry.h"
#include "manifests/parameters.h"
#include "manifests/path_template.h"
#include "manifests/plate_settings.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {
namespace {

/// The place of the method in a halftone block, or of the block without one.
Place place_of_method(const YamlNode& halftone) {
  const auto method = std::ranges::find(halftone.items, "method", &YamlNode::key);
  return method == halftone.items.end() ? halftone.key_place : method->key_place;
}

/// A press file has output.resolution on top.
constexpr std::string_view kResolutionOfPress = "resolution";

/// Whether an entry of a bound map is a setting of pages.
bool is_setting(const std::pair<const std::string_view, BoundMap::Entry>& entry) {
  return entry.first == kResolutionOfPress || find_field(kInDefaults, entry.first) != nullptr;
}

/// The ink has a plate of its name.
void forget_use(InkSettings& ink) {
  ink.is_dropped = false;
  ink.plate.clear();
  ink.shares.clear();
  ink.from.clear();
}

bool has_of_method(const InkSettings& ink) {
  return ink.halftone.method.empty() &&
         (!ink.halftone.schedule.empty() || !ink.halftone.parameters.empty() ||
          !ink.halftone.tile.path.empty());
}

void forget_of_method(InkSettings& ink) {
  ink.halftone.schedule.clear();
  ink.halftone.parameters.clear();
  ink.halftone.tile = {};
}

/// The other ink that the plate of one is named after; null when there is none.
const InkSettings* ink_of_plate(const PageSettings& settings, const InkSettings& ink) {
  if (ink.plate.empty() || !settings.press) return nullptr;
  const InkSettings* named = find_ink(settings, ink.plate);
  const bool is_it = named != nullptr && is_one_ink(settings, named->ink, ink.plate);
  return is_it && named != &ink ? named : nullptr;
}

/// Drops what inks without a method of their own have for that of `defaults`.
void forget_method(PageSettings& settings) {
  for (InkSettings& ink : settings.inks) {
    if (!has_of_method(ink)) continue;
    const InkSettings* named = ink_of_plate(settings, ink);
    if (named == nullptr || named->halftone.method.empty()) forget_of_method(ink);
  }
}

/// Likewise for that of an ink that their plates are named after.
void forget_method_of(const InkSettings& named, PageSettings& settings) {
  for (InkSettings& ink : settings.inks) {
    if (has_of_method(ink) && ink_of_plate(settings, ink) == &named) forget_of_method(ink);
  }
}

}  // namespace

void SettingsReader::read_limits(const YamlNode& map, JobLimits& limits) {
  const BoundMap bound = binder_.bind(map, kInLimits);
  bound.set("memory", limits.memory_bytes);
  bound.set("device_memory", limits.device_memory_bytes);
  bound.set("threads", limits.threads);
}

void SettingsReader::read_defaults(const YamlNode& map, LayeredSettings& layered) {
  const size_t mistakes = diagnostics_.size();
  const BoundMap bound = binder_.bind(map, kInDefaults);
  read_settings(bound, Layer::kDefaults, layered);
  const YamlNode* halftone = bound.node("halftone");
  if (halftone != nullptr && diagnostics_.size() == mistakes) {
    defaults_place_ = place_of_method(*halftone);
  }
}

void SettingsReader::read_settings(const BoundMap& map, Layer layer, LayeredSettings& layered) {
  if (std::ranges::none_of(map.entries(), is_setting)) return;
  PageSettings& settings = layered.settings;
  const auto origins = std::make_shared<Origins>(*layered.origins);
  origins_ = origins.get();
  const std::string method = settings.halftone.method;
  if (const YamlNode* node = map.node("halftone")) read_halftone(*node, settings.halftone);
  if (settings.halftone.method != method) forget_method(settings);
  map.set(kResolutionOfPress, settings.output.resolution_dpi);
  for (const SettingGroup* group : setting_groups()) {
    if (map_around(group->key).empty()) read_group(*group, map, settings);
  }
  if (const YamlNode* node = map.node("inks")) read_inks(*node, settings);
  for (const auto& entry : map.entries()) {
    if (!is_setting(entry)) continue;
    const bool is_resolution = entry.first == kResolutionOfPress;
    const std::string key = is_resolution ? "output.resolution" : std::string(entry.first);
    origins->add(layer, key, *entry.second.node, settings);
  }
  origins->keep_valid(settings);
  origins_ = nullptr;
  layered.origins = origins;
}

void SettingsReader::read_group(const SettingGroup& group,
                                const BoundMap& parent,
                                PageSettings& settings) {
  if (group.key.empty()) return read_rows(group, parent, settings);
  const auto entry = parent.entries().find(last_part(group.key));
  if (group.rows.empty() || entry == parent.entries().end()) return;
  const auto& [node, value] = entry->second;
  if (node->kind == YamlNode::Kind::kMap) return read_map(group, *node, settings);
  if (group.clear != nullptr) return group.clear(settings);
  group.begin(settings);
  group.set_all(settings, value);
}

/// Reads a map of settings. With a mistake in one that is checked as a whole, they stay as they were.
void SettingsReader::read_map(const SettingGroup& group,
                              const YamlNode& node,
                              PageSettings& settings) {
  const size_t mistakes = diagnostics_.size();
  const BoundMap bound = binder_.bind(node, inside_of(group, binder_.document()));
  PageSettings read = settings;
  if (group.begin != nullptr) group.begin(read);
  read_rows(group, bound, read);
  for (const SettingGroup* inner : setting_groups()) {
    if (map_around(inner->key) == group.key) read_group(*inner, bound, read);
  }
  if (group.check != nullptr) {
    if (diagnostics_.size() == mistakes) check(group, node, bound, read);
    if (diagnostics_.size() != mistakes) return;
  }
  settings = std::move(read);
}

void SettingsReader::read_rows(const SettingGroup& group,
                               const BoundMap& map,
                               PageSettings& settings) {
  for (const Setting<PageSettings>& row : group.rows) {
    const auto entry = map.entries().find(row.field.name);
    if (entry == map.entries().end()) continue;
    const SettingValue value =
        row.has(kIsPath) ? path_of(row.field, *entry->second.node) : entry->second.value;
    if (!std::holds_alternative<std::monostate>(value)) row.in.set(settings, value);
  }
}

/// The path that a file names, from its own folder.
SettingValue SettingsReader::path_of(const Field& field, const YamlNode& node) {
  if (field.type == FieldType::kFile && node.text == kSrgb) return node.text;
  if (binder_.document() != kInFolder) {
    return (std::filesystem::path(folder_) / node.text).string();
  }
  binder_.complain(node.key_place,
                   "a hot folder takes its profiles from a press file",
                   "move " + in_quotes(field.name) + " to the file that 'press' names");
  return {};
}

void SettingsReader::check(const SettingGroup& group,
                           const YamlNode& node,
                           const BoundMap& bound,
                           const PageSettings& settings) {
  Given given{.keys = {}, .document = binder_.document()};
  for (const auto& [key, entry] : bound.entries()) given.keys.push_back(key);
  const std::optional<Problem> problem = group.check(settings, given);
  if (!problem) return;
  const YamlNode& place = problem->key.empty() ? node : *bound.node(problem->key);
  const bool is_key = problem->is_key || problem->key.empty();
  binder_.complain(is_key ? place.key_place : place.place, problem->text, problem->hint);
}

std::vector<DraftLinework> SettingsReader::read_linework(const BoundMap& page) {
  const YamlNode* node = page.node("linework");
  if (node == nullptr) return {};
  const bool is_list = node->kind == YamlNode::Kind::kList;
  const std::span<const YamlNode> entries =
      is_list ? std::span<const YamlNode>(node->items) : std::span(node, 1);
  if (entries.empty() || entries.size() > kMostLinework) {
    binder_.complain(node->place,
                     "'linework' must have 1 to " + std::to_string(kMostLinework) +
                         " entries, found " + std::to_string(entries.size()));
    return {};
  }
  std::vector<DraftLinework> all;
  const Field& field = *find_field(kInPage, "linework");
  for (const YamlNode& entry : entries) {
    Linework linework;
    if (entry.kind == YamlNode::Kind::kMap) {
      linework = read_linework_map(entry);
    } else if (is_list && entry.kind == YamlNode::Kind::kList) {
      binder_.complain_kind(entry, "linework", "a file, or a map of keys and values", "");
    } else if (const auto value = binder_.value(entry, field);
               const auto* file = std::get_if<std::string>(&value)) {
      linework.file = *file;
    }
    if (linework.file.empty()) continue;
    linework.is_of_each_ink = linework.file.find(kInkName) != std::string::npos;
    all.push_back({std::move(linework), entry.place});
  }
  return all;
}

Linework SettingsReader::read_linework_map(const YamlNode& map) {
  Linework linework;
  const BoundMap bound = binder_.bind(map, kInLinework);
  bound.set("file", linework.file);
  if (bound.node("ink") != nullptr && linework.file.find(kInkName) != std::string::npos) {
    binder_.complain(bound.node("ink")->place,
                     "'ink' has no effect: {ink} in 'file' gives every ink a file of its own",
                     "leave 'ink' out, or name the file of that ink");
  }
  bound.set("ink", linework.ink);
  if (const bool* overprint = bound.get<bool>("overprint")) linework.overprint = *overprint;
  if (linework.overprint && lower_case(linework.ink) == "all") {
    binder_.complain(bound.node("overprint")->place,
                     "'overprint' is about other inks than that of the line work, and 'ink' is all",
                     "leave one of the two out");
  }
  return linework;
}

void SettingsReader::read_halftone(const YamlNode& map, HalftoneSettings& halftone) {
  const std::vector<std::string_view> parameters = all_parameters();
  const BoundMap bound = binder_.bind(map, kInHalftone, parameters);
  if (const auto* engine = bound.get<std::string>("engine")) {
    halftone.engine = std::ranges::find(engines(), *engine, &EngineInfo::name)->engine;
  }
  const auto* name = bound.get<std::string>("method");
  const bool is_named = std::ranges::find(map.items, "method", &YamlNode::key) != map.items.end();
  if (is_named && name == nullptr) return;  // the rest depends on a method that is wrong
  if (name != nullptr && *name != halftone.method) {
    halftone.method = *name;
    halftone.schedule.clear();
    halftone.parameters.clear();
    halftone.tile = {};
  }
  const MethodInfo& method = *find_method(halftone.method);
  read_tile(bound, method, halftone);
  for (const YamlNode& item : map.items) {
    const bool is_parameter = std::ranges::find(parameters, item.key) != parameters.end();
    if (is_parameter && !item.is_refused) read_parameter(item, method, halftone);
  }
  read_schedule(bound, method, halftone);
}

/// The shift of the layers below is that of another file.
void SettingsReader::read_tile(const BoundMap& bound,
                               const MethodInfo& method,
                               HalftoneSettings& halftone) {
  const auto* file = bound.get<std::string>(kTileKey);
  if (file == nullptr) return;
  const Place place = bound.node(kTileKey)->key_place;
  if (!method.takes_tile) {
    std::vector<std::string_view> others;
    for (const MethodInfo& other : methods()) {
      if (other.takes_tile) others.push_back(other.name);
    }
    return binder_.complain(
        place,
        "method '" + std::string(method.name) + "' takes no file of thresholds",
        "'file' belongs to method " + joined(others) + place_of_press_method(halftone.method));
  }
  if (binder_.document() == kInFolder) {
    return binder_.complain(place,
                            "a hot folder takes the thresholds of its screens from a press file",
                            "move 'halftone' to the file that 'press' names");
  }
  halftone.tile = {.path = (std::filesystem::path(folder_) / *file).string()};
  halftone.parameters.erase("shift");
}

void SettingsReader::read_schedule(const BoundMap& bound,
                                   const MethodInfo& method,
                                   HalftoneSettings& halftone) {
  const YamlNode* node = bound.node("schedule");
  if (const auto* name = bound.get<std::string>("schedule")) {
    if (find_schedule(method, *name, Engine::kAutomatic) == nullptr) {
      const std::vector<std::string_view> names = schedules_of(method);
      std::vector<std::string_view> others;
      for (const MethodInfo& other : methods()) {
        if (find_schedule(other, *name, Engine::kAutomatic) != nullptr)
          others.push_back(other.name);
      }
      const std::string_view close = meant(*name, names);
      binder_.complain(
          node->place,
          "method '" + std::string(method.name) + "' has no schedule " + in_quotes(*name),
          !others.empty() ? "it is a schedule of " + joined(others)
          : close.empty() ? "its schedules are " + joined(names)
                          : "did you mean '" + std::string(close) + "'?");
      return;
    }
    halftone.schedule = *name;
  }
  if (halftone.schedule.empty() || halftone.engine == Engine::kAutomatic) return;
  if (find_schedule(method, halftone.schedule, halftone.engine) != nullptr) return;
  const ScheduleInfo* schedule = find_schedule(method, halftone.schedule, Engine::kAutomatic);
  const YamlNode* place = node != nullptr ? node : bound.node("engine");
  if (schedule == nullptr || place == nullptr) return;
  binder_.complain(place->place,
                   "schedule '" + halftone.schedule + "' runs on engine '" +
                       std::string(to_string(schedule->engine)) + "', and engine '" +
                       std::string(to_string(halftone.engine)) + "' is asked for",
                   "leave one of the two out");
}

void SettingsReader::read_parameter(const YamlNode& node,
                                    const MethodInfo& method,
                                    HalftoneSettings& halftone) {
  const ParameterInfo* info = find_parameter(method, node.key);
  if (info == nullptr) {
    std::vector<std::string_view> others;
    for (const MethodInfo& other : methods()) {
      if (find_parameter(other, node.key) != nullptr) others.push_back(other.name);
    }
    binder_.complain(
        node.key_place,
        "method '" + std::string(method.name) + "' has no parameter '" + node.key + "'",
        "it is a parameter of " + joined(others) + place_of_press_method(halftone.method));
    return;
  }
  const std::string expectation = expected(*info);
  if (node.kind != YamlNode::Kind::kText) {
    return binder_.complain_kind(node, node.key, expectation);
  }
  const auto parsed = parse_parameter(*info, node.text);
  const bool is_text = info->percent || !info->unit.empty() || !info->choices.empty();
  const bool needs_quotes_off = node.is_quoted && !is_text;
  const bool good = parsed.value && *parsed.value >= info->minimum &&
                    *parsed.value <= info->maximum && !needs_quotes_off;
  if (good) {
    halftone.parameters[node.key] = *parsed.value;
    return;
  }
  binder_.complain(node.place,
                   "'" + node.key + "' must be " + expectation + ", found " + describe(node),
                   needs_quotes_off ? "take the quotes away" : parsed.hint);
}

/// For the end of a sentence: where the press chooses the method, if it does.
std::string SettingsReader::place_of_press_method(const std::string& method) const {
  if (press_file_.empty() || origins_ == nullptr) return {};
  for (const auto& [key, origin] : origins_->all()) {
    const bool is_it = key.ends_with("halftone.method") && origin.layer == Layer::kPress;
    if (!is_it || origin.value != method) continue;
    return "; '" + method + "' comes from the press, " + press_file_ + ":" +
           std::to_string(origin.place.line);
  }
  return {};
}

void SettingsReader::check_fit(const HalftoneSettings& halftone, const YamlNode* halftone_node) {
  if (halftone_node == nullptr && !defaults_place_) return;
  try {
    with_defaults(halftone);
  } catch (const Error& error) {
    const Place place =
        halftone_node != nullptr ? place_of_method(*halftone_node) : *defaults_place_;
    if (halftone_node == nullptr) defaults_place_.reset();
    binder_.complain(place, error.what());
  }
}

void SettingsReader::read_inks(const YamlNode& map, PageSettings& settings) {
  std::vector<std::pair<std::string, const YamlNode*>> named;
  for (const YamlNode& item : map.items) {
    if (item.is_refused) continue;
    const std::string key = prepress::ink_key(name_on_press(settings, item.key));
    const auto same =
        std::ranges::find(named, key, &std::pair<std::string, const YamlNode*>::first);
    if (same != named.end()) {
      binder_.complain(item.key_place,
                       "ink " + in_quotes(item.key) + " is there twice",
                       in_quotes(same->second->key) + " in line " +
                           std::to_string(same->second->key_place.line) + " is the same ink");
      continue;
    }
    named.emplace_back(key, &item);
    if (!is_good_spot(item, settings)) continue;
    const bool is_word =
        item.kind == YamlNode::Kind::kText && (item.text == "drop" || item.text == "keep");
    if (item.kind != YamlNode::Kind::kMap && !is_word) {
      binder_.complain_kind(
          item, item.key, "drop, keep, or a map of the ink's settings such as {label: C}");
      continue;
    }
    auto entry = std::ranges::find_if(
        settings.inks, [&](const InkSettings& ink) { return prepress::ink_key(ink.ink) == key; });
    if (entry == settings.inks.end()) {
      settings.inks.push_back(begun(item, settings));
      entry = std::prev(settings.inks.end());
    }
    const std::string method = entry->halftone.method;
    if (is_word) {
      forget_use(*entry);
      entry->is_dropped = item.text == "drop";
    } else {
      read_ink(item, settings, *entry);
    }
    if (entry->halftone.method != method) forget_method_of(*entry, settings);
  }
}

/// The entry of an ink that the settings do not have yet: that of the press for all others, unless it
/// is printed as one that they have.
InkSettings SettingsReader::begun(const YamlNode& item, const PageSettings& settings) {
  InkSettings ink{.ink = item.key, .label = {}};
  const auto has = [&](std::string_view key) {
    return std::ranges::find(item.items, key, &YamlNode::key) != item.items.end();
  };
  const bool has_no_plate = item.text == "drop" || has("as") || has("to");
  if (!settings.press || has_no_plate) return ink;
  const auto plate = std::ranges::find(item.items, "plate", &YamlNode::key);
  const InkSettings* of_press =
      find_ink(settings, plate == item.items.end() ? item.key : plate->text);
  if (of_press == nullptr || !prepress::is_same_ink(of_press->ink, kSpotInks)) return ink;
  origins_->copy_ink(of_press->ink, item.key);
  ink = *of_press;
  ink.ink = item.key;
  return ink;
}

/// `spot` stands for many inks in a press file, and nothing else can say more of it.
bool SettingsReader::is_good_spot(const YamlNode& item, const PageSettings& settings) {
  if (!prepress::is_same_ink(item.key, kSpotInks)) return true;
  if (binder_.document() != kInPress) {
    if (!settings.press || !settings.press->find(kSpotInks)) return true;
    binder_.complain(
        item.key_place,
        "'spot' stands for the other inks of the press, and only its press file can set it",
        "name the ink that is meant");
    return false;
  }
  constexpr const char* kHint = "give the ink an entry of its own";
  if (item.kind == YamlNode::Kind::kText) {
    binder_.complain(
        item.place, "'spot' stands for all other inks, and must be a map of their settings", kHint);
    return false;
  }
  bool is_good = true;
  for (const YamlNode& inside : item.items) {
    constexpr std::string_view kOfOneInk[] = {"label", "names", "plate", "as", "to", "from"};
    if (std::ranges::find(kOfOneInk, inside.key) == std::end(kOfOneInk)) continue;
    binder_.complain(inside.key_place,
                     "'" + inside.key + "' is for one ink, and 'spot' stands for all others",
                     kHint);
    is_good = false;
  }
  return is_good;
}

/// `ink`: an entry of the settings.
void SettingsReader::read_ink(const YamlNode& map, const PageSettings& settings, InkSettings& ink) {
  const BoundMap bound = binder_.bind(map, binder_.document() == kInPress ? kInPressInk : kInInk);
  read_use(bound, settings, ink);
  bound.set("label", ink.label);
  if (const YamlNode* node = bound.node("levels")) {
    PageSettings of_ink;
    of_ink.halftone.levels = ink.halftone.levels;
    read_map(*find_group("levels"), *node, of_ink);
    ink.halftone.levels = of_ink.halftone.levels;
  }
  if (const YamlNode* node = bound.node("halftone")) read_ink_halftone(*node, settings, ink);
  read_over(bound, ink.over);
}

/// The settings that an ink has of its own.
void SettingsReader::read_over(const BoundMap& ink, Overlay& over) {
  std::map<std::string_view, BoundMap> maps;
  const auto map_of = [&](std::string_view key) -> const BoundMap& {
    const auto known = maps.find(key);
    if (known != maps.end()) return known->second;
    const YamlNode* node = ink.node(key);
    const Field& field = *find_field(kInInk, key);
    return maps[key] = node == nullptr ? BoundMap() : binder_.bind(*node, field.inside);
  };
  for (const auto& [group, row, key] : settings_of_inks()) {
    const BoundMap& map = group->key.empty() ? ink : map_of(group->key);
    const auto entry = map.entries().find(row->field.name);
    if (entry == map.entries().end()) continue;
    const SettingValue& value = entry->second.value;
    const bool is_good = !std::holds_alternative<std::monostate>(value);
    if (is_good) over[key] = value;
  }
}

/// Reads what becomes of the ink, of which a map says one thing at most.
void SettingsReader::read_use(const BoundMap& bound,
                              const PageSettings& settings,
                              InkSettings& ink) {
  const YamlNode *as = bound.node("as"), *to = bound.node("to");
  std::vector<const YamlNode*> uses;
  for (const std::string_view key : {"plate", "as", "to", "from"}) {
    if (const YamlNode* node = bound.node(key)) uses.push_back(node);
  }
  if (uses.empty()) return;
  forget_use(ink);
  if (uses.size() > 1) {
    binder_.complain(
        uses[1]->key_place,
        "an ink has one of 'plate', 'as', 'to' and 'from', and here are several",
        "'plate' is another name, 'as' and 'to' add it to plates of others, 'from' makes "
        "it of another ink");
    return;
  }
  bound.set("from", ink.from);
  bound.set("plate", ink.plate);
  if (ink_of_plate(settings, ink) != nullptr && has_of_method(ink)) forget_of_method(ink);
  if (const auto* other = bound.get<std::string>("as")) ink.shares = {{*other}};
  if (to != nullptr) ink.shares = read_shares(*to, settings);
  if (as == nullptr && to == nullptr) return;
  for (const std::string_view key : {"label", "halftone", "levels", "tone", "protect", "output"}) {
    const YamlNode* node = bound.node(key);
    if (node == nullptr) continue;
    binder_.complain(node->key_place,
                     "'" + std::string(key) + "' has no effect: with '" +
                         (as != nullptr ? "as" : "to") + "' the ink has no plate of its own",
                     "give it to the ink that it is added to");
  }
}

std::vector<InkShare> SettingsReader::read_shares(const YamlNode& map,
                                                  const PageSettings& settings) {
  std::vector<InkShare> shares;
  if (map.items.empty()) {
    binder_.complain(map.place, "'to' names no ink", "write 'drop' for an ink that is not printed");
  }
  for (const YamlNode& item : map.items) {
    if (item.is_refused) continue;
    const auto same = std::ranges::find_if(
        shares, [&](const InkShare& share) { return is_one_ink(settings, share.ink, item.key); });
    if (same != shares.end()) {
      binder_.complain(item.key_place,
                       "ink " + in_quotes(item.key) + " is there twice",
                       in_quotes(same->ink) + " is the same ink");
      continue;
    }
    const bool is_text = item.kind == YamlNode::Kind::kText;
    const auto parsed = is_text ? parse_percent(item.text) : Parsed<double>();
    if (parsed.value && *parsed.value <= 100) {
      shares.push_back({item.key, *parsed.value});
    } else {
      binder_.complain(item.place,
                       "the share of ink " + in_quotes(item.key) +
                           " must be a percentage from 0% to 100%, found " + describe(item),
                       parsed.hint);
    }
  }
  return shares;
}

/// Reads the ink's method over that of its page, and keeps what the map gives.
void SettingsReader::read_ink_halftone(const YamlNode& map,
                                       const PageSettings& settings,
                                       InkSettings& ink) {
  const size_t mistakes = diagnostics_.size();
  HalftoneSettings whole = plate_settings(settings, ink.ink).halftone;
  whole.engine = ink.halftone.engine;
  const std::string method = whole.method;
  read_halftone(map, whole);
  if (whole.method != method) forget_of_method(ink);
  ink.halftone.engine = whole.engine;
  for (const YamlNode& item : map.items) {
    if (item.key == "method") ink.halftone.method = whole.method;
    if (item.key == "schedule") ink.halftone.schedule = whole.schedule;
    if (item.key == kTileKey) {
      ink.halftone.tile = whole.tile;
      if (!whole.parameters.contains("shift")) ink.halftone.parameters.erase("shift");
    }
    const auto parameter = whole.parameters.find(item.key);
    if (parameter != whole.parameters.end()) {
      ink.halftone.parameters[item.key] = parameter->second;
    }
  }
  if (diagnostics_.size() == mistakes) check_fit(whole, &map);
}

}  // namespace mezzo::manifests
