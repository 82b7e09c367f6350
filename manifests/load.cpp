#include <filesystem>

#include "manifests/job.h"
#include "manifests/read_text.h"

namespace mezzo::manifests {

Checked<Job> load_manifest(const std::string& path) {
  return load_manifest(path, {});
}

Checked<Job> load_manifest(const std::string& path, const ManifestFolders& folders) {
  const bool is_confined = !folders.within.empty();
  const std::string text =
      read_text(path,
                "manifest",
                is_confined ? Names::kOneAndNoLink : Names::kAny,
                "split the job, or name folders and patterns instead of files");
  Checked<JobDraftPtr> parsed = parse_manifest(text, path);
  if (auto* diagnostics = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    return std::move(*diagnostics);
  }
  const JobDraft& draft = *std::get<JobDraftPtr>(parsed);
  if (is_confined) return resolve_within(draft, folders);
  return resolve(draft, std::filesystem::path(path).parent_path().string(), folders.plates);
}

}  // namespace mezzo::manifests
