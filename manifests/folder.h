// The settings of a hot folder: its file folder.yaml, a small manifest without pages.
//
// A folder without the file has the defaults below. Values are as strict as in a job manifest, and
// mistakes are Diagnostics of the same kind.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/job.h"
#include "manifests/press_file.h"
#include "manifests/time_window.h"

namespace mezzo::manifests {

/// The order in which waiting jobs begin.
enum class TakeOrder { kOldest, kNewest, kSmallest, kLargest, kName };

/// Separated files: each is an ink of a page, and they become one job when all have arrived.
struct SeparationSets {
  std::vector<std::string> inks;             ///< empty: every file is a job of its own
  std::string pattern = "{page}_{ink}.tif";  ///< names both, in any order
  std::chrono::milliseconds wait = std::chrono::minutes(15);  ///< then the set is incomplete
  bool operator==(const SeparationSets&) const = default;
};

struct FolderSettings {
  PageSettings defaults;  ///< of pages that come without a job.yaml, over those of the press
  std::string defaults_text = {};  ///< as they are written, for a manifest of the same press
  PressFilePtr press = nullptr;    ///< of all jobs of the folder
  JobLimits limits;                ///< of pages; a ticket or job.yaml gets no more than is named
  bool names_memory = false;       ///< limits.memory is not the default
  std::string plates = ".";        ///< folder that `output.path` starts from; from the hot folder

  // A file counts as complete when its size and times did not change over `looks` looks, `every`
  // apart, and it has not been modified for `age`.
  uint32_t looks = 2;
  std::chrono::milliseconds every = std::chrono::seconds(2);
  std::chrono::milliseconds age = std::chrono::seconds(3);

  bool poll = false;  ///< no inotify: look every `scan`
  std::chrono::milliseconds scan = std::chrono::seconds(10);
  TakeOrder order = TakeOrder::kOldest;
  uint32_t priority = 50;         ///< 0 .. 100, higher goes first, over all folders
  std::vector<TimeWindow> hours;  ///< local times in which jobs may begin; empty: always
  uint32_t throttle = 0;          ///< most jobs of this folder at once; 0: as many as workers
  uint32_t tries = 3;             ///< then a job that kills its worker is failed
  std::chrono::milliseconds stall = std::chrono::minutes(10);  ///< a worker without progress
  SeparationSets separations;
  bool needs_tickets = false;    ///< pages wait for a ticket that names them, as long as sets do
  bool replaces_others = false;  ///< plates of another page that have the names of new ones
  bool print_again = false;      ///< also files with the content of an earlier, finished job
  std::chrono::seconds keep_done = std::chrono::hours(24 * 7);     ///< 0: for ever
  std::chrono::seconds keep_failed = std::chrono::hours(24 * 30);  ///< likewise
  uint64_t reserve_bytes = 2ULL << 30;  ///< of the disk of the plates, left free
  bool operator==(const FolderSettings&) const = default;
};

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
