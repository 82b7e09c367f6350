#include "manifests/folder.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "manifests/named_files.h"
#include "manifests/plate_settings.h"
#include "manifests/read_text.h"
#include "manifests/settings/folder_rows.h"
#include "manifests/settings_reader.h"

namespace mezzo::manifests {
namespace {

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
  void read_rows(const FolderGroup& group, const BoundMap& map, FolderSettings& folder);
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
  bound.set("priority", folder.priority);
  for (const FolderGroup& group : folder_groups()) {
    if (group.map == nullptr) {
      read_rows(group, bound, folder);
    } else if (const YamlNode* map = bound.node(group.map->name)) {
      read_rows(group, binder_.bind(*map, group.map->inside), folder);
    }
  }
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

void FolderReader::read_rows(const FolderGroup& group,
                             const BoundMap& map,
                             FolderSettings& folder) {
  for (const Setting<FolderSettings>& row : group.rows) {
    const auto entry = map.entries().find(row.field.name);
    if (entry == map.entries().end()) continue;
    const auto& [node, value] = entry->second;
    const auto* time = std::get_if<uint64_t>(&value);
    if (row.has(kWholeSeconds) && time != nullptr && *time % 1000 != 0) {
      binder_.complain(node->place,
                       "'" + node->key + "' must be whole seconds, found " + describe(*node));
    } else if (!std::holds_alternative<std::monostate>(value)) {
      row.in.set(folder, value);
    }
  }
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
