// A job as it will run: sheets, plates and their names, bands, memory and disk.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/halftoner_traits.h"
#include "kernels/settings.h"
#include "manifests/job.h"
#include "manifests/plate_settings.h"
#include "pipeline/plan/band_plan.h"
#include "pipeline/plan/failure.h"
#include "pipeline/plan/side_file.h"
#include "stages/chain/colour_stage.h"
#include "stages/files/file_mark.h"
#include "stages/page_info.h"
#include "stages/tiff/plate/writer.h"

namespace mezzo::plan {

/// Values of a method's parameters, by name.
using ParameterNumbers = decltype(HalftoneSettings::parameters);

/// A measured curve of the plate's press, or of plates; see curves.h.
struct PlateCurve {
  std::shared_ptr<const ToneSettings::PressCurve> curve;
  std::string file;  ///< its name, for people
};

struct PlatePlan {
  std::string ink;
  std::string path;
  /// The file of that name, when an earlier run of the job wrote it (resume.h).
  std::optional<files::FileMark> own = {};
  Engine engine = Engine::kCpu;  ///< chosen
  std::string schedule = {};     ///< chosen
  HalftonerTraits traits = {};   ///< of the halftoner
  std::string page_ink = {};     ///< the ink's name on the page, where the plate has another
  uint32_t plane = 0;            ///< number of the page's ink, from 0
  std::optional<uint32_t> drop_bit = {};  ///< of the levels, which this plate has alone
  ParameterNumbers screen = {};           ///< over those of the settings, see screens.h
  std::vector<PlateCurve> curves = {};    ///< behind the tone of the settings, in this order
};

/// Line work that fits its sheet.
struct LineworkPlan {
  manifests::Linework settings;
  files::FileMark mark = {};  ///< of the file, when it was planned
  uint64_t reader_bytes = 0;  ///< for TiffFile::open_page()
};

/// The unit of work: plates are published together with all their pages. A multi-page file is one
/// sheet, or one a page when the output path names {page}.
struct SheetPlan {
  std::string input;
  std::optional<std::string> sha256;
  std::string ink;  ///< that its page of one ink stands for; empty: as the file says
  std::vector<LineworkPlan> linework;  ///< of its only page
  manifests::PageSettings settings;
  bool is_press_profile = false;  ///< the press file names colour.profile, outside any confinement
  std::vector<uint32_t> pages;    ///< of the file, from 0
  uint32_t file_pages = 0;        ///< that the file has; 0: not known
  std::vector<PageInfo> infos;    ///< one a page, as it is halftoned
  std::vector<PageInfo> sources;  ///< as the file has it; empty where they are the same
  std::vector<chain::PageColourPtr>
      colours;                             ///< one a page, null where it keeps its samples; or none
  std::vector<std::string> stages;         ///< of the first page's chain, for people
  bool scales_on_cpu = false;              ///< a page, as no GPU can (chain::Chain)
  std::vector<ReaderNeeds> readers;        ///< one a page, with its share of the memory
  std::vector<ReaderNeeds> least_readers;  ///< and with the least
  std::vector<BandPlan> bands;             ///< one a page
  std::vector<PlatePlan> plates;
  std::vector<SideFile> side_files;
  tiff::Compression compression = tiff::Compression::kAutomatic;
  Engine engine = Engine::kCpu;  ///< of the page's own method: chosen
  std::string schedule;          ///< chosen, and why
  std::string schedule_reason;
  uint64_t memory_bytes = 0;
  uint64_t raw_bytes = 0;             ///< of all plates, uncompressed
  uint64_t disk_bytes = 0;            ///< most that all its files can take; see disk_forecast.h
  uint64_t pixels = 0;                ///< of all planes
  std::vector<std::string> warnings;  ///< see warnings.h; the sheet runs all the same
  std::optional<Failure> failure;     ///< set: the sheet cannot run
  bool lacks_memory = false;          ///< that is why: its bands do not fit
};

/// The settings of a plate of the sheet, as they were asked for.
inline manifests::PlateSettings asked_of(const SheetPlan& sheet, const PlatePlan& plate) {
  auto settings = manifests::plate_settings(sheet.settings,
                                            plate.page_ink.empty() ? plate.ink : plate.page_ink);
  if (plate.drop_bit) settings.halftone.levels->bit = *plate.drop_bit;
  return settings;
}

/// And with the numbers of its screen and its curves.
inline manifests::PlateSettings settings_of(const SheetPlan& sheet, const PlatePlan& plate) {
  manifests::PlateSettings settings = asked_of(sheet, plate);
  for (const auto& [name, value] : plate.screen) settings.halftone.parameters[name] = value;
  for (const PlateCurve& one : plate.curves) settings.tone.curves.push_back(*one.curve);
  return settings;
}

/// Page `i` of a sheet as its file has it.
inline const PageInfo& source_of(const SheetPlan& sheet, size_t i) {
  return sheet.sources.empty() ? sheet.infos[i] : sheet.sources[i];
}

/// The conversion of page `i`; null where it keeps its samples.
inline const chain::PageColourPtr& colour_of(const SheetPlan& sheet, size_t i) {
  static const chain::PageColourPtr none;
  return i < sheet.colours.size() ? sheet.colours[i] : none;
}

struct JobPlan {
  std::string job;
  std::string folder;  ///< base of the inputs' paths, as in the manifest
  std::vector<SheetPlan> sheets;
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;         ///< budget
  uint64_t own_bytes = 0;            ///< memory of the plan itself, about
  uint64_t device_memory_bytes = 0;  ///< of each GPU, as JobLimits has it
  uint64_t raw_bytes = 0;            ///< of all plates, uncompressed
  uint64_t disk_bytes = 0;           ///< most that all files can take
  uint64_t pixels = 0;
  files::FileSystem* files = &files::FileSystem::real();  ///< for all paths of the job
};

/// Memory that the program takes before the first band, and that the plan keeps back.
inline constexpr uint64_t kProgramBytes = 40ULL << 20;

/// The part of it that a plan may take.
inline constexpr uint64_t kPlanBytes = 8ULL << 20;

/// The least budget that a job may have.
inline constexpr uint64_t kLeastMemoryBytes = kProgramBytes + (8ULL << 20);

}  // namespace mezzo::plan
