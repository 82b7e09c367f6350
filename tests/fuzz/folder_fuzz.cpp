// folder.yaml of strangers, and behind a line of %%%% the press file that it names. What is read is written
// into the manifest of a dropped page, which says the same.

#include <chrono>

#include "manifests/draft.h"
#include "manifests/folder.h"
#include "pipeline/watch/folder/ink_sets.h"
#include "tests/fuzz/manifest_tokens.h"
#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

using manifests::FolderSettings;
using manifests::PressFilePtr;

const std::vector<std::string>& dropped_names() {
  static const std::vector<std::string> names = {"a.tif",
                                                 "it's \"b\" {ink}.tif",
                                                 "*.tif",
                                                 "[x].tif",
                                                 " # - : .tif",
                                                 "tea_K.tif",
                                                 "tea_cyan.TIFF",
                                                 "\xC3\xBC.tif",
                                                 "true",
                                                 "1e5.tif",
                                                 "{page}_{ink}.tif",
                                                 "_.tif"};
  return names;
}

/// The manifest of dropped pages, as it is read again.
void check_manifest(const FolderSettings& folder) {
  std::vector<manifests::WrittenPage> pages;
  for (const std::string& name : dropped_names()) pages.push_back({.input = name});
  std::string text;
  if (!passes([&] { text = write_manifest("job \x01 name/.. ", folder, pages); })) return;
  manifests::PressSource press;
  press.given = folder.press;
  auto read = manifests::parse_manifest(text, "job.yaml", press);
  if (const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&read)) {
    found("a manifest that was written is refused: " + to_string(mistakes->front()) + "\n" + text);
  }
  const manifests::JobDraft& draft = *std::get<manifests::JobDraftPtr>(read);
  demand(draft.limits == folder.limits, "a manifest has other limits than its folder:\n" + text);
  demand(draft.pages.size() == pages.size(), "a manifest has other pages:\n" + text);
  for (size_t i = 0; i < pages.size(); ++i) {
    demand(draft.pages[i].input == pages[i].input, "a manifest names another file:\n" + text);
    demand(draft.pages[i].settings == folder.defaults, "a manifest has other settings:\n" + text);
  }
}

void check_times(const FolderSettings& folder) {
  using std::chrono::hours;
  using Time = std::chrono::system_clock::time_point;
  for (const manifests::TimeWindow& window : folder.hours) {
    const auto again = manifests::parse_time_window(to_string(window));
    demand(again.value == window, "a time window is written as another: " + to_string(window));
    for (const Time now : {Time(hours(490'000)), Time(hours(491'111)), Time(hours(493'777))}) {
      demand(next_begin(window, now) > now, "a window that began already begins next");
      if (contains(window, now))
        demand(end_of(window, now) > now, "a window that holds ended already");
    }
  }
  for (const auto duration :
       {folder.every, folder.age, folder.scan, folder.stall, folder.separations.wait}) {
    demand(manifests::parse_duration(manifests::to_string(duration)).value == duration,
           "a duration is written as another: " + manifests::to_string(duration));
  }
}

}  // namespace

std::vector<Bytes> seeds() {
  std::vector<Bytes> all = source_files("tests/manifests/folder/valid", ".yaml");
  all.push_back(source_file("manifests/examples/folder.yaml"));
  all.push_back(bytes_of(
      "mezzotint: 1\npress: p.yaml\ndefaults: {tone: {gamma: 1.1}, inks: {white: drop}}\n%%%%\n" +
      text_of(source_file("tests/manifests/press/valid/every-key.yaml"))));
  return all;
}

void change(Bytes& input, Random& random) {
  random.one_in(8) ? change_bytes(input, random) : change_text(input, random, manifest_tokens());
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::vector<std::string> texts = texts_of(input, 2);
  manifests::PressSource press;
  press.read = [&](const std::string&) {
    return manifests::parse_press_file(texts[1], "press.yaml");
  };
  const auto read = manifests::parse_folder_settings(texts[0], "folder.yaml", press);
  if (const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&read)) {
    check_mistakes(*mistakes, texts[0] + texts[1]);
    return false;
  }
  const auto& folder = std::get<FolderSettings>(read);
  demand(folder.plates.find('\0') == std::string::npos, "a NUL in the folder of plates");
  manifests::plates_problem(folder.plates, folder.defaults.output.path);
  check_manifest(folder);
  check_times(folder);
  const watch::SetMatcher sets(folder.separations);
  for (const std::string& name : dropped_names()) {
    const auto member = sets.match(name);
    if (member) demand(member->ink < folder.separations.inks.size(), "an ink that no set has");
  }
  return true;
}

}  // namespace mezzo::fuzz
