#include <algorithm>
#include <filesystem>
#include <iterator>

#include "manifests/draft.h"
#include "manifests/job.h"
#include "manifests/press_file.h"
#include "manifests/read_text.h"

namespace mezzo::manifests {

Checked<Job> load_manifest(const std::string& path) {
  return load_manifest(path, {});
}

Checked<Job> load_manifest(const std::string& path,
                           const ManifestFolders& folders,
                           OnMistake on_mistake) {
  const bool is_confined = !folders.within.empty();
  const std::string text =
      read_text(path,
                "manifest",
                is_confined ? Names::kOneAndNoLink : Names::kAny,
                "split the job, or name folders and patterns instead of files");
  const std::string folder =
      is_confined ? folders.within : std::filesystem::path(path).parent_path().string();
  PressSource press = is_confined ? PressSource() : press_files_from(folder);
  if (!folders.press.empty()) {
    Checked<PressFilePtr> given = load_press_file(folders.press);
    if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&given)) return std::move(*wrong);
    press.given = std::move(std::get<PressFilePtr>(given));
  }
  ReadDraft read = read_draft(text, path, press);
  if (!read.mistakes.empty()) {
    // The pages of a hot folder's ticket may still lie where they were dropped.
    if (!is_confined) {
      std::ranges::move(check_inputs(*read.draft, folder), std::back_inserter(read.mistakes));
    }
    return in_order(std::move(read.mistakes));
  }
  if (is_confined) return resolve_within(*read.draft, folders, on_mistake);
  return resolve(*read.draft, folder, folders.plates, on_mistake);
}

}  // namespace mezzo::manifests
