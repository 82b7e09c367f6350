// A print job, as it is after its manifest is read: plain values, no YAML, no open files.
//
// Two steps make it. parse_manifest() turns text into a draft, settings merged, and finds every
// mistake that text alone can show; resolve() looks at the disk, expands files, globs and folders,
// and gives the Job that the pipeline runs. Limits: 256 KiB of text, 5,000 entries in `pages` and
// 5,000 input files; yaml_tree.h has the rest. A manifest is refused or read as it was meant: one
// with `pages_total` above its pages and `end: true` as its last line is refused whenever any part
// of it is cut off.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "kernels/base/diagnostic.h"
#include "kernels/settings.h"

namespace mezzo::manifests {

/// Where in the manifest a setting stands; line 0 when it came from elsewhere.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
  bool operator==(const Place&) const = default;
};

struct OutputSettings {
  /// Template of the plate's path, relative to the manifest's folder and below it. {stem} is the
  /// input's name without its suffix, {page} the page of a multi-page file from 1, {ink} the ink's
  /// name, {job} the job's. Without {page}, the pages of a file become the pages of its plates.
  /// In a Job it is resolved: the folder, {stem} and {job} are put in, braces that came with them
  /// are doubled, and plate_path() puts in the rest.
  std::string path = "plates/{stem}_{ink}.tif";
  std::string compression = "auto";  ///< a name of stages' compressions()
  bool replace = true;               ///< false: an existing plate fails its page
  bool operator==(const OutputSettings&) const = default;
};

/// Everything that can be set for a page; `defaults` of a manifest has the same shape.
struct PageSettings {
  HalftoneSettings halftone;
  ToneSettings tone;
  OutputSettings output;
  bool operator==(const PageSettings&) const = default;
};

/// One input file to run, with its settings merged. Those of an entry of the manifest are merged
/// key by key over `defaults`; a different `method` drops the schedule and parameters of the
/// default method.
struct JobPage {
  std::string input;                  ///< path that can be opened
  std::string stem;                   ///< file name without its last suffix
  std::vector<uint32_t> pages;        ///< pages of the file, from 0; empty: all
  std::optional<std::string> sha256;  ///< lower case; a file that differs is refused
  PageSettings settings;
  Place place;  ///< of its entry in the manifest
};

struct JobLimits {
  uint64_t memory_bytes = 1ULL << 30;
  uint64_t device_memory_bytes = 0;  ///< of each GPU; 0: nine tenths of what is free at first use
  uint32_t threads = 0;              ///< 0: all processors
  bool operator==(const JobLimits&) const = default;
};

inline constexpr uint32_t kUsualPriority = 50;

struct Job {
  std::string name;
  std::string manifest;       ///< path of the manifest, for messages; empty when there is none
  std::string folder;         ///< that relative paths start from
  std::string plates_folder;  ///< that plates' paths start from; most often the same
  uint32_t priority = kUsualPriority;  ///< among jobs that wait, 0 .. 100; higher goes first
  JobLimits limits;
  std::vector<JobPage> pages;
};

/// A value, or what is wrong with the manifest: at least one diagnostic, in order of line.
template <typename T>
using Checked = std::variant<T, std::vector<Diagnostic>>;

/// A manifest as it was written, syntax and values checked, the disk not yet looked at. Opaque:
/// only resolve() takes it apart.
struct JobDraft;
struct JobDraftDeleter {
  void operator()(JobDraft* draft) const;
};
using JobDraftPtr = std::unique_ptr<JobDraft, JobDraftDeleter>;

/// Step one: text to draft. `file` is the name that messages carry. Never touches the disk.
Checked<JobDraftPtr> parse_manifest(std::string_view text, const std::string& file);

/// Step two: draft to job. `folder` is where relative paths start; empty means the working folder.
/// `plates_folder` is where plates' paths start; empty means `folder`, and it need not exist. A
/// name of an input that exists is that file or folder (its *.tif and *.tiff, not those of folders
/// inside it), any other with * ? or [..] is a pattern of glob(3). Diagnostics are inputs that do
/// not exist or are not regular files (they are never opened here), patterns and folders without a
/// file, plates that two pages would write and plates that would replace an input. Names of inks
/// are not known yet: that plates of different templates differ is for the plan of the job to
/// check.
Checked<Job> resolve(const JobDraft& draft,
                     const std::string& folder,
                     const std::string& plates_folder = {});

/// Both steps on a file. Throws Error (kMissing, kIo, kLimit) when the file cannot be read.
Checked<Job> load_manifest(const std::string& path);

/// Where the paths of a manifest start from when that is not its own folder.
struct ManifestFolders {
  std::string within;  ///< inputs start from here and must lie below; empty: the manifest's folder
  std::string plates;  ///< plates start from here; empty: where inputs do
};

/// Like load_manifest(path), but for manifests that strangers wrote. When `within` is given, the
/// manifest must be a regular file with one name, and inputs that are absolute, have `..` in them
/// or lead through a symbolic link are diagnostics. What changes on disk after that, only whoever
/// opens the inputs can notice.
Checked<Job> load_manifest(const std::string& path, const ManifestFolders& folders);

/// Like resolve(), but as that load_manifest() wants it.
Checked<Job> resolve_within(const JobDraft& draft, const ManifestFolders& folders);

/// The path of one plate, from the resolved template of its page. `page` counts from 0. Characters
/// of an ink's name that would choose another folder become '_', so two inks can get one name.
std::string plate_path(std::string_view resolved, uint32_t page, std::string_view ink);

/// True when a template names {page}, so that every page of a file gets plates of its own.
bool has_page_number(std::string_view resolved);

/// The JSON Schema (draft-07) of manifests, from the same table of fields that the parser uses.
std::string manifest_schema();

}  // namespace mezzo::manifests
