#include "pipeline/plan/plan.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <numeric>

#include "kernels/band/drop_levels.h"
#include "kernels/gpu/context.h"
#include "kernels/halftoner.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/registry.h"
#include "kernels/together/inks_halftoner.h"
#include "kernels/together/parameter.h"
#include "pipeline/plan/curves.h"
#include "pipeline/plan/disk_forecast.h"
#include "pipeline/plan/engine_choice.h"
#include "pipeline/plan/ink_groups.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/last_file.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/page_colour.h"
#include "pipeline/plan/page_memory.h"
#include "pipeline/plan/plan_size.h"
#include "pipeline/plan/plate_check.h"
#include "pipeline/plan/screens.h"
#include "pipeline/plan/set_check.h"
#include "pipeline/plan/setting_place.h"
#include "pipeline/plan/sheet_parts.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/plan/tiles.h"
#include "pipeline/plan/warnings.h"
#include "pipeline/text.h"
#include "stages/ink_names.h"
#include "stages/tiff/plate/codecs.h"

namespace mezzo::plan {
namespace {

/// The pages to run, checked against those that the file has.
std::vector<uint32_t> selected_pages(const manifests::JobPage& page, uint32_t count) {
  if (page.pages.empty()) {
    std::vector<uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
  for (const uint32_t index : page.pages) {
    if (index >= count) {
      throw Error(ErrorKind::kData,
                  fmt::format("{}: page {} was asked for, but the file has {}",
                              page.input,
                              index + 1,
                              counted(count, "page")));
    }
  }
  return page.pages;
}

/// A recomputed plate must be the same, and is not when the method's time is limited.
void refuse_to_verify_by_the_clock(const SheetPlan& sheet,
                                   const HalftonerTraits& traits,
                                   const std::string& method) {
  if (!traits.by_the_clock) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: verify: recompute makes the plates twice, but method '{}' stops "
                          "when its time is up, so that two runs may give different bits",
                          sheet.input,
                          method),
              "remove the time limit, or verify by decode")
      .about("output.verify");
}

/// What the sheets of a job are made in.
struct Resources {
  const manifests::Job& job;
  uint32_t threads;
  const PlanOptions& options;
  uint64_t own_bytes = 0;  ///< of the memory, which the plan takes
};

/// Files that the plan is made of, read once each.
struct Sources {
  LastFile inputs;
  TileReader tiles;
  ColourTables colours;
  CurveReader curves;
};

/// An entry of a manifest, as it is planned.
struct PlannedEntry {
  const tiff::TiffFile& file;
  const manifests::JobPage& page;
  ColourTables& colours;
};

/// The conversion of a page of the sheet, which is `source` as it is read.
chain::PageColourPtr colour_of_page(const PlannedEntry& entry,
                                    uint32_t page,
                                    const PageInfo& source,
                                    const std::string& place,
                                    SheetPlan& sheet) {
  if (entry.page.conversions.empty()) {
    return entry.colours.of_page(entry.file, page, source, entry.page, place, sheet.warnings);
  }
  const auto found = std::ranges::find(entry.page.pages, page);
  const auto i = static_cast<size_t>(found - entry.page.pages.begin());
  if (i >= entry.page.conversions.size()) return nullptr;
  for (const uint32_t plane : entry.page.conversions[i].planes) {
    if (plane < source.inks.size()) continue;
    throw Error(ErrorKind::kData, place + ": the file changed after the job was planned");
  }
  return entry.colours.planned(entry.page.conversions[i], entry.page.table_folder);
}

/// Adds a page of the file to the sheet: its info, the needs of its reader, and its line work.
void describe_page(const PlannedEntry& entry,
                   uint32_t page,
                   const Resources& resources,
                   SheetPlan& sheet) {
  const uint64_t memory_limit = resources.job.limits.memory_bytes;
  const tiff::TiffFile& file = entry.file;
  const std::string place = place_of(sheet, page);
  const tiff::ReadAs form = read_as(file.page(page), sheet.settings, place);
  const PageInfo source = file.page(page, form);
  const chain::PageColourPtr colour = colour_of_page(entry, page, source, place, sheet);
  const chain::Chain chain = make_chain(source, sheet.settings, place, sheet.ink, colour);
  sheet.sources.push_back(source);
  sheet.colours.push_back(colour);
  if (sheet.infos.empty()) sheet.stages = chain.describe();
  sheet.scales_on_cpu |= chain.scales_on_cpu();
  sheet.infos.push_back(chain.page());
  add_reader_needs(file, page, form, chain, memory_limit, resources.threads, sheet);
  if (!sheet.linework.empty()) {
    const uint64_t room = (memory_limit - kProgramBytes) / 4;
    plan_linework(*resources.options.files, chain, room, resources.threads, sheet);
  }
}

/// A page that its manifest gives an ink must have one.
void refuse_several_inks(const SheetPlan& sheet) {
  const size_t inks = source_of(sheet, 0).inks.size();
  if (sheet.ink.empty() || inks == 1) return;
  throw Error(ErrorKind::kData,
              fmt::format("{}: page {} has {}, and 'ink: {}' is for pages of one",
                          sheet.input,
                          sheet.pages.front() + 1,
                          counted(inks, "ink"),
                          sheet.ink));
}

/// The plates of page `i` of the sheet.
std::vector<MappedPlate> plates_of(const SheetPlan& sheet, size_t i) {
  return map_inks(inks_of(sheet, i), sheet.settings, place_of(sheet, sheet.pages[i])).plates;
}

/// An ink's plate has the pages that the others have.
void refuse_uneven_pages(const SheetPlan& sheet, const std::string& ink, const std::string& path) {
  const bool has = manifests::has_page_number(path);
  if (has == manifests::has_page_number(sheet.settings.output.path)) return;
  throw Error(ErrorKind::kUsage,
              fmt::format("{}: the path of ink '{}' {} {{page}}, and output.path {}",
                          sheet.input,
                          ink,
                          has ? "has" : "has no",
                          has ? "has not" : "has"),
              "both must have it, or neither")
      .about("output.path");
}

/// Names the plates of a sheet; all its pages must have the same inks.
void name_plates(SheetPlan& sheet) {
  const std::vector<MappedPlate> plates = plates_of(sheet, 0);
  for (size_t i = 1; i < sheet.infos.size(); ++i) {
    const bool is_same = std::ranges::equal(
        plates, plates_of(sheet, i), prepress::is_same_ink, &MappedPlate::ink, &MappedPlate::ink);
    if (is_same) continue;
    throw Error(ErrorKind::kData,
                fmt::format("{}: page {} has {} and page {} has {}, so they cannot share plates",
                            sheet.input,
                            sheet.pages.front() + 1,
                            counted(sheet.infos.front().inks.size(), "ink"),
                            sheet.pages[i] + 1,
                            counted(sheet.infos[i].inks.size(), "ink")),
                "use {page} in output.path to give each page its own")
        .about("output.path");
  }
  refuse_several_inks(sheet);
  std::vector<std::string> names, on_press;
  for (const MappedPlate& plate : plates) {
    names.push_back(plate.ink);
    const std::string_view ink = without_bit(plate.ink, plate.drop_bit);
    on_press.emplace_back(ink_on_press(sheet.settings, ink, plate.page_ink));
  }
  const std::vector<std::string> in_files = ink_file_names(names);
  const std::vector<size_t> numbers = manifests::plate_numbers(sheet.settings, on_press);
  sheet.plates.reserve(plates.size());
  for (size_t i = 0; i < plates.size(); ++i) {
    const bool has_other_name = plates[i].page_ink != plates[i].ink;
    PlatePlan plate{.ink = plates[i].ink,
                    .path = {},
                    .page_ink = has_other_name ? plates[i].page_ink : "",
                    .plane = plates[i].plane,
                    .drop_bit = plates[i].drop_bit};
    const manifests::PlateSettings settings = settings_of(sheet, plate);
    refuse_uneven_pages(sheet, plate.ink, settings.path);
    const std::string label = name_of_bit(settings.label, plate.drop_bit);
    const manifests::PlateName name{in_files[i], label, numbers[i]};
    plate.path = manifests::plate_path(settings.path, sheet.pages.front(), name);
    sheet.plates.push_back(std::move(plate));
  }
}

/// The halftoners of the plates of a sheet.
class PlateHalftoners {
 public:
  /// Fills in what the plates say of them.
  explicit PlateHalftoners(SheetPlan& sheet) {
    std::vector<uint32_t> grouped;
    for (const InkGroup& group : ink_groups(sheet)) {
      add_group(group, sheet);
      grouped.insert(grouped.end(), group.begin(), group.end());
    }
    for (uint32_t p = 0; p < sheet.plates.size(); ++p) {
      if (std::ranges::find(grouped, p) != grouped.end()) continue;
      PlatePlan& plate = sheet.plates[p];
      const Made& made = made_for(settings_of(sheet, plate).halftone);
      plate.engine = made.chosen.schedule->engine;
      plate.schedule = made.chosen.schedule->name;
      plate.traits = made.chosen.halftoner->traits();
      planes_.push_back(made.chosen.halftoner.get());
    }
  }

  /// How the planes with the page's own settings share out their work; empty if there are none.
  std::string describe(const SheetPlan& sheet, uint32_t threads) const {
    const auto of_page = std::ranges::find(made_, sheet.settings.halftone, &Made::settings);
    if (of_page == made_.end()) return {};
    return of_page->chosen.halftoner->describe(
        sheet.infos.front().width_px, sheet.bands.front().rows, threads);
  }

  PageHalftoners of_planes() const {
    PageHalftoners all(planes_);
    for (const Group& group : groups_) all.add(*group.chosen.halftoner, group.inks);
    return all;
  }

 private:
  struct Made {
    HalftoneSettings settings;
    ChosenHalftoner chosen;
  };
  struct Group {
    ChosenInks chosen;
    uint32_t inks;
  };

  void add_group(const InkGroup& group, SheetPlan& sheet) {
    const HalftoneSettings settings = settings_of(sheet, sheet.plates[group.front()]).halftone;
    const Group& added = groups_.emplace_back(
        Group{make_inks_halftoner(
                  complete(settings), colours_of_group(sheet, group), gpu::Context::of_process()),
              static_cast<uint32_t>(group.size())});
    for (const uint32_t p : group) {
      sheet.plates[p].engine = added.chosen.schedule->engine;
      sheet.plates[p].schedule = added.chosen.schedule->name;
      sheet.plates[p].traits = added.chosen.halftoner->traits();
    }
  }

  /// That of an earlier plate with the same settings, or a new one.
  const Made& made_for(const HalftoneSettings& settings) {
    const auto known = std::ranges::find(made_, settings, &Made::settings);
    if (known != made_.end()) return *known;
    return made_.emplace_back(Made{settings, make_halftoner(complete(settings))});
  }

  std::vector<Made> made_;
  std::vector<Group> groups_;
  std::vector<const Halftoner*> planes_;
};

/// Two methods that each need bands of so many rows must need the same.
void refuse_uneven_bands(const SheetPlan& sheet) {
  const PlatePlan* first = nullptr;
  for (const PlatePlan& plate : sheet.plates) {
    if (plate.traits.band_rows == 0) continue;
    if (first == nullptr) first = &plate;
    if (plate.traits.band_rows == first->traits.band_rows) continue;
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: the methods of {} and {} need bands of different heights",
                            sheet.input,
                            first->ink,
                            plate.ink),
                "give both the same slab_rows")
        .about("halftone.slab_rows");
  }
}

tiff::Compression named_compression(const std::string& name) {
  const auto named = tiff::compression_named(name);
  if (!named) {
    throw Error(ErrorKind::kUsage, "there is no compression '" + name + "'")
        .about("output.compression");
  }
  return *named;
}

/// Plates whose pixels are levels of 2 or 4 bits are no bilevel plates.
void refuse_unfit_levels(const SheetPlan& sheet, const PlatePlan& plate) {
  if (bits_per_pixel(settings_of(sheet, plate).halftone) == 1) return;
  const tiff::Compression compression = compression_of(sheet, plate);
  const bool is_unfit = tiff::codec_of(compression).is_bilevel;
  const std::string with = is_unfit ? fmt::format("compression {}", to_string(compression))
                           : sheet.settings.output.negative ? "output.negative"
                           : !sheet.linework.empty()        ? "line work"
                                                            : "";
  if (with.empty()) return;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format("{}: the plate of {} has packed levels, and {} is for bilevel plates",
                  sheet.input,
                  plate.ink,
                  with),
      fmt::format("use 'format: planes'{}", is_unfit ? ", or compression lzw or deflate" : ""))
      .about("output.compression");
}

/// Fills in the bands of page `i`, and what the sheet sums up of them.
void add_bands(size_t i,
               const PageHalftoners& halftoners,
               const Resources& resources,
               SheetPlan& sheet) {
  const auto& [job, threads, options, own_bytes] = resources;
  const BandPlan bands = bands_of_page(i, halftoners, job, own_bytes, threads, options, sheet);
  const PageInfo& info = sheet.infos[i];
  sheet.bands.push_back(bands);
  sheet.memory_bytes = std::max(sheet.memory_bytes, bands.memory_bytes);
  const uint64_t planes = info.inks.size();
  sheet.pixels += planes * info.width_px * info.height_px;
  for (const PlatePlan& plate : sheet.plates) {
    const uint32_t bits = bits_per_pixel(settings_of(sheet, plate).halftone);
    sheet.raw_bytes += bit_row_bytes(info.width_px, bits) * info.height_px;
  }
}

/// Chooses the schedule of the page's own method.
void choose_schedule(SheetPlan& sheet) {
  const ChosenHalftoner chosen = ChosenHalftoner::choice(sheet.settings.halftone);
  sheet.engine = chosen.schedule->engine;
  sheet.schedule = chosen.schedule->name;
  sheet.schedule_reason = chosen.reason;
}

/// What the sheet is, whatever it is made in: its pages, the needs of their readers, and its plates.
void describe(const PlannedEntry& entry, const Resources& resources, SheetPlan& sheet) {
  refuse_tiny_budget(sheet, resources.job.limits.memory_bytes);
  choose_schedule(sheet);
  sheet.compression = named_compression(sheet.settings.output.compression);
  for (const uint32_t page : sheet.pages) describe_page(entry, page, resources, sheet);
  if (sheet.sources == sheet.infos) sheet.sources.clear();
  name_plates(sheet);
  plan_side_files(sheet);
  plan_screens(sheet);
}

/// Places a sheet that is described in memory and on engines: fills in its halftoners and the bands of each page.
/// May be called again, for other resources or when its settings name another engine.
void place(const Resources& resources, SheetPlan& sheet) {
  sheet.bands.clear();
  sheet.memory_bytes = sheet.raw_bytes = sheet.pixels = 0;
  choose_schedule(sheet);
  for (const PlatePlan& plate : sheet.plates) refuse_unfit_levels(sheet, plate);
  const PlateHalftoners halftoners(sheet);
  refuse_uneven_bands(sheet);
  for (const PlatePlan& plate : sheet.plates) {
    if (sheet.settings.output.verify != tiff::VerifyLevel::kRecompute) break;
    const std::string method = settings_of(sheet, plate).halftone.method;
    refuse_to_verify_by_the_clock(sheet, plate.traits, method);
  }
  for (size_t i = 0; i < sheet.pages.size(); ++i) {
    add_bands(i, halftoners.of_planes(), resources, sheet);
  }
  const std::string how = halftoners.describe(sheet, resources.threads);
  if (!how.empty()) sheet.schedule_reason += "; " + how;
}

/// Line work is of one page; `sheet` still has all of its entry.
void refuse_linework_of_pages(const SheetPlan& sheet) {
  if (sheet.linework.empty() || sheet.pages.size() == 1) return;
  throw Error(ErrorKind::kUnsupported,
              fmt::format("{}: its line work {} belongs to one page, and {} are asked for",
                          sheet.input,
                          sheet.linework.front().settings.file,
                          counted(sheet.pages.size(), "page")),
              "give each an entry of its own, with 'pages: 1' and so on, or --page");
}

/// The file, or null when it cannot be opened, which its sheet will say.
const tiff::TiffFile* opened(LastFile& inputs, const std::string& path) {
  try {
    return &inputs.open(path);
  } catch (const Error&) {
    return nullptr;
  }
}

/// The sheets of one entry of the manifest.
std::vector<SheetPlan> sheets_of(const manifests::JobPage& page,
                                 const Resources& resources,
                                 Sources& sources) {
  SheetPlan whole;
  whole.input = page.input;
  whole.sha256 = page.sha256;
  whole.ink = page.ink;
  whole.is_press_profile = is_of_press(page, "profile");
  for (const manifests::Linework& one : page.linework) whole.linework.push_back({.settings = one});
  whole.settings = page.settings;
  whole.settings.output.verify = resources.options.verify.value_or(page.settings.output.verify);
  if (page.mistake) {
    whole.failure = Failure{page.mistake->kind, page.mistake->message};
    return {std::move(whole)};
  }
  std::vector<SheetPlan> sheets;
  const auto attempt = [&](SheetPlan& sheet, const auto& body) {
    try {
      body();
    } catch (const Error& error) {
      sheet.failure = Failure::of(error);
    }
  };
  attempt(whole, [&] {
    sources.tiles.read(whole.settings, page.origins.get());
    const tiff::TiffFile& file = sources.inputs.open(page.input);
    whole.file_pages = file.page_count();
    whole.pages = selected_pages(page, whole.file_pages);
    refuse_linework_of_pages(whole);
    const bool one_each =
        manifests::has_page_number(page.settings.output.path) && whole.pages.size() > 1;
    std::vector<uint32_t> pages;  // copied, it would keep room for all in each sheet
    if (one_each) pages.swap(whole.pages);
    for (size_t i = 0; i < (one_each ? pages.size() : 1); ++i) {
      SheetPlan sheet = whole;
      if (one_each) sheet.pages = {pages[i]};
      attempt(sheet, [&] {
        describe({file, page, sources.colours}, resources, sheet);
        place(resources, sheet);
        sources.curves.read(sheet);
        overlays_of(sheet);  // throws
        sheet.disk_bytes = most_disk_bytes(sheet);
      });
      sheets.push_back(std::move(sheet));
    }
  });
  if (sheets.empty()) sheets.push_back(std::move(whole));
  return sheets;
}

/// Of all makers of tiles at a time.
uint64_t most_making_bytes(const JobPlan& plan) {
  uint64_t most = 0;
  for (const SheetPlan& sheet : plan.sheets) {
    for (const PlatePlan& plate : sheet.plates) most = std::max(most, plate.traits.making_bytes);
  }
  return most * tile_makers(plan.memory_bytes);
}

/// Tables that were not made for lack of memory, which the message counts.
bool lacks_tables(const SheetPlan& sheet) {
  return std::ranges::any_of(sheet.colours, [](const chain::PageColourPtr& colour) {
    return colour != nullptr && colour->table == nullptr;
  });
}

/// Places the sheets again for whom the plan leaves too little memory. `wanted_bytes`: what it takes with the tables
/// that were not made.
void place_beside(const Resources& resources, uint64_t wanted_bytes, JobPlan& plan) {
  const uint64_t limit = resources.job.limits.memory_bytes;
  Resources with_tables = resources;
  with_tables.own_bytes = wanted_bytes;
  for (SheetPlan& sheet : plan.sheets) {
    const bool lacks = lacks_tables(sheet);
    const bool fits = sheet.memory_bytes + kProgramBytes + resources.own_bytes <= limit;
    if (sheet.failure ? !sheet.lacks_memory : !lacks && fits) continue;
    sheet.failure.reset();
    try {
      place(lacks ? with_tables : resources, sheet);
    } catch (const Error& error) {
      sheet.failure = Failure::of(error);
    }
  }
}

/// Places the sheets again of which a plate's engine turned out to be a GPU: its bands are others. A
/// sheet that cannot be placed so stays with the CPU.
void place_on_chosen_engines(const Resources& resources, JobPlan& plan) {
  for (SheetPlan& sheet : plan.sheets) {
    if (sheet.failure) continue;
    const std::vector<PlatePlan> earlier = sheet.plates;
    const auto is_moved = [&sheet](const PlatePlan& plate) {  // not named by the settings
      return settings_of(sheet, plate).halftone.engine == Engine::kGpu &&
             plate.engine != Engine::kGpu;
    };
    if (std::ranges::none_of(earlier, is_moved)) continue;
    SheetPlan on_gpu = sheet;
    try {
      place(resources, on_gpu);
      on_gpu.schedule_reason = sheet.schedule_reason;
      sheet = std::move(on_gpu);
    } catch (const Error& error) {
      for (const PlatePlan& plate : earlier) {
        if (is_moved(plate)) set_engine(sheet, plate, Engine::kCpu);
      }
      sheet.schedule_reason = std::string("engine 'auto': CPU, as a GPU cannot: ") + error.what();
    }
  }
}

/// Adds to each failure where its setting is written; sheet i comes from `entries[i]`.
void place_failures(const manifests::Job& job,
                    const std::vector<const manifests::JobPage*>& entries,
                    JobPlan& plan) {
  for (size_t i = 0; i < plan.sheets.size(); ++i) {
    std::optional<Failure>& failure = plan.sheets[i].failure;
    if (failure) failure->place = place_of_setting(job, *entries[i], *failure);
  }
}

}  // namespace

JobPlan make_plan(const manifests::Job& job, const PlanOptions& options) {
  keep_little(job.limits.memory_bytes);
  JobPlan plan;
  plan.job = job.name;
  plan.folder = job.folder;
  plan.threads = job.limits.threads > 0 ? job.limits.threads : available_threads();
  plan.memory_bytes = job.limits.memory_bytes;
  plan.device_memory_bytes = job.limits.device_memory_bytes;
  plan.files = options.files;
  const uint64_t room =
      plan.memory_bytes - std::min(plan.memory_bytes, kProgramBytes);  // beside the program
  Sources sources{.inputs = LastFile(*options.files),
                  .tiles = TileReader(*options.files, room),
                  .colours = ColourTables(*options.files, room),
                  .curves = {}};
  if (!options.freeze_folder.empty()) sources.colours.freeze_into(options.freeze_folder);
  Resources resources{job, plan.threads, options};
  PlanSize size(job);
  std::vector<const manifests::JobPage*> entries;  // of the sheets
  for (const manifests::JobPage& page : job.pages) {
    if (const tiff::TiffFile* file = page.mistake ? nullptr : opened(sources.inputs, page.input)) {
      if (!size.add(page, *file, sources.colours.press_inks(page))) continue;
    }
    for (SheetPlan& sheet : sheets_of(page, resources, sources)) {
      plan.sheets.push_back(std::move(sheet));
      entries.push_back(&page);
    }
  }
  size.refuse_too_much();
  plan.own_bytes = size.bytes() + sources.tiles.bytes() + sources.colours.bytes();
  resources.own_bytes = plan.own_bytes - std::min(plan.own_bytes, kPlanBytes);
  const uint64_t missing_bytes = sources.colours.missing_bytes();
  if (resources.own_bytes > 0 || missing_bytes > 0) {
    place_beside(resources, plan.own_bytes + missing_bytes, plan);
  }
  choose_engines(plan);
  place_on_chosen_engines(resources, plan);
  plan.own_bytes += most_making_bytes(plan);
  refuse_uneven_sets(plan);
  check_plates(plan);
  if (!options.hot_folder.empty()) refuse_plates_in_hot_folder(plan, options.hot_folder);
  // The manifest of a page that is dropped into a hot folder is made by the program: no place in it helps.
  if (!options.any_inks) place_failures(job, entries, plan);
  add_warnings(plan, options.any_inks);
  for (const SheetPlan& sheet : plan.sheets) {
    if (sheet.failure) continue;
    plan.pixels += sheet.pixels;
    plan.raw_bytes += sheet.raw_bytes;
    plan.disk_bytes += sheet.disk_bytes;
  }
  return plan;
}

uint32_t available_threads() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<uint32_t>(std::max(CPU_COUNT(&set), 1));
}

}  // namespace mezzo::plan
