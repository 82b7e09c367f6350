#include <algorithm>

#include "manifests/binder.h"
#include "manifests/draft.h"
#include "manifests/job.h"
#include "manifests/settings_reader.h"

namespace mezzo::manifests {
namespace {

/// Of the path of plates in the settings of a page; nothing when it has none.
std::optional<Place> place_of_path(const BoundMap& page) {
  const YamlNode* output = page.node("output");
  if (output == nullptr) return std::nullopt;
  const auto path = std::ranges::find(output->items, "path", &YamlNode::key);
  return path == output->items.end() ? std::nullopt : std::optional(path->place);
}

/// Puts a draft together from the values that a Binder checks.
class ManifestReader {
 public:
  ManifestReader(const SourceText& source,
                 std::vector<Diagnostic>& diagnostics,
                 const PressSource& press)
      : diagnostics_(diagnostics),
        press_(press),
        binder_(source, diagnostics, kInManifest),
        settings_(binder_, diagnostics) {}

  void read(const YamlNode& root, JobDraft& draft);

 private:
  void read_pages(const YamlNode& list,
                  const LayeredSettings& defaults,
                  std::vector<DraftPage>& pages);
  void read_page(const YamlNode& node,
                 const LayeredSettings& defaults,
                 std::vector<DraftPage>& pages);
  void select_pages(const YamlNode& node, const std::vector<uint32_t>& chosen, DraftPage& page);
  void check_trailer(const YamlNode& root, const BoundMap& bound);

  const std::vector<Diagnostic>& diagnostics_;
  const PressSource& press_;
  Binder binder_;
  SettingsReader settings_;
  size_t selected_pages_ = 0;
};

void ManifestReader::read(const YamlNode& root, JobDraft& draft) {
  if (root.kind != YamlNode::Kind::kMap) {
    binder_.complain(root.place,
                     "a manifest is a map with the keys 'mezzotint', 'job' and 'pages', found " +
                         describe(root));
    return;
  }
  const auto has = [&](std::string_view key) {
    return std::ranges::find(root.items, key, &YamlNode::key) != root.items.end();
  };
  if (has(kPressKey) && !has("mezzotint")) {
    binder_.complain(root.place,
                     "this is a press file, and no manifest of a job",
                     "name it in a manifest: 'press: FILE'");
    return;
  }
  const BoundMap bound = binder_.bind(root, kInManifest);
  bound.set("job", draft.name);
  bound.set("priority", draft.priority);
  if (const YamlNode* limits = bound.node("limits")) settings_.read_limits(*limits, draft.limits);
  check_trailer(root, bound);
  const auto press = choose_press(bound, binder_, press_);
  if (!press) return;
  LayeredSettings defaults;
  if (*press) {
    defaults = (*press)->layered;
    draft.press_file = (*press)->file;
    settings_.set_press_file(draft.press_file);
  }
  if (const YamlNode* map = bound.node("defaults")) settings_.read_defaults(*map, defaults);
  if (const YamlNode* pages = bound.node("pages")) read_pages(*pages, defaults, draft.pages);
}

void ManifestReader::read_pages(const YamlNode& list,
                                const LayeredSettings& defaults,
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
                               const LayeredSettings& defaults,
                               std::vector<DraftPage>& pages) {
  if (node.is_refused) return;
  const size_t mistakes = diagnostics_.size();
  const YamlNode* halftone = nullptr;
  DraftPage page{.place = node.place};
  LayeredSettings layered = defaults;
  if (node.kind == YamlNode::Kind::kText) {
    const SettingValue input = binder_.value(node, *find_field(kInPage, "input"));
    if (const auto* text = std::get_if<std::string>(&input)) page.input = *text;
    page.input_place = node.place;
  } else if (node.kind == YamlNode::Kind::kMap) {
    const BoundMap bound = binder_.bind(node, kInPage);
    bound.set("input", page.input);
    if (const YamlNode* input = bound.node("input")) page.input_place = input->place;
    if (const auto* chosen = bound.get<std::vector<uint32_t>>("pages")) {
      select_pages(*bound.node("pages"), *chosen, page);
    }
    if (const auto* digest = bound.get<std::string>("sha256")) {
      page.sha256 = *digest;
      page.sha256_place = bound.node("sha256")->place;
    }
    bound.set("literal", page.is_literal);
    bound.set("ink", page.ink);
    page.linework = settings_.read_linework(bound);
    settings_.read_settings(bound, Layer::kPage, layered);
    halftone = bound.node("halftone");
    page.path_place = place_of_path(bound);
  } else {
    const std::string what = node.kind == YamlNode::Kind::kNull ? "is empty" : "is a list";
    binder_.complain(node.place,
                     "an entry of 'pages' " + what + ", and must be a file or a map with 'input'",
                     "write each file in a line of its own, after '- '");
  }
  page.settings = std::move(layered.settings);
  page.origins = std::move(layered.origins);
  if (diagnostics_.size() == mistakes) settings_.check_fit(page.settings.halftone, halftone);
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

ReadDraft read_draft(std::string_view text, const std::string& file, const PressSource& press) {
  JobDraftPtr draft(new JobDraft{.source = SourceText(file, text)});
  YamlTree tree = parse_yaml(draft->source, "'mezzotint: 1' and a 'job:' and its 'pages:'");
  std::vector<Diagnostic> diagnostics = std::move(tree.diagnostics);
  if (tree.root) ManifestReader(draft->source, diagnostics, press).read(*tree.root, *draft);
  return {std::move(draft), in_order(std::move(diagnostics))};
}

Checked<JobDraftPtr> parse_manifest(std::string_view text,
                                    const std::string& file,
                                    const PressSource& press) {
  ReadDraft read = read_draft(text, file, press);
  if (read.mistakes.empty()) return std::move(read.draft);
  return std::move(read.mistakes);
}

Checked<JobDraftPtr> parse_manifest(std::string_view text, const std::string& file) {
  return parse_manifest(text, file, {});
}

}  // namespace mezzo::manifests
