#include "pipeline/cluster/plan/plan_json.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "manifests/json/members.h"
#include "pipeline/cluster/plan/plan_format_1.h"
#include "pipeline/cluster/plan/settings_json.h"
#include "pipeline/plan/failure_json.h"
#include "pipeline/run/result_json.h"
#include "pipeline/wall_time.h"

namespace mezzo::cluster {
namespace {

struct NamedEngine {
  Engine& engine;
};

/// An ink's settings in the plan.
struct PlannedInk {
  manifests::InkSettings settings;
};

/// Describes a member that is left out where it has its default; older plans do not have it either.
template <typename T>
void rare(json::Members& members, std::string_view key, T& value, const T& absent) {
  std::optional<T> given;
  if (value != absent) given = value;
  members(key, given);
  if (members.reads()) value = given.value_or(absent);
}

/// Likewise a list, where it is empty.
template <typename T>
void rare(json::Members& members, std::string_view key, std::vector<T>& list) {
  std::optional<std::vector<T>> given;
  if (!list.empty()) given = list;
  members(key, given);
  if (members.reads()) list = given.value_or(std::vector<T>());
}

/// Few settings have it.
void describe_tile(json::Members& members, TileFile& tile) {
  std::optional<std::string> file, xxh3;
  if (!tile.path.empty()) {
    file = tile.path;
    xxh3 = tile.digest;
  }
  members("tile", file);
  members("tile_xxh3", xxh3);
  if (members.reads()) tile = {.path = file.value_or(""), .digest = xxh3.value_or("")};
}

/// Of a page; that of most is one file, which older plans have in these members too.
void describe_first_linework(json::Members& members, std::optional<manifests::Linework>& linework) {
  std::optional<std::string> file, ink, xxh3;
  std::optional<bool> overprint;
  if (linework) {
    file = linework->file;
    ink = linework->ink;
    overprint = linework->overprint;
    xxh3 = linework->xxh3;
  }
  members("linework", file);
  members("linework_ink", ink);
  members("linework_overprint", overprint);
  members("linework_xxh3", xxh3);
  if (!members.reads() || !file) return;
  linework = {*file, ink.value_or("black"), overprint, xxh3.value_or("")};
}

/// Line work behind the first of a page.
struct PlannedLinework {
  manifests::Linework linework;
  bool operator==(const PlannedLinework&) const = default;
};

void describe(json::Members& members, PlannedLinework& planned) {
  manifests::Linework& linework = planned.linework;
  members("file", linework.file);
  members("ink", linework.ink);
  members("overprint", linework.overprint);
  members("xxh3", linework.xxh3);
}

void describe_linework(json::Members& members, std::vector<manifests::Linework>& linework) {
  std::optional<manifests::Linework> first;
  std::vector<PlannedLinework> others;
  for (const manifests::Linework& one : linework) {
    if (first) others.push_back({one});
    if (!first) first = one;
  }
  describe_first_linework(members, first);
  rare(members, "more_linework", others);
  if (!members.reads() || !first) return;
  linework = {*first};
  for (PlannedLinework& other : others) linework.push_back(std::move(other.linework));
}

void transfer(json::Slot& slot, NamedEngine named) {
  const auto find = [](const std::string& name) { return engine_named(name); };
  json::transfer_named(
      slot, named.engine, [](Engine engine) { return to_string(engine); }, find);
}

struct PlannedShare {
  manifests::InkShare share;
};

void describe(json::Members& members, PlannedShare& planned) {
  members("ink", planned.share.ink);
  members("percent", planned.share.percent);
}

void describe_halftone(json::Members& members, HalftoneSettings& halftone) {
  members("method", halftone.method);
  members("engine", NamedEngine{halftone.engine});
  members("schedule", halftone.schedule);
  members("parameters", halftone.parameters);
  describe_tile(members, halftone.tile);
}

void describe(json::Members& members, PlannedInk& ink) {
  manifests::InkSettings& settings = ink.settings;
  std::vector<PlannedShare> shares;
  for (const manifests::InkShare& share : settings.shares) shares.push_back({share});
  members("ink", settings.ink);
  members("label", settings.label);
  describe_halftone(members, settings.halftone);
  members.object("settings", [&](json::Members& own) { describe_settings(own, settings); });
  members("dropped", settings.is_dropped);
  members("plate", settings.plate);
  members("shares", shares);
  rare(members, "from", settings.from, std::string());
  for (PlannedShare& planned : shares) {
    if (members.reads()) settings.shares.push_back(std::move(planned.share));
  }
}

/// The press in the plan.
struct PlannedPress {
  manifests::Press press = {};
};

struct PlannedPressInk {
  manifests::PressInk ink = {};
};

struct PlannedOverprint {
  manifests::PressOverprint overprint = {};
};

/// Three numbers; older plans do not have them.
void describe_lab(json::Members& members, std::string_view key, std::optional<proof::Lab>& lab) {
  std::optional<std::vector<double>> numbers;
  if (lab) numbers = {lab->l, lab->a, lab->b};
  members(key, numbers);
  if (!members.reads() || !numbers) return;
  if (numbers->size() != 3) throw Error(ErrorKind::kData, "a colour must have three numbers");
  lab = proof::Lab{(*numbers)[0], (*numbers)[1], (*numbers)[2]};
}

void describe(json::Members& members, PlannedOverprint& planned) {
  std::optional<proof::Lab> lab = planned.overprint.lab;
  members("inks", planned.overprint.inks);
  describe_lab(members, "lab", lab);
  planned.overprint.lab = lab.value_or(proof::Lab());
}

void describe(json::Members& members, PlannedPressInk& planned) {
  members("ink", planned.ink.ink);
  members("names", planned.ink.names);
  describe_lab(members, "lab", planned.ink.lab);
  members("film_gsm", planned.ink.film_gsm);
  members("density_gml", planned.ink.density_gml);
}

void describe(json::Members& members, PlannedPress& planned) {
  std::vector<PlannedPressInk> inks;
  for (const manifests::PressInk& ink : planned.press.inks) inks.push_back({ink});
  members("name", planned.press.name);
  members("xxh3", planned.press.xxh3);
  members("inks", inks);
  describe_lab(members, "paper_lab", planned.press.paper_lab);
  std::vector<PlannedOverprint> overprints;
  for (const manifests::PressOverprint& one : planned.press.overprints) overprints.push_back({one});
  rare(members, "overprints", overprints);
  if (!members.reads()) return;
  for (PlannedPressInk& ink : inks) planned.press.inks.push_back(std::move(ink.ink));
  for (PlannedOverprint& one : overprints) {
    planned.press.overprints.push_back(std::move(one.overprint));
  }
}

}  // namespace

static void transfer(json::Slot& slot, ClusterEngineKind& kind) {
  json::transfer_named(
      slot, kind, [](ClusterEngineKind one) { return name_of(one); }, cluster_engine_named);
}

static void describe(json::Members& members, TaskSettings& task) {
  members("engine", task.engine);
  members("threads", task.threads);
  members("memory_bytes", task.memory_bytes);
  members("gpus", task.gpus);
  members("tries", task.tries);
  members("at_once", task.at_once);
  members("program", task.program);
  members("partition", task.partition);
  members("begin", task.begin);
  members("sbatch", task.sbatch);
}

static void describe(json::Members& members, PlannedJob& job) {
  members("name", job.name);
  members("manifest", job.manifest);
  members("folder", job.folder);
  members("memory_bytes", job.limits.memory_bytes);
  members("device_memory_bytes", job.limits.device_memory_bytes);
  members("threads", job.limits.threads);
}

namespace {

/// A curve that a plate refers to; all that is known of it until the plan's curves are read is its digest.
struct CurveName {
  std::string file;
  std::string xxh3;
};

void describe(json::Members& members, CurveName& name) {
  members("file", name.file);
  members("xxh3", name.xxh3);
}

/// A curve of the plan.
struct PlannedCurve {
  ToneSettings::PressCurve curve = {};
};

void describe(json::Members& members, PlannedCurve& planned) {
  ToneSettings::PressCurve& curve = planned.curve;
  using Kind = ToneSettings::PressCurve::Kind;
  bool is_plate = curve.kind == Kind::kPlate;
  members("xxh3", curve.digest);
  members("plate", is_plate);
  members("points", CurvePoints{curve.points});
  rare(members, "cut_off", curve.cut_off_percent, 0.0);
  rare(members, "bump_from", curve.bump_from_percent, 0.0);
  rare(members, "bump_to", curve.bump_to_percent, 0.0);
  curve.kind = is_plate ? Kind::kPlate : Kind::kPress;
}

void describe_curves(json::Members& members, std::vector<plan::PlateCurve>& curves) {
  std::optional<std::vector<CurveName>> names;
  for (const plan::PlateCurve& one : curves) {
    if (!names) names.emplace();
    names->push_back({one.file, one.curve->digest});
  }
  members("curves", names);
  if (!members.reads() || !names) return;
  for (CurveName& name : *names) {
    auto named = std::make_shared<ToneSettings::PressCurve>();
    named->digest = std::move(name.xxh3);
    curves.push_back({std::move(named), std::move(name.file)});
  }
}

/// Each curve of the plates once.
std::vector<PlannedCurve> curves_of(const ClusterPlan& plan) {
  std::map<std::string_view, PlannedCurve> curves;
  for (const PlannedSheet& sheet : plan.sheets) {
    for (const PlannedPlate& plate : sheet.plates) {
      for (const plan::PlateCurve& one : plate.curves) {
        curves.try_emplace(one.curve->digest, PlannedCurve{*one.curve});
      }
    }
  }
  std::vector<PlannedCurve> list;
  for (auto& [digest, curve] : curves) list.push_back(std::move(curve));
  return list;
}

/// Gives the plates the curves that they name.
void put_curves(std::vector<PlannedCurve>& curves, ClusterPlan& plan) {
  std::map<std::string, std::shared_ptr<const ToneSettings::PressCurve>, std::less<>> known;
  for (PlannedCurve& planned : curves) {
    const std::string digest = planned.curve.digest;
    known[digest] = std::make_shared<const ToneSettings::PressCurve>(std::move(planned.curve));
  }
  for (PlannedSheet& sheet : plan.sheets) {
    for (PlannedPlate& plate : sheet.plates) {
      for (plan::PlateCurve& one : plate.curves) {
        const auto found = known.find(one.curve->digest);
        if (found == known.end()) {
          throw Error(ErrorKind::kData,
                      "a plate has the curve '" + one.curve->digest + "', which 'curves' has not");
        }
        one.curve = found->second;
      }
    }
  }
}

}  // namespace

static void describe(json::Members& members, PlannedPlate& plate) {
  members("ink", plate.ink);
  members("path", plate.path);
  rare(members, "page_ink", plate.page_ink, std::string());
  members("drop_bit", plate.drop_bit);
  rare(members, "screen", plate.screen, decltype(plate.screen)());
  describe_curves(members, plate.curves);
  rare(members, "tones_xxh3", plate.numbers.tones, std::string());
  rare(members, "method_xxh3", plate.numbers.method, std::string());
}

static void describe_inks(json::Members& members, std::vector<manifests::InkSettings>& inks) {
  std::optional<std::vector<PlannedInk>> planned;
  for (const manifests::InkSettings& ink : inks) {
    if (!planned) planned.emplace();
    planned->push_back({ink});
  }
  members("inks", planned);
  if (!members.reads() || !planned) return;
  for (PlannedInk& ink : *planned) inks.push_back(std::move(ink.settings));
}

static void describe_press(json::Members& members, std::optional<manifests::Press>& press) {
  std::optional<PlannedPress> planned;
  if (press) planned = PlannedPress{*press};
  members("press", planned);
  if (members.reads() && planned) press = std::move(planned->press);
}

/// The conversion of a page in the plan; without a table it keeps its samples.
struct PlannedColour {
  prepress::Conversion conversion = {};
};

static void describe(json::Members& members, PlannedColour& planned) {
  prepress::Conversion& conversion = planned.conversion;
  members("table", conversion.digest);
  members("planes", conversion.planes);
  members("inks", conversion.inks);
  members("text", conversion.text);
  members("inverted", conversion.is_inverted);
  members("lab", conversion.is_lab);
}

static void describe_colours(json::Members& members, std::vector<prepress::Conversion>& colours) {
  std::optional<std::vector<PlannedColour>> planned;
  for (const prepress::Conversion& conversion : colours) {
    if (!planned) planned.emplace();
    planned->push_back({conversion});
  }
  members("colours", planned);
  if (!members.reads() || !planned) return;
  for (PlannedColour& colour : *planned) colours.push_back(std::move(colour.conversion));
}

static void describe(json::Members& members, PlannedSheet& sheet) {
  manifests::PageSettings& settings = sheet.page.settings;
  members("job", sheet.job);
  members("input", sheet.page.input);
  members("pages", run::PageNumbers{sheet.page.pages});
  members("sha256", sheet.page.sha256);
  members("pixels", sheet.pixels);
  members("plates", sheet.plates);
  describe_halftone(members, settings.halftone);
  members.object("settings", [&](json::Members& all) { describe_settings(all, settings); });
  rare(members, "ink", sheet.page.ink, std::string());
  describe_inks(members, settings.inks);
  describe_press(members, settings.press);
  describe_linework(members, sheet.page.linework);
  describe_colours(members, sheet.page.conversions);
  members("failure", sheet.failure);
  if (members.reads()) sheet.page.stem = std::filesystem::path(sheet.page.input).stem().string();
}

static void describe(json::Members& members, Unit& unit) {
  members("first", unit.first);
  members("count", unit.count);
}

static void describe(json::Members& members, ClusterPlan& plan) {
  std::string made = utc_text_ms(plan.made);
  members.head("plan", 2);
  members("id", plan.id);
  members("program", plan.program);
  members("made", made);
  members("pictures", plan.pictures);
  members("task", plan.task);
  members("jobs", plan.jobs);
  members("sheets", plan.sheets);
  members("units", plan.units);
  std::optional<std::vector<PlannedCurve>> curves;
  if (!members.reads()) {
    std::vector<PlannedCurve> all = curves_of(plan);
    if (!all.empty()) curves = std::move(all);
  }
  members("curves", curves);
  if (!members.reads()) return;
  if (!curves) curves.emplace();
  put_curves(*curves, plan);
  const auto time = parse_utc_ms(made);
  if (!time) throw Error(ErrorKind::kData, "'made' is not a time");
  plan.made = *time;
}

std::string plan_text(const ClusterPlan& plan) {
  return json::to_text(json::to_value(plan)) + "\n";
}

ClusterPlan parse_plan(std::string_view text) {
  json::Value plan = json::parse(text);
  update_format(plan);
  return json::from_value<ClusterPlan>(plan, json::Reading::kStrict);
}

}  // namespace mezzo::cluster
