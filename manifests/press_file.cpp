#include "manifests/press_file.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/read_text.h"
#include "stages/files/xxh3.h"

namespace mezzo::manifests {
namespace {

std::string digest_of(std::string_view text) {
  files::Xxh3 digest;
  digest.add(text.data(), text.size());
  return digest.hex128();
}

/// Of a value that Binder::lab() has checked.
proof::Lab lab_of(const std::vector<double>& numbers) {
  return {numbers[0], numbers[1], numbers[2]};
}

class PressReader {
 public:
  PressReader(const SourceText& source, std::vector<Diagnostic>& diagnostics)
      : diagnostics_(diagnostics),
        binder_(source, diagnostics, kInPress),
        settings_(binder_, diagnostics) {
    settings_.set_folder(std::filesystem::path(source.file()).parent_path().string());
  }

  void read(const YamlNode& root, LayeredSettings& layered);

 private:
  void read_inks(const YamlNode& map, Press& press);
  void complain_twice(const YamlNode& name, const YamlNode& owner);
  void read_colour(const YamlNode& ink, PressInk& press_ink);
  void read_overprints(const YamlNode& list, Press& press);
  void read_overprint(const YamlNode& item, Press& press);
  bool knows_inks(const YamlNode& names, const Press& press);

  const std::vector<Diagnostic>& diagnostics_;
  Binder binder_;
  SettingsReader settings_;
};

void PressReader::read(const YamlNode& root, LayeredSettings& layered) {
  if (root.kind != YamlNode::Kind::kMap) {
    binder_.complain(root.place,
                     "a press file is a map with the keys 'mezzotint-press' and 'name', found " +
                         describe(root));
    return;
  }
  const auto has = [&](std::string_view key) {
    return std::ranges::find(root.items, key, &YamlNode::key) != root.items.end();
  };
  if (has("mezzotint") && !has(kPressKey)) {
    binder_.complain(root.place,
                     "this is a manifest or the settings of a hot folder, and no press file",
                     "a press file begins with 'mezzotint-press: 1'");
    return;
  }
  const BoundMap bound = binder_.bind(root, kInPress);
  Press& press = layered.settings.press.emplace();
  bound.set("name", press.name);
  settings_.read_settings(bound, Layer::kPress, layered);
  if (const YamlNode* inks = bound.node("inks")) read_inks(*inks, press);
  if (const auto* lab = bound.get<std::vector<double>>("paper_lab")) press.paper_lab = lab_of(*lab);
  if (const YamlNode* overprints = bound.node("overprints")) read_overprints(*overprints, press);
  if (!diagnostics_.empty()) return;
  if (const YamlNode* halftone = bound.node("halftone")) {
    settings_.check_fit(layered.settings.halftone, halftone);
  }
}

/// Their names: no two inks have the same one. SettingsReader has checked all else.
void PressReader::read_inks(const YamlNode& map, Press& press) {
  if (map.items.empty()) {
    binder_.complain(
        map.place, "'inks' names no ink", "leave it out for a press that prints any ink");
  }
  std::map<std::string, const YamlNode*> owners;
  for (const YamlNode& item : map.items) owners.emplace(prepress::ink_key(item.key), &item);
  for (const YamlNode& item : map.items) {
    if (item.is_refused) continue;
    press.inks.push_back({item.key});
    read_colour(item, press.inks.back());
    const auto names = std::ranges::find(item.items, "names", &YamlNode::key);
    if (names == item.items.end() || names->kind != YamlNode::Kind::kList) continue;
    for (const YamlNode& name : names->items) {
      const YamlNode& owner = *owners.emplace(prepress::ink_key(name.text), &item).first->second;
      if (&owner != &item) complain_twice(name, owner);
      press.inks.back().names.push_back(name.text);
    }
  }
}

/// Of an ink whose values SettingsReader has checked: a mistake is not told twice.
void PressReader::read_colour(const YamlNode& ink, PressInk& press_ink) {
  if (!diagnostics_.empty()) return;
  for (const YamlNode& item : ink.items) {
    const Field* field = find_field(kInPressInk, item.key);
    const bool is_colour = item.key == "lab" || item.key == "film" || item.key == "density";
    if (field == nullptr || !is_colour) continue;
    const SettingValue value = binder_.value(item, *field);
    if (item.key == "lab") press_ink.lab = lab_of(std::get<std::vector<double>>(value));
    if (item.key == "film") press_ink.film_gsm = std::get<double>(value);
    if (item.key == "density") press_ink.density_gml = std::get<double>(value);
  }
}

void PressReader::read_overprints(const YamlNode& list, Press& press) {
  for (const YamlNode& item : list.items) {
    if (!item.is_refused) read_overprint(item, press);
  }
}

void PressReader::read_overprint(const YamlNode& item, Press& press) {
  static constexpr Field kInksOf{
      .name = "inks", .scopes = 0, .type = FieldType::kInks, .summary = {}};
  static constexpr Field kLabOf{.name = "lab", .scopes = 0, .type = FieldType::kLab, .summary = {}};
  const auto find = [&](std::string_view key) {
    const auto found = std::ranges::find(item.items, key, &YamlNode::key);
    return found == item.items.end() ? nullptr : &*found;
  };
  const YamlNode *inks = find("inks"), *lab = find("lab");
  if (item.kind != YamlNode::Kind::kMap || inks == nullptr || lab == nullptr ||
      item.items.size() != 2) {
    return binder_.complain(item.place,
                            "an overprint has the keys 'inks' and 'lab', found " + describe(item),
                            "such as {inks: [cyan, magenta], lab: [24, 22, -46]}");
  }
  const size_t mistakes = diagnostics_.size();
  const SettingValue names = binder_.value(*inks, kInksOf), colour = binder_.value(*lab, kLabOf);
  if (diagnostics_.size() != mistakes || !knows_inks(*inks, press)) return;
  press.overprints.push_back(
      {std::get<std::vector<std::string>>(names), lab_of(std::get<std::vector<double>>(colour))});
}

/// At least two, and all of the press where it names its inks.
bool PressReader::knows_inks(const YamlNode& names, const Press& press) {
  if (names.items.size() < 2) {
    binder_.complain(names.place,
                     "an overprint has two inks or more, found one",
                     "the colour of one ink is its 'lab' in 'inks'");
    return false;
  }
  for (const YamlNode& name : names.items) {
    if (press.inks.empty() || press.find(name.text)) continue;
    std::vector<std::string_view> known;
    for (const PressInk& ink : press.inks) known.push_back(ink.ink);
    binder_.complain(name.place,
                     "the press has no ink " + in_quotes(name.text),
                     "its inks are " + joined(known));
    return false;
  }
  return true;
}

void PressReader::complain_twice(const YamlNode& name, const YamlNode& owner) {
  binder_.complain(name.place,
                   "ink " + in_quotes(name.text) + " is there twice",
                   in_quotes(owner.key) + " in line " + std::to_string(owner.key_place.line) +
                       " has that name, too");
}

}  // namespace

Checked<PressFilePtr> parse_press_file(std::string_view text, const std::string& file) {
  const SourceText source(file, text);
  YamlTree tree = parse_yaml(source, "'mezzotint-press: 1' and a 'name:'");
  std::vector<Diagnostic> diagnostics = std::move(tree.diagnostics);
  auto press = std::make_shared<PressFile>(PressFile{.file = file, .text = std::string(text)});
  if (tree.root) PressReader(source, diagnostics).read(*tree.root, press->layered);
  if (!diagnostics.empty()) return in_order(std::move(diagnostics));
  press->layered.settings.press->xxh3 = digest_of(text);
  return press;
}

Checked<PressFilePtr> load_press_file(const std::string& path) {
  const std::string text =
      read_text(path, "press file", Names::kAny, "it is meant for the settings of one machine");
  return parse_press_file(text, path);
}

bool is_press_file(const std::string& path) {
  return has_top_key(path, kPressKey);
}

bool has_top_key(const std::string& path, std::string_view key) {
  try {
    const SourceText source(path, read_text(path, "file", Names::kAny, ""));
    const YamlTree tree = parse_yaml(source, "");
    return tree.root &&
           std::ranges::find(tree.root->items, key, &YamlNode::key) != tree.root->items.end();
  } catch (const Error&) {
    return false;
  }
}

PressSource press_files_from(const std::string& folder) {
  return {.given = nullptr, .read = [folder](const std::string& written) {
            return load_press_file((std::filesystem::path(folder) / written).string());
          }};
}

std::optional<PressFilePtr> choose_press(const BoundMap& top,
                                         Binder& binder,
                                         const PressSource& from) {
  const YamlNode* node = top.node("press");
  if (node != nullptr && !from.read) {
    binder.complain(
        node->key_place,
        "a job cannot choose a press here: in a hot folder, folder.yaml sets it for all jobs",
        "take the line out");
    return std::nullopt;
  }
  if (node == nullptr || from.given) return from.given;
  try {
    Checked<PressFilePtr> press = from.read(node->text);
    if (auto* good = std::get_if<PressFilePtr>(&press)) return std::move(*good);
    binder.add(std::move(std::get<std::vector<Diagnostic>>(press)));
  } catch (const Error& error) {
    binder.complain(node->place, error.what());
  }
  return std::nullopt;
}

}  // namespace mezzo::manifests
