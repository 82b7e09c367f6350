// A print job after its manifest has been read: plain values, no YAML, no open files.
//
// Two steps make it. parse_manifest() (manifest.cpp) turns text into a draft with merged settings
// and finds every mistake that the text alone can show. resolve() (resolve.cpp) looks at the disk,
// expands files, patterns and folders, and returns the Job that the pipeline runs. load_manifest()
// (load.cpp) does both, and schema.cpp describes the format for editors. Limits: 256 KiB of text,
// 5,000 entries in `pages` and 5,000 input files; the others are in yaml_tree.h. A manifest is
// either refused or read as it was meant: with `pages_total` above its pages and `end: true` as its
// last line, a manifest that was cut off anywhere is refused.
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
#include "kernels/base/error_kind.h"
#include "kernels/prepress/conversion.h"
#include "kernels/prepress/finish.h"
#include "kernels/prepress/protect.h"
#include "kernels/settings.h"
#include "manifests/colour_settings.h"
#include "manifests/curve_settings.h"
#include "manifests/geometry.h"
#include "manifests/ink_settings.h"
#include "manifests/place.h"
#include "manifests/press.h"
#include "manifests/side_settings.h"
#include "stages/tiff/verify_level.h"

namespace mezzo::manifests {

class Origins;  // origins.h

struct OutputSettings {
  /// Template of the plate's path, relative to the manifest's folder and below it. {stem} is the
  /// input's name without its suffix, {page} the page of a multi-page file from 1, {ink} the ink's
  /// name, {label} its short one, {n} its place among the plates of the page from 1, {job} the
  /// job's name; {date}, {time} and {id} are those of the job's start. Without {page},
  /// the pages of a file become the pages of its plates. In a Job it is resolved: the folder, {stem}
  /// and {job} are put in, braces that came with them are doubled; put_start() puts in the start,
  /// and plate_path() the rest.
  std::string path = "plates/{stem}_{ink}.tif";
  std::string compression = "auto";  ///< a name of tiff::compressions()
  bool replace = true;               ///< false: an existing plate fails its page
  bool replace_any = false;          ///< with replace: also a file that is no plate of mezzotint
  bool mirror = false;               ///< exchange left and right of the finished plate
  bool negative = false;             ///< exchange ink and paper of the finished plate
  uint32_t resolution_dpi = 0;       ///< of the plates, both ways; 0: the page's
  tiff::VerifyLevel verify =
      tiff::VerifyLevel::kDecode;  ///< of plates, before they get their names
  bool operator==(const OutputSettings&) const = default;
};

inline prepress::Finish finish_of(const OutputSettings& output) {
  return {output.mirror, output.negative};
}

/// All settings of a page; `defaults` of a manifest has the same keys.
struct PageSettings {
  HalftoneSettings halftone;
  ToneSettings tone;
  OutputSettings output;
  std::string extra_channels = "refuse";  ///< a name of extra_channel_names()
  std::string spot_polarity;   ///< for "inks": a name of spot_polarity_names(); empty: not known
  std::string scale = "auto";  ///< a name of scale_names(), for output.resolution_dpi
  prepress::Protect protect;
  uint32_t assumed_dpi = 0;  ///< of pages that do not say theirs; 0: not known
  Geometry geometry;
  ColourSettings colour;
  InkLimit ink_limit;
  std::vector<InkSettings> inks;  ///< over the settings above
  std::optional<Press> press;     ///< that the settings began with
  CurveSettings curves;
  std::optional<ProofSettings> proof;
  std::optional<PpfSettings> ppf;
  bool operator==(const PageSettings&) const = default;
};

/// Line work of a page (kernels/prepress/overlay.h): a bilevel file of its plates' size and
/// resolution, printed over them.
struct Linework {
  std::string file;               ///< path that can be opened
  std::string ink = "black";      ///< that prints it, or "all"
  std::optional<bool> overprint;  ///< whether other inks stay below it; left out: below black alone
  std::string xxh3;               ///< of the file's bytes; empty until the job is planned
  /// `file` is a resolved template with {ink} (path_template.h). The plan replaces this entry with one for
  /// each ink of the page, which has a file of its own.
  bool is_of_each_ink = false;
  bool operator==(const Linework&) const = default;
};

/// What is wrong with a page that its manifest names.
struct PageMistake {
  ErrorKind kind = ErrorKind::kData;
  std::string message;  ///< with the line of the manifest, and what to do
};

/// Most entries of line work on a page.
inline constexpr size_t kMostLinework = 64;

/// One input file to run, with its settings merged. Those of an entry of the manifest are merged
/// key by key over `defaults`; a different `method` drops the schedule and parameters of the
/// default method.
struct JobPage {
  std::string input;                  ///< path that can be opened
  std::string stem;                   ///< file name without its last suffix
  std::vector<uint32_t> pages;        ///< pages of the file, from 0; empty: all
  std::optional<std::string> sha256;  ///< lower case; a file that differs is refused
  std::string ink;  ///< that a page of one ink stands for; empty: as the file says
  std::vector<Linework> linework;
  PageSettings settings;
  /// Of each of `pages`, where another process planned them: it has made the tables, which lie in
  /// `table_folder`. A page that keeps its samples has none of a digest.
  std::vector<prepress::Conversion> conversions = {};
  std::string table_folder = {};
  Place place;                                  ///< of its entry in the manifest
  std::shared_ptr<const Origins> origins = {};  ///< of its settings; null without a manifest
  /// Set: the page cannot run. Only where OnMistake::kFailPage was asked for; then its settings may
  /// have paths as they were written.
  std::optional<PageMistake> mistake = {};
};

struct JobLimits {
  uint64_t memory_bytes = 1ULL << 30;
  uint64_t device_memory_bytes =
      0;                 ///< of each GPU; 0: nine tenths of the memory free at first use
  uint32_t threads = 0;  ///< 0: all processors
  bool operator==(const JobLimits&) const = default;
};

/// Resolutions of plates, and of pages that do not say theirs.
inline constexpr uint32_t kLeastDpi = 10, kMostDpi = 10'000;

inline constexpr uint32_t kUsualPriority = 50;

struct Job {
  std::string name;
  std::string manifest;       ///< path of the manifest, for messages; empty when there is none
  std::string folder;         ///< base of relative paths
  std::string plates_folder;  ///< base of plates' paths; most often the same
  std::string press_file;     ///< path of the press file, for messages; empty: none
  uint32_t priority = kUsualPriority;  ///< among jobs that wait, 0 .. 100; higher goes first
  JobLimits limits;
  std::vector<JobPage> pages;
};

/// A value, or the mistakes in the manifest: at least one diagnostic, in order of line.
template <typename T>
using Checked = std::variant<T, std::vector<Diagnostic>>;

/// A manifest whose syntax and values have been checked, before the disk is looked at; see
/// draft.h.
struct JobDraft;
struct JobDraftDeleter {
  void operator()(JobDraft* draft) const;
};
using JobDraftPtr = std::unique_ptr<JobDraft, JobDraftDeleter>;

/// Step one: text to draft. `file` is its name in messages. Never touches the disk, but to read the
/// press file that the text names, where it may name one (press_file.h).
struct PressSource;
Checked<JobDraftPtr> parse_manifest(std::string_view text,
                                    const std::string& file,
                                    const PressSource& press);

/// The same for a text that may name no press.
Checked<JobDraftPtr> parse_manifest(std::string_view text, const std::string& file);

/// What a mistake with the files of one page does to the others: an input, line work or profile that
/// is missing or cannot be read, a pattern that matches no file, plates that another page writes.
enum class OnMistake {
  kRefuseJob,  ///< the manifest is refused
  kFailPage,   ///< JobPage::mistake says it. A manifest without any good page is refused
};

/// Step two: draft to job. Relative paths start from `folder`; empty means the working folder.
/// Plates' paths start from `plates_folder`, which need not exist; empty means `folder`. An input
/// that exists under its name is that file, or that folder's *.tif and *.tiff, without folders
/// inside it. Any other name with * ? or [..] is a pattern of glob(3). Reports inputs that do not
/// exist or are not regular files (none is opened here), patterns and folders that match no file,
/// plates that two pages would write, and plates that would replace an input. Names of inks are not
/// known yet, so the job's plan checks whether plates of different templates are different files.
Checked<Job> resolve(const JobDraft& draft,
                     const std::string& folder,
                     const std::string& plates_folder = {},
                     OnMistake on_mistake = OnMistake::kRefuseJob);

/// Both steps on a file. Throws Error (kMissing, kIo, kLimit) when the file cannot be read; that of a
/// press that the manifest names is a mistake at its name.
Checked<Job> load_manifest(const std::string& path);

/// The folders from which the paths of a manifest start, if not its own.
struct ManifestFolders {
  std::string within;  ///< inputs start from here and must lie below; empty: the manifest's folder
  std::string plates;  ///< plates start from here; empty: where inputs do
  std::string press;   ///< press file, instead of that which the manifest names; empty: none
};

/// Like load_manifest(path), but for manifests from untrusted users. When `within` is given, the
/// manifest must be a regular file with one name that names no press, and inputs that are absolute, have `..` in them
/// or lead through a symbolic link are reported. Later changes on disk can only be noticed when the
/// inputs are opened.
Checked<Job> load_manifest(const std::string& path,
                           const ManifestFolders& folders,
                           OnMistake on_mistake = OnMistake::kRefuseJob);

/// Like resolve(), with the checks of that load_manifest().
Checked<Job> resolve_within(const JobDraft& draft,
                            const ManifestFolders& folders,
                            OnMistake on_mistake = OnMistake::kRefuseJob);

/// The start of a job, as the paths of its plates have it: local time, and an ID.
struct JobStart {
  std::string date;  ///< "2026-11-22"
  std::string time;  ///< "06-44-41"
  std::string id;
  bool operator==(const JobStart&) const = default;
};

/// Whether paths of plates have {date}, {time} or {id}.
bool names_start(const Job& job);

/// Puts these into the paths of plates.
void put_start(Job& job, const JobStart& start);

/// The names that `protect` has, and their meaning.
struct ProtectName {
  prepress::Protect protect;
  std::string_view name;
};
inline constexpr ProtectName kProtectNames[] = {{{false, false}, "none"},
                                                {{true, false}, "paper"},
                                                {{false, true}, "solid"},
                                                {{true, true}, "both"}};
std::string_view name_of(prepress::Protect protect);
std::optional<prepress::Protect> protect_named(std::string_view name);

/// The filters that `scale` names: those of prepress::kFilterNames, and "auto", which takes the
/// right one for the page.
std::vector<std::string_view> scale_names();

/// The names of ProofSettings::colours.
std::vector<std::string_view> proof_colour_names();

/// What becomes of channels beside the inks of a page, and of the largest sample of a spot channel.
std::vector<std::string_view> extra_channel_names();
std::vector<std::string_view> spot_polarity_names();

/// What tells the plates of a page apart, for their paths.
struct PlateName {
  std::string_view ink;         ///< for {ink}
  std::string_view label = {};  ///< for {label}; empty: the ink
  size_t number = 1;            ///< for {n}
};

/// The path of one plate, from the resolved template of its page. `page` counts from 0. Characters
/// of an ink's name or label that would choose another folder become '_', so two inks can get one
/// name.
std::string plate_path(std::string_view resolved, uint32_t page, const PlateName& plate);

/// True when a template names {page}, so that every page of a file gets plates of its own.
bool has_page_number(std::string_view resolved);

/// The JSON Schema (draft-07) of manifests, from the same table of fields that the parser uses.
std::string manifest_schema();

}  // namespace mezzo::manifests
