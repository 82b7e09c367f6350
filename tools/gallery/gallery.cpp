#include "tools/gallery/gallery.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <sstream>

#include "kernels/base/error.h"
#include "kernels/quality/judge.h"
#include "manifests/json/value.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/plan.h"
#include "pipeline/report/page_png.h"
#include "pipeline/run/graph_executor.h"
#include "stages/files/publish.h"
#include "tools/cli/file_offers.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/report.h"
#include "tools/compare/making.h"
#include "tools/compare/pages.h"
#include "tools/gallery/gallery_page.h"

namespace mezzo::gallery {
namespace {

constexpr uint32_t kUsualSide = 384, kMostSide = 2048;
constexpr double kUsualSight = 3500;

struct GalleryCommand {
  std::string input, output;
  std::string sheet;  ///< empty: none
  std::string crop;   ///< as typed
  std::string methods;
  uint32_t page = 1;
  uint32_t across = 5;
  std::optional<double> dpi;
  double budget_s = Conditions().budget_s;
  std::optional<uint32_t> threads;
};

/// The middle of the page, or what --crop says. Throws Error(kUsage).
Rect place_of(const std::string& crop, const PageInfo& page) {
  if (crop.empty()) {
    const uint32_t width = std::min(kUsualSide, page.width_px);
    const uint32_t height = std::min(kUsualSide, page.height_px);
    return {(page.width_px - width) / 2, (page.height_px - height) / 2, width, height};
  }
  Rect place;
  std::istringstream text(crop);
  char a = 0, b = 0, c = 0;
  text >> place.x >> a >> place.y >> b >> place.width_px >> c >> place.height_px;
  if (!text || !(text >> std::ws).eof() || a != ',' || b != ',' || c != ',') {
    throw Error(
        ErrorKind::kUsage,
        "--crop " + crop + ": write X,Y,WIDTH,HEIGHT in pixels, as in --crop 1200,800,384,384");
  }
  const auto fits = [](uint32_t first, uint32_t size, uint32_t whole) {
    return size >= 16 && size <= kMostSide && first <= whole && size <= whole - first;
  };
  if (fits(place.x, place.width_px, page.width_px) &&
      fits(place.y, place.height_px, page.height_px)) {
    return place;
  }
  throw Error(
      ErrorKind::kUsage,
      fmt::format("--crop {}: the page has {} x {} px, and a piece of it 16 to {} px a side",
                  crop,
                  page.width_px,
                  page.height_px,
                  kMostSide));
}

/// The page is read from its top for each ink.
Piece read_piece(const GalleryCommand& command, Team& team) {
  const compare::OpenPage page(command.input, command.page);
  if (compare::is_halftone(page.info())) {
    throw Error(ErrorKind::kData, command.input + " is bilevel: a gallery is of a contone page");
  }
  const manifests::PageSettings settings = compare::Given().settings;
  const std::string name = fmt::format("{}: page {}", command.input, command.page);
  compare::ComparedPlane plane(page);
  plane.form = plan::read_as(page.info(), settings, name);
  plane.chain = std::make_shared<chain::Chain>(
      plan::make_chain(page.file->page(page.index, plane.form), settings, name, ""));
  Piece piece;
  piece.inks = plane.info().inks;
  piece.max_ink = plane.info().max_sample;
  piece.place = place_of(command.crop, plane.info());
  if (piece.inks.size() > quality::kMostColourInks) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{} has {} inks, and a gallery shows up to {}",
                            command.input,
                            piece.inks.size(),
                            quality::kMostColourInks));
  }
  for (size_t ink = 0; ink < piece.inks.size(); ++ink) {
    plane.plane = static_cast<uint32_t>(ink);
    compare::PlaneRows rows(plane);
    std::vector<uint16_t>& values = piece.planes.emplace_back();
    for (uint32_t y = 0; y < piece.place.y + piece.place.height_px; ++y) {
      const std::span<const uint16_t> row = rows.next_row(team);
      if (y < piece.place.y) continue;
      const auto begin = row.begin() + piece.place.x;
      values.insert(values.end(), begin, begin + piece.place.width_px);
    }
  }
  return piece;
}

Conditions conditions_of(const GalleryCommand& command) {
  Conditions conditions;
  conditions.viewing.dpi = command.dpi.value_or(conditions.viewing.dpi);
  conditions.viewing.distance_inch = kUsualSight / conditions.viewing.dpi;
  conditions.budget_s = command.budget_s;
  return conditions;
}

json::Value json_of(const ShownMethod& shown) {
  json::Value object = {
      {"v", 1}, {"type", "gallery"}, {"method", shown.name}, {"seconds", shown.seconds}};
  object["hvs_rms"] = json::Value::list();
  for (const quality::Report& report : shown.reports) object["hvs_rms"].push_back(report.hvs_rms);
  if (!shown.colours) return object;
  object["delta_e"] = shown.colours->delta_e;
  object["texture"] = shown.colours->texture;
  object["grain_l"] = shown.colours->grain_l;
  object["grain_c"] = shown.colours->grain_c;
  object["overlap"] = shown.colours->overlap;
  return object;
}

int make_gallery(const GalleryCommand& command, const cli::CommonOptions& common) {
  run::GraphExecutor threads({command.threads.value_or(plan::available_threads()), std::nullopt});
  Gallery gallery;
  gallery.title = std::filesystem::path(command.input).filename().string();
  gallery.piece = read_piece(command, threads.team());
  gallery.conditions = conditions_of(command);
  gallery.threads = threads.team().size();
  gallery.contone = picture_of(gallery.piece);
  for (const Wanted& wanted : wanted_methods(command.methods, gallery.piece.inks.size())) {
    if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
    gallery.methods.push_back(show(gallery.piece, wanted, gallery.conditions, threads.team()));
    const ShownMethod& shown = gallery.methods.back();
    if (common.json) {
      cli::print_line(json_of(shown));
    } else if (!common.quiet) {
      fmt::print("{:<36}{:>10.1f} ms\n", shown.name, 1000 * shown.seconds);
    }
  }
  std::ostringstream page;
  write_gallery_page(page, gallery);
  files::write_whole_file(command.output, page.str());
  if (!command.sheet.empty()) {
    files::write_whole_file(
        command.sheet,
        report::with_software(report::png_file(contact_sheet(gallery, command.across))));
  }
  return kExitGood;
}

}  // namespace

void make_gallery_command(cli::Command& command, const cli::CommonOptions& common) {
  auto options = std::make_shared<GalleryCommand>();
  command.argument("PAGE", options->input, "Contone TIFF").required().offers(cli::offer_tiffs);
  command.output("OUT", options->output, "HTML file to write").kind({"html", "htm"}).required();
  command
      .option("--crop",
              options->crop,
              "The piece in pixels: X,Y,WIDTH,HEIGHT; default: 384 x 384 in the middle")
      .takes("PLACE");
  command
      .option("--methods",
              options->methods,
              "By comma, with parameters as in fm:dot=2,bayer; default: all that need no file")
      .takes("LIST");
  command.output("--sheet", options->sheet, "PNG file of all pictures at 1:1 with their names")
      .kind({"png"});
  command.option("--across", options->across, "Pictures in a row of the sheet")
      .range(1, 50)
      .shows_default();
  command
      .option("--dpi",
              options->dpi,
              "Resolution that the piece is judged and screened at; default: 300")
      .range(10.0, 10'000.0);
  command.option("--budget", options->budget_s, "Seconds that a search may take")
      .range(0.01, 3600.0)
      .shows_default();
  command.option("--page", options->page, "Of a multi-page TIFF, from 1")
      .range(1, 1'000'000)
      .offers([options] { return cli::offer_pages(options->input); })
      .shows_default();
  command.option("--threads", options->threads, "Threads to use; default: all processors")
      .range(1, 1024);
  command.example("mezzotint gallery page.tif gallery.html --sheet gallery.png",
                  "Look at what each method makes of a page.");
  command.runs([options, &common] { return make_gallery(*options, common); });
}

}  // namespace mezzo::gallery
