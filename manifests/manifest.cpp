#include <algorithm>
#include <optional>

#include "manifests/binder.h"
#include "manifests/draft.h"
#include "manifests/job.h"
#include "manifests/parameters.h"

namespace mezzo {
namespace {

/// Where a halftone block names its method, or else where the block is.
Place place_of_method(const YamlNode& halftone) {
  const auto method = std::ranges::find(halftone.items, "method", &YamlNode::key);
  return method == halftone.items.end() ? halftone.key_place : method->key_place;
}

/// Puts a draft together from the values that a Binder checks.
class ManifestReader {
 public:
  ManifestReader(const SourceText& source, std::vector<Diagnostic>& diagnostics)
      : diagnostics_(diagnostics), binder_(source, diagnostics) {}

  void read(const YamlNode& root, JobDraft& draft);

 private:
  void read_limits(const YamlNode& map, JobLimits& limits);
  void read_settings(const BoundMap& map, PageSettings& settings);
  void read_halftone(const YamlNode& map, HalftoneSettings& halftone);
  void read_schedule(const BoundMap& bound, const MethodInfo& method, HalftoneSettings& halftone);
  void read_parameter(const YamlNode& node, const MethodInfo& method, HalftoneSettings& halftone);
  void check_fit(const HalftoneSettings& halftone, const YamlNode* halftone_node);
  void read_tone(const YamlNode& map, ToneSettings& tone);
  void read_output(const YamlNode& map, OutputSettings& output);
  void read_pages(const YamlNode& list,
                  const PageSettings& defaults,
                  std::vector<DraftPage>& pages);
  void read_page(const YamlNode& node, const PageSettings& defaults, std::vector<DraftPage>& pages);
  void select_pages(const YamlNode& node, const std::vector<uint32_t>& chosen, DraftPage& page);
  void check_trailer(const YamlNode& root, const BoundMap& bound);

  const std::vector<Diagnostic>& diagnostics_;
  Binder binder_;
  size_t selected_pages_ = 0;
  std::optional<Place> defaults_place_ = {};  // of their method, while it may be complained about
};

void ManifestReader::read(const YamlNode& root, JobDraft& draft) {
  if (root.kind != YamlNode::Kind::kMap) {
    binder_.complain(root.place,
                     "a manifest is a map with the keys 'mezzotint', 'job' and 'pages', found " +
                         describe(root));
    return;
  }
  const BoundMap bound = binder_.bind(root, kInManifest);
  if (const auto* name = bound.get<std::string>("job")) draft.name = *name;
  if (const auto* priority = bound.get<uint64_t>("priority")) {
    draft.priority = static_cast<uint32_t>(*priority);
  }
  if (const YamlNode* limits = bound.node("limits")) read_limits(*limits, draft.limits);
  PageSettings defaults;
  if (const YamlNode* map = bound.node("defaults")) {
    const size_t mistakes = diagnostics_.size();
    const BoundMap settings = binder_.bind(*map, kInDefaults);
    read_settings(settings, defaults);
    const YamlNode* halftone = settings.node("halftone");
    if (halftone != nullptr && diagnostics_.size() == mistakes) {
      defaults_place_ = place_of_method(*halftone);
    }
  }
  if (const YamlNode* pages = bound.node("pages")) read_pages(*pages, defaults, draft.pages);
  check_trailer(root, bound);
}

void ManifestReader::read_limits(const YamlNode& map, JobLimits& limits) {
  const BoundMap bound = binder_.bind(map, kInLimits);
  if (const auto* memory = bound.get<uint64_t>("memory")) limits.memory_bytes = *memory;
  if (const auto* memory = bound.get<uint64_t>("device_memory")) {
    limits.device_memory_bytes = *memory;
  }
  if (const auto* threads = bound.get<uint64_t>("threads")) {
    limits.threads = static_cast<uint32_t>(*threads);
  }
}

void ManifestReader::read_settings(const BoundMap& map, PageSettings& settings) {
  if (const YamlNode* node = map.node("halftone")) read_halftone(*node, settings.halftone);
  if (const YamlNode* node = map.node("tone")) read_tone(*node, settings.tone);
  if (const YamlNode* node = map.node("output")) read_output(*node, settings.output);
}

void ManifestReader::read_halftone(const YamlNode& map, HalftoneSettings& halftone) {
  const std::vector<std::string_view> parameters = all_parameters();
  const BoundMap bound = binder_.bind(map, kInHalftone, parameters);
  if (const auto* engine = bound.get<std::string>("engine")) {
    halftone.engine = std::ranges::find(engines(), *engine, &EngineInfo::name)->engine;
  }
  const auto* name = bound.get<std::string>("method");
  const bool is_named = std::ranges::find(map.items, "method", &YamlNode::key) != map.items.end();
  if (is_named && name == nullptr) return;  // what follows depends on a method that is wrong
  if (name != nullptr && *name != halftone.method) {
    halftone.method = *name;
    halftone.schedule.clear();
    halftone.parameters.clear();
  }
  const MethodInfo& method = *find_method(halftone.method);
  for (const YamlNode& item : map.items) {
    const bool is_parameter = std::ranges::find(parameters, item.key) != parameters.end();
    if (is_parameter && !item.is_refused) read_parameter(item, method, halftone);
  }
  read_schedule(bound, method, halftone);
}

void ManifestReader::read_schedule(const BoundMap& bound,
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

void ManifestReader::read_parameter(const YamlNode& node,
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
        "it is a parameter of " + joined(others));
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

/// Values that must fit each other, after each was found good. Pages that leave the method to
/// `defaults` are told of there, once.
void ManifestReader::check_fit(const HalftoneSettings& halftone, const YamlNode* halftone_node) {
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

void ManifestReader::read_tone(const YamlNode& map, ToneSettings& tone) {
  const BoundMap bound = binder_.bind(map, kInTone);
  if (const auto* invert = bound.get<bool>("invert")) tone.invert = *invert;
  if (const auto* gamma = bound.get<double>("gamma")) tone.gamma = *gamma;
  if (const auto* curve = bound.get<std::vector<CurvePoint>>("curve")) tone.points = *curve;
}

void ManifestReader::read_output(const YamlNode& map, OutputSettings& output) {
  const BoundMap bound = binder_.bind(map, kInOutput);
  if (const auto* path = bound.get<std::string>("path")) output.path = *path;
  if (const auto* compression = bound.get<std::string>("compression")) {
    output.compression = *compression;
  }
  if (const auto* existing = bound.get<std::string>("existing")) {
    output.replace = *existing == "replace";
  }
}

void ManifestReader::read_pages(const YamlNode& list,
                                const PageSettings& defaults,
                                std::vector<DraftPage>& pages) {
  if (list.items.empty() || list.items.size() > kMaxPageEntries) {
    binder_.complain(
        list.place,
        "'pages' must have 1 to " + std::to_string(kMaxPageEntries) + " entries, found " +
            std::to_string(list.items.size()),
        list.items.empty() ? "add '- input: FILE'" : "name folders and patterns instead of files");
    return;
  }
  pages.reserve(list.items.size());
  for (const YamlNode& item : list.items) read_page(item, defaults, pages);
}

void ManifestReader::read_page(const YamlNode& node,
                               const PageSettings& defaults,
                               std::vector<DraftPage>& pages) {
  if (node.is_refused) return;
  const size_t mistakes = diagnostics_.size();
  const YamlNode* halftone = nullptr;
  DraftPage page{.place = node.place, .settings = defaults};
  if (node.kind == YamlNode::Kind::kText) {
    const BoundValue input = binder_.value(node, *find_field(kInPage, "input"));
    if (const auto* text = std::get_if<std::string>(&input)) page.input = *text;
    page.input_place = node.place;
  } else if (node.kind == YamlNode::Kind::kMap) {
    const BoundMap bound = binder_.bind(node, kInPage);
    if (const auto* input = bound.get<std::string>("input")) page.input = *input;
    if (const YamlNode* input = bound.node("input")) page.input_place = input->place;
    if (const auto* chosen = bound.get<std::vector<uint32_t>>("pages")) {
      select_pages(*bound.node("pages"), *chosen, page);
    }
    if (const auto* digest = bound.get<std::string>("sha256")) {
      page.sha256 = *digest;
      page.sha256_place = bound.node("sha256")->place;
    }
    read_settings(bound, page.settings);
    halftone = bound.node("halftone");
  } else {
    const std::string what = node.kind == YamlNode::Kind::kNull ? "is empty" : "is a list";
    binder_.complain(node.place,
                     "an entry of 'pages' " + what + ", and must be a file or a map with 'input'",
                     "write each file in a line of its own, after '- '");
  }
  if (diagnostics_.size() == mistakes) check_fit(page.settings.halftone, halftone);
  pages.push_back(std::move(page));
}

void ManifestReader::select_pages(const YamlNode& node,
                                  const std::vector<uint32_t>& chosen,
                                  DraftPage& page) {
  const bool was_in_limit = selected_pages_ <= kMaxSelectedPages;
  selected_pages_ += chosen.size();
  if (selected_pages_ <= kMaxSelectedPages) {
    page.pages = chosen;
  } else if (was_in_limit) {
    binder_.complain(node.place,
                     "from here on the manifest selects more than " +
                         std::to_string(kMaxSelectedPages) + " pages, which is the limit",
                     "leave 'pages' out where all pages of a file are meant");
  }
}

/// A block list that was cut off is a shorter list for YAML. With the number of entries above it
/// and a last line below it, no cut goes unnoticed.
void ManifestReader::check_trailer(const YamlNode& root, const BoundMap& bound) {
  const YamlNode* total = bound.node("pages_total");
  const YamlNode* pages = bound.node("pages");
  const YamlNode* end = bound.node("end");
  constexpr const char* kCutOff = "the manifest may have been cut off on its way";
  if (end != nullptr && end != &root.items.back()) {
    binder_.complain(end->key_place,
                     "'end' must be the last key of the manifest, and '" +
                         root.items.back().key.substr(0, 64) + "' comes after it",
                     "move it to the last line");
  }
  if (total == nullptr) return;
  const bool has_end = std::ranges::find(root.items, "end", &YamlNode::key) != root.items.end();
  if (!has_end) {
    binder_.complain(total->key_place,
                     "'pages_total' is given, and 'end: true' is missing at the end",
                     std::string(kCutOff) + "; 'end: true' is its last line otherwise");
  }
  if (pages == nullptr) return;
  if (total > pages) {
    binder_.complain(total->key_place,
                     "'pages_total' must stand above 'pages'",
                     "only there can it show that the list was cut off");
  }
  const uint64_t wanted = *bound.get<uint64_t>("pages_total");
  if (wanted == pages->items.size()) return;
  binder_.complain(total->place,
                   "'pages_total' is " + std::to_string(wanted) + ", and 'pages' has " +
                       std::to_string(pages->items.size()) +
                       (pages->items.size() == 1 ? " entry" : " entries"),
                   kCutOff);
}

}  // namespace

void JobDraftDeleter::operator()(JobDraft* draft) const {
  delete draft;
}

Checked<JobDraftPtr> parse_manifest(std::string_view text, const std::string& file) {
  JobDraftPtr draft(new JobDraft{.source = SourceText(file, text)});
  YamlTree tree = parse_yaml(draft->source);
  std::vector<Diagnostic> diagnostics = std::move(tree.diagnostics);
  if (tree.root) ManifestReader(draft->source, diagnostics).read(*tree.root, *draft);
  if (diagnostics.empty()) return draft;
  std::ranges::stable_sort(
      diagnostics, {}, [](const Diagnostic& d) { return std::pair(d.line, d.column); });
  return diagnostics;
}

}  // namespace mezzo
