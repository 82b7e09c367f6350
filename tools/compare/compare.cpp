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
#include "tools/compare/html_page.h"
#include "tools/compare/pages.h"
#include "tools/compare/report.h"

namespace mezzo::compare {
namespace {

constexpr double kUsualSight = 3500;  // dpi x distance of print research
constexpr double kUsualDpi = 300;

struct CompareOptions {
  std::string contone;
  std::vector<std::string> halftones;
  std::string ink;
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

/// The pairs compared: halftones[i] with plane planes[i] of the contone.
struct ComparedPages {
  const OpenPage& contone;
  const std::vector<OpenPage>& halftones;
  const std::vector<uint32_t>& planes;
};

/// Looks at the planes once more, for their pictures.
ComparePage gather(const ComparedPages& pages,
                   const std::vector<NamedReport>& reports,
                   Team& team) {
  const PageInfo& info = pages.contone.info();
  ComparePage page;
  page.title = std::filesystem::path(pages.contone.file->path()).filename().string();
  page.width_px = info.width_px;
  page.height_px = info.height_px;
  std::vector<uint32_t> planes;  // those that something is compared with, in order of mention
  size_t place = 0;              // of the first plane's choice, and the same for all
  for (size_t i = 0; i < reports.size(); ++i) {
    const uint32_t plane = pages.planes[i];
    const auto known = std::ranges::find(planes, plane);
    const auto contone = static_cast<size_t>(known - planes.begin());
    if (known == planes.end()) {
      planes.push_back(plane);
      const PageImages images = read_page_images(pages.contone, plane, team);
      if (planes.size() == 1) {
        place = images.liveliest_place();
        page.dots = images.place(place);
        page.preview_scale = images.preview_scale();
      }
      const std::string ink = info.inks.size() == 1 ? "" : ", " + info.inks[plane];
      page.contones.push_back({page.title + ink, pictures_of(images, place)});
    }
    page.halftones.push_back({reports[i].name,
                              contone,
                              reports[i].viewing,
                              reports[i].report,
                              pictures_of(read_page_images(pages.halftones[i], 0, team), place)});
  }
  return page;
}

/// The file of --html, made ready before anything is measured; null without --html. The file that
/// it replaces stays until the page is whole. Throws Error(kUsage) when it is an input, else as
/// PendingFile does.
std::unique_ptr<files::PendingFile> create_html(const CompareOptions& options) {
  if (options.html.empty()) return nullptr;
  std::vector<std::string> inputs = options.halftones;
  inputs.push_back(options.contone);
  for (const std::string& input : inputs) {
    std::error_code not_there;
    if (std::filesystem::equivalent(options.html, input, not_there)) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--html {}: this is one of the files to compare; choose another name",
                              options.html));
    }
  }
  const bool replace = options.existing == "replace";
  return std::make_unique<files::PendingFile>(
      options.html, replace ? files::ExistingFile::kReplace : files::ExistingFile::kRefuse);
}

/// Writes the page of `reports`, one a halftone, and gives `file` its name. Throws Error, also when
/// an input was changed meanwhile.
void write_html(files::PendingFile& file,
                const ComparedPages& pages,
                const std::vector<NamedReport>& reports,
                Team& team) {
  std::ostringstream out;
  write_compare_page(out, gather(pages, reports, team));
  const std::string text = std::move(out).str();
  pages.contone.file->check_unchanged();
  for (const OpenPage& halftone : pages.halftones) halftone.file->check_unchanged();
  if (const int error = file.write_at(0, std::as_bytes(std::span(text))); error != 0) {
    throw files::file_error(file.path(), "writing the page", error);
  }
  file.sync();
  file.publish();
  file.commit();
}

/// All reports, or the exception of the first halftone that cannot be judged; files are checked
/// before any is. Writes the page as well when there is one to write.
std::vector<NamedReport> judge_all(const CompareOptions& options) {
  const OpenPage contone(options.contone, options.page);
  const std::vector<std::string> names = short_names(options.halftones);
  std::vector<OpenPage> halftones;
  std::vector<uint32_t> planes;
  std::vector<NamedReport> reports;
  for (size_t i = 0; i < options.halftones.size(); ++i) {
    const std::string& path = options.halftones[i];
    // The plate of one page of several may be a file of one page.
    const OpenPage& halftone = halftones.emplace_back(path, 1);
    if (options.page <= halftone.file->page_count()) halftones.back().index = options.page - 1;
    planes.push_back(choose_plane(contone, options.ink, halftone));
    open_pair(contone, planes[i], halftone);
    reports.push_back({names[i],
                       path,
                       options.contone,
                       contone.info().inks[planes[i]],
                       viewing_of(options, halftone.info()),
                       {}});
  }
  const auto html = create_html(options);
  run::GraphExecutor threads({options.threads.value_or(plan::available_threads()), std::nullopt});
  for (size_t i = 0; i < reports.size(); ++i) {
    const auto pair = open_pair(contone, planes[i], halftones[i]);
    reports[i].report = quality::judge(*pair, reports[i].viewing, threads.team());
    halftones[i].file->check_unchanged();
  }
  contone.file->check_unchanged();
  if (html != nullptr) {
    write_html(*html, {contone, halftones, planes}, reports, threads.team());
  }
  return reports;
}

int compare(const CompareOptions& options, const cli::CommonOptions& common) {
  const std::vector<NamedReport> reports = judge_all(options);
  common.json ? print_comparison_json(reports) : print_comparison(reports);
  return kExitGood;
}

}  // namespace

void add_compare_command(cli::Program& program, const cli::CommonOptions& common) {
  cli::Command& command =
      program.command("compare", "Measure how halftones of a page look, side by side");
  auto options = std::make_shared<CompareOptions>();
  command.argument("CONTONE", options->contone, "Contone TIFF").required();
  command.argument("HALFTONE", options->halftones, "Bilevel TIFFs, of the same size").required();
  command
      .option("--ink",
              options->ink,
              "Plane of the contone, by name or number; default: the ink of the plate")
      .takes("INK");
  command.option("--page", options->page, "Of a multi-page contone, from 1")
      .range(1, 1'000'000)
      .shows_default();
  command.option("--dpi", options->dpi, "Resolution; default: that of the halftone, else 300")
      .range(10.0, 10'000.0);
  command
      .option(
          "--distance", options->distance_inch, "Viewing distance in inches; default: 3500 / dpi")
      .range(0.1, 10'000.0);
  command.option("--threads", options->threads, "Threads to use; default: all processors")
      .range(1, 1024);
  command.option("--html", options->html, "HTML file for the numbers, charts and pictures")
      .takes("FILE");
  command.option("--existing", options->existing, "Replace an HTML file that exists, or fail")
      .one_of({"replace", "refuse"})
      .shows_default();
  command.example("mezzotint compare page.tif floyd-steinberg.tif bayer.tif",
                  "Compare two halftones of a page, a column for each.");
  command.runs([options, &common] { return compare(*options, common); });
}

}  // namespace mezzo::compare
