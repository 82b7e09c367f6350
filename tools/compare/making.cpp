#include "tools/compare/making.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/origin.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/plate_text.h"
#include "pipeline/text.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::compare {
namespace {

namespace fs = std::filesystem;

/// The tags of a plate of ours; those of another halftone are empty.
tiff::PlatePageInfo tags_of(const OpenPage& halftone) {
  try {
    const auto plate = tiff::PlateReader::open(halftone.file->path());
    return halftone.index < plate->page_count() ? plate->page(halftone.index)
                                                : tiff::PlatePageInfo();
  } catch (const Error&) {
    return {};
  }
}

bool tells_origin(const tiff::PlatePageInfo& tags) {
  return tags.software.starts_with("mezzotint ") && !tags.description.empty();
}

plan::Origin origin_of(const std::string& path, const tiff::PlatePageInfo& tags) {
  try {
    return plan::read_provenance(tags.description);
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{} says how it was made in words that this version does not know: {}; "
                            "compare it with the version that made it, {}",
                            path,
                            error.what(),
                            one_line(tags.software, 100)));
  }
}

/// Whether the user's file of line work is meant for one of those that a plate has.
bool is_given(const manifests::Linework& linework, size_t count, const Given& given) {
  if (!given.linework) return false;
  return count == 1 || fs::path(given.linework->file).filename() == linework.file;
}

/// One of `count` files of line work of a plate, in the folder of its page unless the user names it.
manifests::Linework find_linework(manifests::Linework linework,
                                  size_t count,
                                  const OpenPage& halftone,
                                  const OpenPage& contone,
                                  const Given& given) {
  const fs::path beside = fs::path(contone.file->path()).parent_path() / linework.file;
  const bool is_named = is_given(linework, count, given);
  const std::string path = is_named ? given.linework->file : beside.string();
  if (!is_named && !fs::exists(beside)) {
    throw Error(ErrorKind::kMissing,
                fmt::format("{} has the line work {} over it, which is not beside {}; give it with "
                            "--linework FILE",
                            halftone.file->path(),
                            one_line(linework.file),
                            contone.file->path()));
  }
  linework.file = path;
  return linework;
}

void find_all_linework(const OpenPage& halftone,
                       const OpenPage& contone,
                       const Given& given,
                       std::vector<manifests::Linework>& all) {
  const auto is_meant = [&](const auto& linework) { return is_given(linework, all.size(), given); };
  if (given.linework && !all.empty() && std::ranges::none_of(all, is_meant)) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} has {} of line work over it, and none has the name of {}",
                    halftone.file->path(),
                    counted(all.size(), "file"),
                    given.linework->file),
        "give --linework a file of one of their names, or put all in the folder of the page");
  }
  for (manifests::Linework& linework : all) {
    linework = find_linework(std::move(linework), all.size(), halftone, contone, given);
  }
}

std::shared_ptr<const LineworkPage> open_linework(const manifests::Linework& linework,
                                                  const manifests::PageSettings& settings,
                                                  const chain::Chain& chain,
                                                  const std::string& ink,
                                                  const std::string& halftone) {
  LineworkPage open{.page = OpenPage(linework.file, 1),
                    .overlay = plan::overlay_of(linework, ink, settings)};
  plan::check_linework(*open.page.file, chain, settings.geometry.copies);
  open.frame = plan::linework_frame(open.page.info(), chain.page(), settings.geometry);
  if (!linework.xxh3.empty() && open.page.file->xxh3() != linework.xxh3) {
    throw Error(ErrorKind::kChecksum,
                fmt::format("{} is not the line work that {} has over it, or was changed since; "
                            "give that with --linework FILE",
                            linework.file,
                            halftone));
  }
  return std::make_shared<LineworkPage>(std::move(open));
}

std::string step_of(const LineworkPage& linework) {
  const std::string name = fs::path(linework.page.file->path()).filename().string();
  switch (linework.overlay) {
    case prepress::Overlay::kPrint:
      return "line work " + name + " as solid ink";
    case prepress::Overlay::kKnockOut:
      return "line work " + name + " as paper";
    case prepress::Overlay::kKeep:
      break;
  }
  return "line work " + name + " overprinted";
}

std::vector<std::string> steps_of(const ComparedPlane& contone, const Making& making) {
  std::vector<std::string> steps = contone.chain->describe();
  for (const auto& linework : contone.linework) steps.push_back(step_of(*linework));
  if (making.settings.output.mirror) steps.push_back("mirror undone");
  if (making.settings.output.negative) steps.push_back("negative undone");
  if (making.settings.protect.any()) steps.push_back("protected pixels as they are");
  if (making.settings.tone != ToneSettings()) {
    steps.push_back(
        fmt::format("plate made with {}, not undone", plan::tone_text(making.settings.tone)));
  }
  if (!making.curves.empty()) {
    steps.push_back(fmt::format("plate made with curves of {}, not undone", making.curves));
  }
  return steps;
}

void refuse_other_kinds(const OpenPage& contone, const OpenPage& halftone) {
  if (is_halftone(contone.info())) {
    throw Error(ErrorKind::kData,
                fmt::format("{} is bilevel ({}): the first file must be the contone that the "
                            "halftones were made from",
                            contone.file->path(),
                            contone.info().format));
  }
  if (!is_halftone(halftone.info())) {
    throw Error(ErrorKind::kData,
                fmt::format("{} is not bilevel ({}), so it cannot be a halftone of {}",
                            halftone.file->path(),
                            halftone.info().format,
                            contone.file->path()));
  }
}

std::string advice_on_size(const PageInfo& halftone, const Making& making) {
  if (!making.origin.empty()) return "it was made from " + making.origin + ", so give that";
  const double dpi = halftone.resolution.x_dpi;
  return "a halftone must have the size of its contone; where the page was scaled, say so with "
         "--resolution " +
         (dpi > 0 ? fmt::format("{:.6g}", dpi) : "DPI");
}

void refuse_other_sizes(const ComparedPlane& contone,
                        const ComparedPlane& halftone,
                        const Making& making) {
  const PageInfo& asked = contone.info();
  const PageInfo& got = halftone.info();
  if (asked.width_px == got.width_px && asked.height_px == got.height_px) return;
  const std::vector<std::string> steps = contone.chain->describe();
  const std::string after = steps.empty() ? "" : fmt::format(" after: {},", fmt::join(steps, ", "));
  throw Error(ErrorKind::kData,
              fmt::format("{} has {} x {} px{} and {} has {} x {} px: {}",
                          contone.page->file->path(),
                          asked.width_px,
                          asked.height_px,
                          after,
                          halftone.page->file->path(),
                          got.width_px,
                          got.height_px,
                          advice_on_size(got, making)));
}

}  // namespace

Making making_of(const OpenPage& halftone, const OpenPage& contone, const Given& given) {
  const tiff::PlatePageInfo tags = tags_of(halftone);
  if (!tells_origin(tags)) {
    std::vector<manifests::Linework> linework;
    if (given.linework) linework.push_back(*given.linework);
    return {.settings = given.settings,
            .page_ink = {},
            .linework = std::move(linework),
            .curves = {},
            .ink = tags.page.ink,
            .origin = {}};
  }
  manifests::Linework file_alone;
  if (given.linework) file_alone.file = given.linework->file;
  if (given.settings != Given().settings || given.linework.value_or(file_alone) != file_alone) {
    throw Error(
        ErrorKind::kUsage,
        halftone.file->path() + " says itself how it was made: leave out the options that say it");
  }
  plan::Origin origin = origin_of(halftone.file->path(), tags);
  if (!origin.colour_table.empty()) {
    throw Error(
        ErrorKind::kUnsupported,
        fmt::format("{}: its page was converted to the inks of a press by profiles, and "
                    "compare measures a plate against the tones of its page; compare plates "
                    "of a page that is in these inks already",
                    halftone.file->path()));
  }
  if (const auto& levels = origin.settings.halftone.levels; levels && levels->drops.size() > 2) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} has {} levels of ink, and compare measures bilevel plates",
                            halftone.file->path(),
                            levels->drops.size()));
  }
  find_all_linework(halftone, contone, given, origin.linework);
  return {.settings = std::move(origin.settings),
          .page_ink = std::move(origin.page_ink),
          .linework = std::move(origin.linework),
          .curves = std::move(origin.curves),
          .ink = tags.page.ink,
          .origin = fmt::format("page {} of {}", origin.page, one_line(origin.input))};
}

ComparedPair pair_up(const OpenPage& contone,
                     const OpenPage& halftone,
                     const Making& making,
                     const std::string& ink) {
  refuse_other_kinds(contone, halftone);
  const std::string& path = contone.file->path();
  const std::string place = fmt::format("{}: page {}", path, contone.index + 1);
  ComparedPair pair{ComparedPlane(contone), ComparedPlane(halftone), {}};
  ComparedPlane& page = pair.contone;
  page.form = plan::read_as(contone.info(), making.settings, place);
  page.chain = std::make_shared<chain::Chain>(plan::make_chain(
      contone.file->page(contone.index, page.form), making.settings, place, making.page_ink));
  page.plane = choose_plane(page.info(), path, ink, making.ink, halftone.file->path());
  pair.halftone.undone = manifests::finish_of(making.settings.output);
  refuse_other_sizes(page, pair.halftone, making);
  for (const manifests::Linework& linework : making.linework) {
    const std::string& plate = making.ink.empty() ? page.info().inks[page.plane] : making.ink;
    page.linework.push_back(
        open_linework(linework, making.settings, *page.chain, plate, halftone.file->path()));
  }
  pair.steps = steps_of(page, making);
  return pair;
}

}  // namespace mezzo::compare
