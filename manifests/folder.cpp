#include "manifests/folder.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "manifests/named_files.h"
#include "manifests/plate_settings.h"
#include "manifests/read_text.h"
#include "manifests/settings_reader.h"

namespace mezzo::manifests {
namespace {

using std::chrono::milliseconds;

TakeOrder order_of(std::string_view name) {
  constexpr std::pair<std::string_view, TakeOrder> kOrders[] = {
      {"newest", TakeOrder::kNewest},
      {"smallest", TakeOrder::kSmallest},
      {"largest", TakeOrder::kLargest},
      {"name", TakeOrder::kName},
  };
  for (const auto& [text, order] : kOrders) {
    if (text == name) return order;
  }
  return TakeOrder::kOldest;
}

class FolderReader {
 public:
  FolderReader(const SourceText& source,
               std::vector<Diagnostic>& diagnostics,
               const PressSource& press)
      : diagnostics_(diagnostics),
        press_(press),
        binder_(source, diagnostics, kInFolder),
        settings_(binder_, diagnostics) {}

  void read(const YamlNode& root, FolderSettings& folder);

 private:
  void read_defaults(const BoundMap& bound, FolderSettings& folder);
  void check_paths_of_press(const YamlNode& press, FolderSettings& folder);
  void read_stability(const YamlNode& map, FolderSettings& folder);
  void read_separations(const YamlNode& map, SeparationSets& sets);
  void read_keep(const YamlNode& map, FolderSettings& folder);
  void set_seconds(const BoundMap& bound, std::string_view key, std::chrono::seconds& target);
  void check_plates(const YamlNode& root, const BoundMap& bound, const FolderSettings& folder);

  const std::vector<Diagnostic>& diagnostics_;
  const PressSource& press_;
  Binder binder_;
  SettingsReader settings_;
};

void FolderReader::read(const YamlNode& root, FolderSettings& folder) {
  if (root.kind != YamlNode::Kind::kMap) {
    binder_.complain(
        root.place,
        "the settings of a hot folder are a map with the key 'mezzotint', found " + describe(root));
    return;
  }
  const BoundMap bound = binder_.bind(root, kInFolder);
  read_defaults(bound, folder);
  if (const YamlNode* map = bound.node("limits")) {
    const uint64_t usual = std::exchange(folder.limits.memory_bytes, 0);
    settings_.read_limits(*map, folder.limits);
    folder.names_memory = folder.limits.memory_bytes != 0;
    if (!folder.names_memory) folder.limits.memory_bytes = usual;
  }
  if (const YamlNode* map = bound.node("stability")) read_stability(*map, folder);
  if (const YamlNode* map = bound.node("separations")) read_separations(*map, folder.separations);
  if (const YamlNode* map = bound.node("keep")) read_keep(*map, folder);
  bound.set("plates", folder.plates);
  bound.set("poll", folder.poll);
  if (const auto* order = bound.get<std::string>("order")) folder.order = order_of(*order);
  bound.set("hours", folder.hours);
  if (const auto* tickets = bound.get<std::string>("tickets")) {
    folder.needs_tickets = *tickets == "required";
  }
  if (const auto* redrops = bound.get<std::string>("redrops")) {
    folder.print_again = *redrops == "print";
  }
  if (const auto* clashes = bound.get<std::string>("name_clashes")) {
    folder.replaces_others = *clashes == "replace";
  }
  bound.set("scan", folder.scan);
  bound.set("stall", folder.stall);
  bound.set("priority", folder.priority);
  bound.set("throttle", folder.throttle);
  bound.set("tries", folder.tries);
  bound.set("reserve", folder.reserve_bytes);
  check_plates(root, bound, folder);
}

void FolderReader::read_defaults(const BoundMap& bound, FolderSettings& folder) {
  const auto press = choose_press(bound, binder_, press_);
  if (!press) return;
  LayeredSettings defaults;
  if (*press) {
    folder.press = *press;
    defaults = folder.press->layered;
    settings_.set_press_file(folder.press->file);
    check_paths_of_press(*bound.node("press"), folder);
  }
  if (const YamlNode* map = bound.node("defaults")) {
    const size_t mistakes = diagnostics_.size();
    settings_.read_defaults(*map, defaults);
    if (diagnostics_.size() == mistakes) settings_.check_fit(defaults.settings.halftone, nullptr);
    if (folder.press) folder.defaults_text = block_text(*map, 1);
  }
  folder.defaults = std::move(defaults.settings);
}

/// Jobs have a copy of the press file in a folder of their own, from which no path could start.
void FolderReader::check_paths_of_press(const YamlNode& press, FolderSettings& folder) {
  const auto check = [&](const Origin* origin,
                         const std::string& what,
                         const std::string& pronoun,
                         const std::string& key) {
    if (origin == nullptr || std::filesystem::path(origin->value).is_absolute()) return;
    binder_.complain(press.place,
                     "the press file names its " + what + " " + in_quotes(origin->value) +
                         ", and for a hot folder it must name " + pronoun + " by a whole path",
                     "write '" + key + ": /FOLDER/" + origin->value + "' in line " +
                         std::to_string(origin->place.line) + " of " + folder.press->file);
  };
  LayeredSettings layered = folder.press->layered;
  check(layered.origins->find("curves.library"), "library of curves", "it", "library");
  check(layered.origins->find("colour.tables"), "tables of colour", "them", "tables");
  for (const NamedFile& file : named_files(layered.settings, layered.origins.get())) {
    const bool is_tile = file.halftone != nullptr;
    check(file.origin,
          is_tile ? "thresholds" : "profile",
          is_tile ? "them" : "it",
          std::string(file.key));
  }
}

void FolderReader::read_stability(const YamlNode& map, FolderSettings& folder) {
  const BoundMap bound = binder_.bind(map, kInStability);
  bound.set("looks", folder.looks);
  bound.set("every", folder.every);
  bound.set("age", folder.age);
}

void FolderReader::read_separations(const YamlNode& map, SeparationSets& sets) {
  const BoundMap bound = binder_.bind(map, kInSeparations);
  bound.set("inks", sets.inks);
  bound.set("pattern", sets.pattern);
  bound.set("wait", sets.wait);
}

void FolderReader::read_keep(const YamlNode& map, FolderSettings& folder) {
  const BoundMap bound = binder_.bind(map, kInKeep);
  set_seconds(bound, "done", folder.keep_done);
  set_seconds(bound, "failed", folder.keep_failed);
}

/// Half a second must not become 0, which is for ever.
void FolderReader::set_seconds(const BoundMap& bound,
                               std::string_view key,
                               std::chrono::seconds& target) {
  const auto* value = bound.get<uint64_t>(key);
  if (value == nullptr) return;
  if (*value % 1000 != 0) {
    binder_.complain(
        bound.node(key)->place,
        "'" + std::string(key) + "' must be whole seconds, found " + describe(*bound.node(key)));
    return;
  }
  target = std::chrono::duration_cast<std::chrono::seconds>(milliseconds(*value));
}

void FolderReader::check_plates(const YamlNode& root,
                                const BoundMap& bound,
                                const FolderSettings& folder) {
  if (!diagnostics_.empty()) return;
  std::string problem;
  for (const std::string& path : plate_templates(folder.defaults)) {
    if (problem.empty()) problem = plates_problem(folder.plates, path);
  }
  if (problem.empty()) return;
  const YamlNode* culprit = bound.node("plates");
  const YamlNode* map = &root;
  for (const std::string_view key : {"defaults", "output", "path"}) {
    const auto found = std::ranges::find(map->items, key, &YamlNode::key);
    if (found == map->items.end()) break;
    map = &*found;
    if (key == "path") culprit = map;
  }
  binder_.complain(culprit == nullptr ? root.place : culprit->place,
                   problem,
                   "let 'plates' or 'path' lead to a folder of their own, such as 'plates'");
}

}  // namespace

std::string plates_problem(const std::string& plates, const std::string& output_path) {
  const auto path = (std::filesystem::path(plates) / output_path).lexically_normal();
  if (path.is_absolute() || path.empty() || *path.begin() == "..") return {};
  const std::string first = path.begin()->string();
  if (std::ranges::find(kOwnFolders, first) != kOwnFolders.end()) {
    return "plates would go to " + in_quotes(first) +
           ", where the hot folder keeps files of its own";
  }
  if (std::next(path.begin()) != path.end()) return {};
  return "plates would lie among the pages of the hot folder, and be taken for pages";
}

Checked<FolderSettings> parse_folder_settings(std::string_view text,
                                              const std::string& file,
                                              const PressSource& press) {
  const SourceText source(file, text);
  YamlTree tree = parse_yaml(source, "'mezzotint: 1'");
  std::vector<Diagnostic> diagnostics = std::move(tree.diagnostics);
  FolderSettings folder;
  if (tree.root) FolderReader(source, diagnostics, press).read(*tree.root, folder);
  if (diagnostics.empty()) return folder;
  return in_order(std::move(diagnostics));
}

Checked<FolderSettings> load_folder_settings(const std::string& path) {
  const std::string text = read_text(
      path, "file of settings", Names::kOneAndNoLink, "it is meant for a few lines of settings");
  return parse_folder_settings(
      text, path, press_files_from(std::filesystem::path(path).parent_path().string()));
}

}  // namespace mezzo::manifests
