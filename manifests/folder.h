// The settings of a hot folder: its file folder.yaml, a small manifest without pages.
//
// A folder without the file has the defaults below. Values are as strict as in a job manifest, and
// mistakes are Diagnostics of the same kind.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/folder_settings.h"
#include "manifests/job.h"
#include "manifests/press_file.h"

namespace mezzo::manifests {

/// Throws Error (kMissing, kIo, kLimit) when the file cannot be read. A symbolic link and a file
/// with a second name are not read. A press file is looked for from the file's folder on.
Checked<FolderSettings> load_folder_settings(const std::string& path);

/// The same from text; `file` is its name in messages.
Checked<FolderSettings> parse_folder_settings(std::string_view text,
                                              const std::string& file,
                                              const PressSource& press = {});

/// The JSON Schema (draft-07) of folder.yaml, from the same table of fields that the parser uses.
std::string folder_schema();

/// The folders in a hot folder where it keeps files of its own.
inline constexpr std::array<std::string_view, 5> kOwnFolders = {
    ".work", "done", "failed", "incomplete", "reports"};

/// The reason why `output_path` below `plates` cannot be used: its plates would lie among the
/// waiting pages and be taken for more of them, or in a folder that is emptied. A sentence without
/// its full stop; empty when the path is good.
std::string plates_problem(const std::string& plates, const std::string& output_path);

/// A page of a manifest that write_manifest() (write_manifest.cpp) writes.
struct WrittenPage {
  std::string input;  ///< from the folder of the job, as a literal name, never a pattern
  std::optional<std::string> sha256 = {};
  std::string ink = {};  ///< as JobPage has it
};

/// The text of a manifest that parse_manifest() reads as these values. It states the settings,
/// since defaults may change later, and has `pages_total` and `end`, so that it is refused when cut
/// off. Characters that a job's name cannot have become '_'. Throws Error(kData) for values that no
/// manifest can hold: too many pages, names with control characters or not in UTF-8, invalid
/// settings.
std::string write_manifest(const std::string& job_name,
                           const JobLimits& limits,
                           const PageSettings& defaults,
                           const std::vector<WrittenPage>& pages);

/// The same for pages of a hot folder. Where it has a press, the text states `defaults` alone, to be
/// read over that press.
std::string write_manifest(const std::string& job_name,
                           const FolderSettings& folder,
                           const std::vector<WrittenPage>& pages);

}  // namespace mezzo::manifests
