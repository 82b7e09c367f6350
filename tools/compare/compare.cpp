#include "tools/compare/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>

#include "kernels/quality/judge.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/graph_executor.h"
#include "stages/files/publish.h"
#include "tools/cli/chain_options.h"
#include "tools/cli/file_offers.h"
#include "tools/compare/html_page.h"
#include "tools/compare/making.h"
#include "tools/compare/pages.h"
#include "tools/compare/report.h"

namespace mezzo::compare {
namespace {

constexpr double kUsualSight = 3500;  // dpi x distance of print research
constexpr double kUsualDpi = 300;
constexpr std::string_view kMaking = "How halftones were made that do not say it themselves";

struct CompareOptions {
  std::string contone;
  std::vector<std::string> halftones;
  std::string ink;
  manifests::PageSettings settings = Given().settings;
  cli::LineworkOptions linework;
  PrintOptions prints;
  uint32_t page = 1;
  std::optional<double> dpi;
  std::optional<double> distance_inch;
  std::optional<uint32_t> threads;
  std::string html;  ///< empty: no page
  std::string existing = "replace";
};

quality::Viewing viewing_of(const CompareOptions& options, const PageInfo& halftone) {
  quality::Viewing viewing;
  const double tagged = halftone.resolution.x_dpi;
  viewing.dpi = options.dpi.value_or(tagged > 0 ? tagged : kUsualDpi);
  viewing.distance_inch = options.distance_inch.value_or(kUsualSight / viewing.dpi);
  const double sight = viewing.dpi * viewing.distance_inch;
  if (sight < quality::kMinSight || sight > quality::kMaxSight) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{:.6g} dpi seen from {:.6g} inch is a product of {:.6g}; it must lie "
                            "in {:.0f} .. {:.0f}, and {:.0f} is usual",
                            viewing.dpi,
                            viewing.distance_inch,
                            sight,
                            quality::kMinSight,
                            quality::kMaxSight,
                            kUsualSight));
  }
  return viewing;
}

/// File names where they tell the halftones apart, else the paths as given.
std::vector<std::string> short_names(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    names.push_back(std::filesystem::path(path).filename().string());
  }
  const std::set<std::string> different(names.begin(), names.end());
  return different.size() == names.size() ? names : paths;
}

/// The files compared: `pairs` has one for each of `halftones`.
struct ComparedPages {
  OpenPage contone;
  std::vector<OpenPage> halftones;
  std::vector<ComparedPair> pairs;

  const PageInfo& info() const { return pairs.front().halftone.info(); }
};

/// All numbers.
struct Comparison {
  std::vector<NamedReport> reports;  ///< one a halftone
  std::vector<NamedPrint> prints;
};

/// Whether both are the same samples of one file.
bool is_same_contone(const ComparedPlane& a, const ComparedPlane& b) {
  if (a.plane != b.plane || a.chain->digest() != b.chain->digest() || a.form != b.form) {
    return false;
  }
  return std::ranges::equal(a.linework, b.linework, [](const auto& one, const auto& other) {
    return one->overlay == other->overlay && one->page.file->path() == other->page.file->path();
  });
}

/// Looks at the planes once more, for their pictures.
ComparePage gather(const ComparedPages& pages, const Comparison& all, Team& team) {
  const std::vector<NamedReport>& reports = all.reports;
  ComparePage page;
  page.title = std::filesystem::path(pages.contone.file->path()).filename().string();
  page.width_px = pages.info().width_px;
  page.height_px = pages.info().height_px;
  std::vector<const ComparedPlane*> contones;  // those that something is compared with, in order
  size_t place = 0;                            // of the first one's choice, and the same for all
  for (size_t i = 0; i < reports.size(); ++i) {
    const ComparedPlane& contone = pages.pairs[i].contone;
    const auto known = std::ranges::find_if(
        contones, [&](const ComparedPlane* other) { return is_same_contone(*other, contone); });
    const auto number = static_cast<size_t>(known - contones.begin());
    if (known == contones.end()) {
      contones.push_back(&contone);
      const PageImages images = read_page_images(contone, team);
      if (contones.size() == 1) {
        place = images.liveliest_place();
        page.dots = images.place(place);
        page.preview_scale = images.preview_scale();
      }
      const std::vector<std::string>& inks = contone.info().inks;
      const std::string ink = inks.size() == 1 ? "" : ", " + inks[contone.plane];
      page.contones.push_back({page.title + ink, pictures_of(images, place)});
    }
    page.halftones.push_back({reports[i].name,
                              number,
                              reports[i].viewing,
                              reports[i].report,
                              pictures_of(read_page_images(pages.pairs[i].halftone, team), place)});
  }
  page.prints = all.prints;
  return page;
}

/// The file of --html, made ready before anything is measured; null without --html. The file that
/// it replaces stays until the page is whole. Throws Error as PendingFile does.
std::unique_ptr<files::PendingFile> create_html(const CompareOptions& options) {
  if (options.html.empty()) return nullptr;
  const bool replace = options.existing == "replace";
  return std::make_unique<files::PendingFile>(
      options.html, replace ? files::ExistingFile::kReplace : files::ExistingFile::kRefuse);
}

/// Throws Error(kData) when an input was changed since it was opened.
void check_unchanged(const ComparedPages& pages) {
  pages.contone.file->check_unchanged();
  for (const OpenPage& halftone : pages.halftones) halftone.file->check_unchanged();
  for (const ComparedPair& pair : pages.pairs) {
    for (const auto& linework : pair.contone.linework) linework->page.file->check_unchanged();
  }
}

/// Writes the page of `all`, and gives `file` its name. Throws Error, also when
/// an input was changed meanwhile.
void write_html(files::PendingFile& file,
                const ComparedPages& pages,
                const Comparison& all,
                Team& team) {
  std::ostringstream out;
  write_compare_page(out, gather(pages, all, team));
  const std::string text = std::move(out).str();
  check_unchanged(pages);
  if (const int error = file.write_at(0, std::as_bytes(std::span(text))); error != 0) {
    throw files::file_error(file.path(), "writing the page", error);
  }
  file.sync();
  file.publish();
  file.commit();
}

/// Halftones of one page that were scaled to several sizes are not compared with each other.
void refuse_several_sizes(const ComparedPages& pages) {
  for (const ComparedPair& pair : pages.pairs) {
    const PageInfo& info = pair.halftone.info();
    if (info.width_px == pages.info().width_px && info.height_px == pages.info().height_px) {
      continue;
    }
    throw Error(ErrorKind::kData,
                fmt::format("{} has {} x {} px and {} has {} x {} px: halftones that are compared "
                            "must have one size; compare each with the page by itself",
                            pages.halftones.front().file->path(),
                            pages.info().width_px,
                            pages.info().height_px,
                            pair.halftone.page->file->path(),
                            info.width_px,
                            info.height_px));
  }
}

ComparedPages open_pages(const CompareOptions& options) {
  ComparedPages pages{OpenPage(options.contone, options.page), {}, {}};
  for (const std::string& path : options.halftones) {
    // The plate of one page of several may be a file of one page.
    OpenPage& halftone = pages.halftones.emplace_back(path, 1);
    if (options.page <= halftone.file->page_count()) halftone.index = options.page - 1;
  }
  return pages;
}

/// Finds out how each halftone was made. Throws Error as pair_up() does.
void pair_all(const CompareOptions& options, ComparedPages& pages) {
  cli::check_chain_options(options.settings);
  Given given;
  given.settings = options.settings;
  given.linework = cli::linework_of(options.linework);
  for (const OpenPage& halftone : pages.halftones) {
    const Making making = making_of(halftone, pages.contone, given);
    pages.pairs.push_back(pair_up(pages.contone, halftone, making, options.ink));
  }
  refuse_several_sizes(pages);
}

/// What is compared, without its numbers.
Comparison prepare(const CompareOptions& options, const ComparedPages& pages) {
  const std::vector<std::string> names = short_names(options.halftones);
  Comparison all;
  for (size_t i = 0; i < pages.pairs.size(); ++i) {
    const ComparedPair& pair = pages.pairs[i];
    all.reports.push_back({names[i],
                           options.halftones[i],
                           options.contone,
                           pair.contone.info().inks[pair.contone.plane],
                           pair.steps,
                           viewing_of(options, pair.halftone.info()),
                           {}});
  }
  for (ComparedPrint& print : prints_among(pages.pairs, names, options.prints)) {
    NamedPrint one;
    one.viewing = all.reports[print.plates[0]].viewing;
    for (const size_t i : print.plates) one.halftone_paths.push_back(options.halftones[i]);
    one.contone_path = options.contone;
    one.gain_um = options.prints.gain_um;
    one.colours = print_of(print.inks, one.gain_um, one.viewing.dpi);
    one.print = std::move(print);
    all.prints.push_back(std::move(one));
  }
  return all;
}

/// All reports, or the exception of the first halftone that cannot be judged; files are checked
/// before any is. Writes the page as well when there is one to write.
Comparison judge_all(const CompareOptions& options) {
  ComparedPages pages = open_pages(options);  // is not moved: its planes point to its pages
  pair_all(options, pages);
  Comparison all = prepare(options, pages);
  const auto html = create_html(options);
  run::GraphExecutor threads({options.threads.value_or(plan::available_threads()), std::nullopt});
  for (size_t i = 0; i < all.reports.size(); ++i) {
    const auto pair = open_pair(pages.pairs[i].contone, pages.pairs[i].halftone);
    all.reports[i].report = quality::judge(*pair, all.reports[i].viewing, threads.team());
    pages.halftones[i].file->check_unchanged();
  }
  for (NamedPrint& print : all.prints) {
    print.report =
        judge_print(print.print, pages.pairs, print.colours, print.viewing, threads.team());
  }
  check_unchanged(pages);
  if (html != nullptr) write_html(*html, pages, all, threads.team());
  return all;
}

int compare(const CompareOptions& options, const cli::CommonOptions& common) {
  const Comparison all = judge_all(options);
  common.json ? print_comparison_json(all.reports, all.prints)
              : print_comparison(all.reports, all.prints);
  return kExitGood;
}

}  // namespace

void make_compare_command(cli::Command& command, const cli::CommonOptions& common) {
  auto options = std::make_shared<CompareOptions>();
  command.argument("CONTONE", options->contone, "Contone TIFF").required().offers(cli::offer_tiffs);
  command.argument("HALFTONE", options->halftones, "Bilevel TIFFs, of one size")
      .required()
      .offers(cli::offer_tiffs);
  command
      .option("--ink",
              options->ink,
              "Plane of the contone, by name or number; default: the ink of the plate")
      .takes("INK")
      .offers([options] { return cli::offer_inks(options->contone); });
  command
      .option("--inks",
              options->prints.inks,
              "Plates of several inks: judged as one print in colour, too, or each plate apart")
      .one_of({"together", "apart"})
      .shows_default();
  command
      .option("--gain",
              options->prints.gain_um,
              "Dot gain of that print: micrometres that ink runs beyond the edges of dots")
      .takes("UM")
      .range(0, 1000)
      .shows_default();
  command.option("--page", options->page, "Of a multi-page contone, from 1")
      .range(1, 1'000'000)
      .offers([options] { return cli::offer_pages(options->contone); })
      .shows_default();
  command.option("--dpi", options->dpi, "Resolution; default: that of the halftone, else 300")
      .range(10.0, 10'000.0);
  command
      .option(
          "--distance", options->distance_inch, "Viewing distance in inches; default: 3500 / dpi")
      .range(0.1, 10'000.0);
  command.option("--threads", options->threads, "Threads to use; default: all processors")
      .range(1, 1024);
  command.output("--html", options->html, "HTML file for the numbers, charts and pictures")
      .kind({"html", "htm"});
  command.option("--existing", options->existing, "Replace an HTML file that exists, or fail")
      .one_of({"replace", "refuse"})
      .shows_default();
  cli::add_chain_options(command, options->settings, kMaking);
  cli::add_linework_options(command, options->linework, kMaking);
  command.example("mezzotint compare page.tif floyd-steinberg.tif bayer.tif",
                  "Compare two halftones of a page, a column for each.");
  command.example("mezzotint compare cover.tif plates/cover_*.tif",
                  "Judge the plates of a page one by one, and the print of all of them.");
  command.runs([options, &common] { return compare(*options, common); });
}

}  // namespace mezzo::compare
