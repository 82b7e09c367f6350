#include "pipeline/plan/linework.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/plate_settings.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/text.h"
#include "stages/ink_names.h"

namespace mezzo::plan {
namespace {

constexpr std::string_view kAllInks = "all";

bool prints_all(const manifests::Linework& linework) {
  return prepress::is_same_ink(linework.ink, kAllInks);
}

std::string millimetres_of(const PageInfo& info, Resolution resolution) {
  return fmt::format("{:.2f} x {:.2f} mm",
                     info.width_px / resolution.x_dpi * 25.4,
                     info.height_px / resolution.y_dpi * 25.4);
}

/// "9449 x 6299 px (100.01 x 66.67 mm)", the millimetres where the resolution is known.
std::string size_text(const PageInfo& info, Resolution resolution) {
  std::string px = fmt::format("{} x {} px", info.width_px, info.height_px);
  if (resolution.x_dpi <= 0 || resolution.y_dpi <= 0) return px;
  return fmt::format("{} ({})", px, millimetres_of(info, resolution));
}

bool is_known(Resolution resolution) {
  return resolution.x_dpi > 0 && resolution.y_dpi > 0;
}

void refuse_other_kinds(const tiff::TiffFile& file, const PageInfo& info) {
  if (is_bilevel(info) && info.inks.size() == 1 && info.extra_channels == 0) return;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format("{} is no line work: it must have one bit a pixel and one plane, and is {}",
                  file.path(),
                  info.format),
      "export it as a bitmap, or print it as a page");
}

/// The page that is scaled; null when none is.
const PageInfo* scaled_page(const chain::Chain& chain) {
  const PageInfo* page = &chain.source();
  for (const auto& stage : chain.stages()) {
    if (stage->page().resolution != page->resolution) return page;
    page = &stage->page();
  }
  return nullptr;
}

/// Where the size of the plates comes from: pages have whole pixels, so that their plates can be larger
/// or smaller than the layout by the part of a pixel. Empty for plates that are not scaled.
std::string reason_of_size(const chain::Chain& chain) {
  const PageInfo* page = scaled_page(chain);
  if (page == nullptr || !is_known(page->resolution)) return {};
  return fmt::format("; the page's {} x {} px at {} are {}",
                     page->width_px,
                     page->height_px,
                     resolution_text(page->resolution),
                     millimetres_of(*page, page->resolution));
}

std::string words_on_copies(const manifests::Copies& copies) {
  if (copies.across == 1 && copies.down == 1) return {};
  return fmt::format(", a sheet of {} x {} copies that line work must cover as a whole",
                     copies.across,
                     copies.down);
}

void refuse_other_resolutions(const tiff::TiffFile& file,
                              const PageInfo& info,
                              const PageInfo& plate) {
  const bool can_compare = is_known(info.resolution) && is_known(plate.resolution);
  if (can_compare && !agree(info.resolution, plate.resolution)) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} is line work of {:.6g} x {:.6g} dpi, and the page's plates have "
                            "{:.6g} x {:.6g} dpi",
                            file.path(),
                            info.resolution.x_dpi,
                            info.resolution.y_dpi,
                            plate.resolution.x_dpi,
                            plate.resolution.y_dpi),
                "export it at the plates' resolution, or set output.resolution to its own");
  }
}

/// Pixels of the plates in one of the page, each way; 1 for plates that are not scaled.
Resolution pixels_of_page_pixel(const chain::Chain& chain) {
  const PageInfo* page = scaled_page(chain);
  if (page == nullptr || !is_known(page->resolution)) return {1, 1};
  const Resolution& plate = chain.page().resolution;
  return {plate.x_dpi / page->resolution.x_dpi, plate.y_dpi / page->resolution.y_dpi};
}

/// A layout is seldom a whole number of page pixels: what is rounded there is no error of the line work.
bool is_within_page_pixel(const PageInfo& info, const chain::Chain& chain) {
  const auto apart = [](uint32_t a, uint32_t b) {
    return std::abs(static_cast<double>(a) - static_cast<double>(b));
  };
  const PageInfo& plate = chain.page();
  const auto [across, down] = pixels_of_page_pixel(chain);
  return apart(info.width_px, plate.width_px) < std::max(across, 1.0) &&
         apart(info.height_px, plate.height_px) < std::max(down, 1.0);
}

/// "padded with 1 px of paper at the right"; empty where both are equal.
std::string change_text(uint32_t px, uint32_t plate_px, std::string_view side) {
  if (px == plate_px) return {};
  return px < plate_px ? fmt::format("padded with {} px of paper at the {}", plate_px - px, side)
                       : fmt::format("cut by {} px at the {}", px - plate_px, side);
}

/// What becomes of line work of a slightly different size; empty for the plates' size.
std::string fitting_text(const PageInfo& info, const BitReader::Frame& frame) {
  const bool is_left = frame.column == 0, is_top = frame.row == 0;
  const std::string across = change_text(info.width_px, frame.width_px, is_left ? "right" : "left");
  const std::string down = change_text(info.height_px, frame.height_px, is_top ? "bottom" : "top");
  return across + (across.empty() || down.empty() ? "" : " and ") + down;
}

void refuse_other_sizes(const tiff::TiffFile& file,
                        const PageInfo& info,
                        const chain::Chain& chain,
                        const manifests::Copies& copies) {
  const PageInfo& plate = chain.page();
  if (is_within_page_pixel(info, chain)) return;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format("{} is line work of {}, and the page's plates have {}{}",
                  file.path(),
                  size_text(info, info.resolution),
                  size_text(plate, plate.resolution),
                  words_on_copies(copies)),
      fmt::format("export it with {} x {} px{}{}",
                  plate.width_px,
                  plate.height_px,
                  is_known(plate.resolution) ? " at " + resolution_text(plate.resolution) : "",
                  reason_of_size(chain)));
}

/// No plate prints the line work. Its ink may be one that the page has all the same.
[[noreturn]] void refuse_ink(const manifests::Linework& linework,
                             const SheetPlan& sheet,
                             const std::string& plates) {
  const std::string begin = fmt::format(
      "{}: its line work {} is for the ink '{}'", sheet.input, linework.file, linework.ink);
  for (const std::string& ink : inks_of(sheet, 0)) {
    if (!prepress::is_same_ink(ink, linework.ink)) continue;
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format(
            "{}, which the page has, but by 'inks' it {}", begin, fate_of_ink(ink, sheet.settings)),
        fmt::format("name one of the plates, {}, or 'all'", plates));
  }
  throw Error(ErrorKind::kUnsupported,
              fmt::format("{}, and the page has {}", begin, plates),
              "name one of these, or 'all'");
}

/// The digest that the line work must have is known where another machine planned the job.
void check_digest(const tiff::TiffFile& file, std::string& digest) {
  const std::string found = file.xxh3();
  file.check_unchanged();
  if (!digest.empty() && digest != found) {
    throw Error(ErrorKind::kChecksum,
                fmt::format("{}: the line work changed after the job was planned", file.path()),
                "submit the job again");
  }
  digest = found;
}

/// Line work is of the last level, which may lack the bit of a plate.
prepress::Overlay of_bit(prepress::Overlay overlay,
                         const SheetPlan& sheet,
                         const PlatePlan& plate) {
  if (!plate.drop_bit || overlay != prepress::Overlay::kPrint) return overlay;
  const size_t last = settings_of(sheet, plate).halftone.levels->drops.size() - 1;
  const bool has_bit = (last >> *plate.drop_bit & 1) != 0;
  return has_bit ? overlay : prepress::Overlay::kKnockOut;
}

/// "type.tif in black, over the other inks".
std::string text_of(const manifests::Linework& linework) {
  const std::string ink = linework.is_of_each_ink ? "each ink"
                          : prints_all(linework)  ? "all inks"
                                                  : linework.ink;
  const std::string others = prints_all(linework)   ? ""
                             : overprints(linework) ? ", over the other inks"
                                                    : ", the other inks knocked out";
  return fmt::format(
      "{} in {}{}", std::filesystem::path(linework.file).filename().string(), ink, others);
}

/// Adds the effect of one line work to that of those before it, on each plate.
void add_overlays(const manifests::Linework& linework,
                  const SheetPlan& sheet,
                  std::vector<std::vector<prepress::Overlay>>& overlays) {
  using prepress::Overlay;
  std::string inks;
  bool prints = false;
  for (size_t p = 0; p < sheet.plates.size(); ++p) {
    const PlatePlan& plate = sheet.plates[p];
    const std::string ink(without_bit(plate.ink, plate.drop_bit));
    const bool has_name = manifests::is_one_ink(sheet.settings, ink, linework.ink);
    const std::string on_press(ink_on_press(sheet.settings, ink, plate.page_ink));
    const Overlay overlay = overlay_of(linework, has_name ? ink : on_press, sheet.settings);
    prints = prints || overlay == Overlay::kPrint;
    overlays[p].push_back(of_bit(overlay, sheet, plate));
    inks += (inks.empty() ? "" : ", ") + plate.ink;
  }
  if (!prints) refuse_ink(linework, sheet, inks);
}

/// The inks of the plates, each once.
std::vector<std::string> inks_of_plates(const SheetPlan& sheet) {
  const std::string place = place_of(sheet, sheet.pages.front());
  std::vector<std::string> inks;
  for (const MappedPlate& plate : map_inks(inks_of(sheet, 0), sheet.settings, place).plates) {
    std::string ink(without_bit(plate.ink, plate.drop_bit));
    if (std::ranges::find(inks, ink) == inks.end()) inks.push_back(std::move(ink));
  }
  return inks;
}

/// Adds the files that a template stands for, one for each ink. A file that is missing is refused, since it
/// may be one that has not arrived or has a wrong name, and a plate without its type is seen only in print.
void add_each_ink(const manifests::Linework& each,
                  files::FileSystem& files,
                  const SheetPlan& sheet,
                  std::vector<LineworkPlan>& all) {
  const std::vector<std::string> inks = inks_of_plates(sheet);
  const std::vector<std::string> names = ink_file_names(inks);
  std::vector<std::string> missing;
  for (size_t i = 0; i < inks.size(); ++i) {
    manifests::Linework one = each;
    one.file = manifests::plate_path(each.file, 0, {names[i]});
    one.ink = inks[i];
    one.is_of_each_ink = false;
    if (!files::mark_of(files, one.file)) missing.push_back(one.file);
    all.push_back({.settings = std::move(one)});
  }
  if (missing.empty()) return;
  throw Error(
      ErrorKind::kMissing,
      fmt::format("{}: its line work {} {} missing",
                  sheet.input,
                  fmt::join(missing, ", "),
                  missing.size() == 1 ? "is" : "are"),
      "{ink} needs a file for every ink of the plates; for some of the inks, list their files, "
      "each with its 'ink'");
}

/// Replaces line work of each ink by the files of the inks.
void expand_inks(files::FileSystem& files, SheetPlan& sheet) {
  std::vector<LineworkPlan> all;
  for (const LineworkPlan& one : sheet.linework) {
    if (one.settings.is_of_each_ink) {
      add_each_ink(one.settings, files, sheet, all);
    } else {
      all.push_back(one);
    }
  }
  sheet.linework = std::move(all);
}

/// Line work that was opened to be planned.
struct OpenedLinework {
  std::unique_ptr<tiff::TiffFile> file;
  BitReader::Frame frame;
};

/// Checks that the line work fits, and notes its mark and digest.
OpenedLinework check_and_open(files::FileSystem& files,
                              const chain::Chain& chain,
                              LineworkPlan& linework,
                              SheetPlan& sheet) {
  auto file = tiff::TiffFile::open(linework.settings.file, {}, files);
  check_linework(*file, chain, sheet.settings.geometry.copies);
  const PageInfo& info = file->page(0);
  const BitReader::Frame frame = linework_frame(info, chain.page(), sheet.settings.geometry);
  const std::string fitting = fitting_text(info, frame);
  if (!fitting.empty()) {
    sheet.warnings.push_back(
        fmt::format("its line work {} is {}: it has {} x {} px, and the plates "
                    "{} x {} px, which is less than a pixel of the page",
                    linework.settings.file,
                    fitting,
                    info.width_px,
                    info.height_px,
                    chain.page().width_px,
                    chain.page().height_px));
  }
  check_digest(*file, linework.settings.xxh3);
  linework.mark = file->mark();
  return {std::move(file), frame};
}

}  // namespace

bool overprints(const manifests::Linework& linework) {
  return linework.overprint.value_or(prepress::is_same_ink(linework.ink, "black"));
}

std::string linework_text(const SheetPlan& sheet) {
  std::vector<std::string> texts;
  for (const LineworkPlan& one : sheet.linework) texts.push_back(text_of(one.settings));
  return fmt::to_string(fmt::join(texts, "; "));
}

prepress::Overlay overlay_of(const manifests::Linework& linework,
                             const std::string& ink,
                             const manifests::PageSettings& page) {
  if (prints_all(linework) || manifests::is_one_ink(page, ink, linework.ink)) {
    return prepress::Overlay::kPrint;
  }
  return overprints(linework) ? prepress::Overlay::kKeep : prepress::Overlay::kKnockOut;
}

std::vector<std::vector<prepress::Overlay>> overlays_of(const SheetPlan& sheet) {
  std::vector<std::vector<prepress::Overlay>> overlays(sheet.plates.size());
  for (const LineworkPlan& one : sheet.linework) add_overlays(one.settings, sheet, overlays);
  return overlays;
}

void check_linework(const tiff::TiffFile& file,
                    const chain::Chain& chain,
                    const manifests::Copies& copies) {
  if (file.page_count() != 1) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} has {}, and line work must have one",
                            file.path(),
                            counted(file.page_count(), "page")),
                "save it in a file of its own");
  }
  const PageInfo& info = file.page(0);
  refuse_other_kinds(file, info);
  refuse_other_resolutions(file, info, chain.page());
  refuse_other_sizes(file, info, chain, copies);
}

BitReader::Frame linework_frame(const PageInfo& linework,
                                const PageInfo& plate,
                                const manifests::Geometry& geometry) {
  BitReader::Frame frame{plate.width_px, plate.height_px};
  const uint32_t degrees = geometry.rotate_degrees;
  if (degrees == 90 || degrees == 180) {
    frame.column = int64_t{plate.width_px} - linework.width_px;
  }
  if (degrees == 180 || degrees == 270) {
    frame.row = int64_t{plate.height_px} - linework.height_px;
  }
  return frame;
}

void plan_linework(files::FileSystem& files,
                   const chain::Chain& chain,
                   uint64_t memory_bytes,
                   uint32_t threads,
                   SheetPlan& sheet) {
  expand_inks(files, sheet);
  std::vector<OpenedLinework> all;
  uint64_t least = 0;
  for (LineworkPlan& linework : sheet.linework) {
    all.push_back(check_and_open(files, chain, linework, sheet));
    least = std::max(least, all.back().file->least_memory(0));
  }
  const auto add = [&](uint64_t bytes, ReaderNeeds& needs) {
    needs.linework_bytes = bytes;
    for (const auto& [file, frame] : all) {
      const auto reader = file->open_page(0, bytes);
      needs.working_bytes += BitReader::working_bytes(file->page(0), *reader, frame, threads);
      // A band of packed rows for each band of the page that is in flight (band_plan.cpp).
      constexpr uint64_t kBandsBesideThreads = 5;
      needs.bytes_a_row += bit_row_bytes(chain.page().width_px) * (threads + kBandsBesideThreads);
    }
  };
  add(std::max(memory_bytes / all.size(), least), sheet.readers.front());
  add(least, sheet.least_readers.front());
}

std::unique_ptr<tiff::TiffFile> open_linework(const LineworkPlan& linework,
                                              files::FileSystem& files) {
  auto file = tiff::TiffFile::open(linework.settings.file, {}, files);
  // A new name or new rights change the mark, and not the content.
  const bool is_same = file->mark() == linework.mark || file->xxh3() == linework.settings.xxh3;
  if (is_same) return file;
  throw Error(ErrorKind::kData,
              fmt::format("{}: the line work changed after the job was planned", file->path()),
              "run the job again");
}

}  // namespace mezzo::plan
