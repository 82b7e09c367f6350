// mezzotint screen: the AM screens of a set of inks, as a table, their rosette as a picture, and as files
// for other programs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "kernels/base/utf8.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/screen/am_method.h"
#include "kernels/screen/ink_angles.h"
#include "manifests/json/value.h"
#include "manifests/source_text.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/screens.h"
#include "pipeline/report/page_png.h"
#include "stages/files/publish.h"
#include "stages/ink_names.h"
#include "stages/screen/postscript_halftone.h"
#include "stages/screen/tile_file.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

struct ScreenCommand {
  double dpi = 2400;
  double ruling = 175;
  std::vector<std::string> inks = {"cyan", "magenta", "yellow", "black"};
  std::string dot = "euclidean";
  uint32_t minimum_dot = 1;
  std::string rosette;  ///< file; empty: none
  double tint_percent = 30;
  uint32_t side_px = 800;  ///< of the rosette
  uint32_t zoom = 1;       ///< pixels of the picture for one of the plates, each way
  std::string export_as;   ///< "ps" or "tiff"; empty: no files
  std::string folder = ".";
};

struct InkScreen {
  std::string ink;
  plan::PlateScreen screen;
};

/// "cyan" or "cyan=15".
InkScreen screen_of(const std::string& text, const ScreenCommand& command) {
  const size_t sign = std::min(text.find('='), text.size());
  const std::string ink = text.substr(0, sign);
  if (ink.empty() || !is_clean_text(ink)) {
    throw Error(ErrorKind::kUsage, "--inks must be names, each with or without =ANGLE");
  }
  double angle = screen::usual_angle(ink);
  if (sign < text.size()) {
    const std::string degrees = text.substr(sign + 1);
    angle = flag_value("--inks", manifests::parse_number_from(0, false, degrees));
    if (angle > 180) {
      throw Error(ErrorKind::kUsage, "--inks must have angles up to 180 degrees, found " + degrees);
    }
  }
  return {ink,
          {command.ruling,
           angle,
           command.dpi,
           screen::choose_cell(command.dpi, command.ruling, angle)}};
}

double moire_of(const std::vector<InkScreen>& inks) {
  std::vector<screen::Cell> cells;
  for (const InkScreen& ink : inks) cells.push_back(ink.screen.cell);
  return screen::moire_period(cells, inks.front().screen.resolution);
}

void print_table(const std::vector<InkScreen>& inks) {
  size_t width = 0;
  for (const InkScreen& ink : inks) width = std::max(width, ink.ink.size());
  for (const auto& [ink, screen] : inks) {
    fmt::print("{:<{}}  {}\n", ink, width, plan::screen_text(screen));
  }
  fmt::print("moire of these screens: {}\n", plan::period_text(moire_of(inks)));
}

void print_json(const std::vector<InkScreen>& inks) {
  json::Value object = {{"v", 1}, {"type", "screens"}, {"dpi", inks.front().screen.resolution}};
  for (const auto& [ink, screen] : inks) {
    const auto& [repeats, m, n] = screen.cell;
    object["inks"].push_back({{"ink", ink},
                              {"ruling", screen.ruling},
                              {"angle", screen.angle},
                              {"actual_ruling", screen::ruling_of(screen.cell, screen.resolution)},
                              {"actual_angle", screen::angle_of(screen.cell)},
                              {"levels", screen::levels_of(screen.cell)},
                              {"cell", {{"repeats", repeats}, {"m", m}, {"n", n}}}});
  }
  const double period = moire_of(inks);
  object["moire_mm"] = std::isfinite(period) ? json::Value(period) : json::Value();
  cli::print_line(object);
}

/// What an ink leaves of white, roughly.
report::Rgb colour_of(const std::string& ink) {
  constexpr std::array<std::pair<std::string_view, report::Rgb>, 9> kColours = {
      {{"cyan", {0, 158, 224}},
       {"magenta", {226, 0, 122}},
       {"yellow", {255, 236, 0}},
       {"black", {30, 28, 27}},
       {"orange", {240, 120, 0}},
       {"red", {220, 30, 30}},
       {"green", {0, 150, 70}},
       {"blue", {40, 50, 150}},
       {"violet", {90, 40, 140}}}};
  for (const auto& [name, colour] : kColours) {
    if (prepress::is_same_ink(ink, name)) return colour;
  }
  return {150, 120, 90};
}

/// The colours of all overprints: ink `i` is there where bit `i` of the index is set.
std::vector<report::Rgb> overprints(const std::vector<InkScreen>& inks) {
  std::vector<report::Rgb> palette = {{255, 255, 255}};
  for (const InkScreen& ink : inks) {
    const report::Rgb colour = colour_of(ink.ink);
    for (size_t i = 0, known = palette.size(); i < known; ++i) {
      report::Rgb both{};
      for (size_t c = 0; c < both.size(); ++c) {
        both[c] = static_cast<uint8_t>(palette[i][c] * colour[c] / 255);
      }
      palette.push_back(both);
    }
  }
  return palette;
}

screen::ThresholdTile tile_of(const InkScreen& ink, const ScreenCommand& command) {
  const auto* const dot = std::ranges::find(screen::kDots, command.dot);
  return screen::am_tile({.cell = ink.screen.cell,
                          .dot = static_cast<screen::Dot>(dot - std::begin(screen::kDots)),
                          .minimum_dot = command.minimum_dot});
}

/// A tint of all inks over each other.
void write_rosette(const std::vector<InkScreen>& inks, const ScreenCommand& command) {
  const uint32_t side = command.side_px;
  report::IndexedImage image{
      side, side, std::vector<uint8_t>(size_t{side} * side), overprints(inks)};
  const auto tone = static_cast<uint32_t>(std::lround(command.tint_percent / 100 * kSolid));
  for (size_t i = 0; i < inks.size(); ++i) {
    const screen::ThresholdTile tile = tile_of(inks[i], command);
    for (uint32_t y = 0; y < side; ++y) {
      for (uint32_t x = 0; x < side; ++x) {
        const uint32_t ink = tone > tile.at(x / command.zoom, y / command.zoom) ? 1U << i : 0;
        image.pixels[size_t{y} * side + x] |= static_cast<uint8_t>(ink);
      }
    }
  }
  files::write_whole_file(command.rosette, report::with_software(report::png_file(image)));
}

/// The screen of each ink in a file of its own, named after the ink.
void export_screens(const std::vector<InkScreen>& inks,
                    const ScreenCommand& command,
                    const cli::Command& outputs) {
  std::vector<std::string> names;
  for (const InkScreen& ink : inks) names.push_back(ink.ink);
  names = ink_file_names(names);
  const std::string suffix = command.export_as == "tiff" ? ".tif" : ".ps";
  for (const std::string& name : names) {
    outputs.check_output(command.folder + "/" + name + suffix);
  }
  for (size_t i = 0; i < inks.size(); ++i) {
    const screen::ThresholdTile tile = tile_of(inks[i], command);
    const std::string path = command.folder + "/" + names[i] + suffix;
    if (command.export_as == "tiff") {
      screen::write_tile(path, tile);
    } else {
      std::ostringstream text;
      try {
        screen::write_postscript(tile, text);
      } catch (const Error& error) {
        throw error.at(inks[i].ink + ": ");
      }
      files::write_whole_file(path, text.str());
    }
  }
}

int show_screens(const ScreenCommand& command,
                 const cli::Command& outputs,
                 const CommonOptions& common) {
  constexpr size_t kMostInks = 8;  // bits of a pixel of the rosette
  if (command.inks.empty() || command.inks.size() > kMostInks) {
    throw Error(ErrorKind::kUsage, "--inks must name 1 to 8 inks");
  }
  std::vector<InkScreen> inks;
  for (const std::string& text : command.inks) {
    inks.push_back(screen_of(text, command));
    const std::string& ink = inks.back().ink;
    const auto first = std::ranges::find_if(
        inks, [&](const InkScreen& other) { return prepress::is_same_ink(other.ink, ink); });
    if (&*first != &inks.back()) {
      throw Error(ErrorKind::kUsage, "--inks names '" + ink + "' twice");
    }
  }
  if (command.folder.empty()) throw Error(ErrorKind::kUsage, "--folder must not be empty");
  for (const auto& [ink, screen] : inks) {
    const uint32_t most = screen::most_minimum_dot(screen.cell);
    if (command.minimum_dot <= most) continue;
    throw Error(ErrorKind::kUsage,
                fmt::format("--minimum-dot must be at most {} px, a quarter of a cell", most));
  }
  common.json ? print_json(inks) : print_table(inks);
  if (!command.rosette.empty()) write_rosette(inks, command);
  if (!command.export_as.empty()) export_screens(inks, command, outputs);
  return kExitGood;
}

}  // namespace

void make_screen_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<ScreenCommand>();
  command.option("--dpi", options->dpi, "Resolution of the plates")
      .range(10, 20'000)
      .shows_default();
  command.option("--ruling", options->ruling, "Lines of dots an inch")
      .range(screen::kLeastRuling, 1000)
      .shows_default();
  command
      .option("--inks",
              options->inks,
              "Inks, with angles in degrees unless these are the usual ones; default: cyan,magenta,"
              "yellow,black")
      .takes("INK[=ANGLE]")
      .by_comma()
      .offers([] {
        return cli::Offer{.names = {{"cyan", ""}, {"magenta", ""}, {"yellow", ""}, {"black", ""}}};
      });
  command.output("--rosette", options->rosette, "Picture of a tint of all inks, as PNG")
      .kind({"png"});
  command.option("--tint", options->tint_percent, "Tint of the picture, in percent")
      .range(0, 100)
      .shows_default();
  command.option("--side", options->side_px, "Pixels of a side of the picture")
      .range(1, 10'000)
      .shows_default();
  command.option("--zoom", options->zoom, "Pixels of the picture for one of the plates, each way")
      .range(1, 100)
      .shows_default();
  std::vector<std::string_view> dots(std::begin(screen::kDots), std::end(screen::kDots));
  command.option("--dot", options->dot, "Shape of the dots").one_of(dots).shows_default();
  command.option("--minimum-dot", options->minimum_dot, "Pixels of the smallest dots and holes")
      .range(1, 10'000)
      .shows_default();
  command.option("--export", options->export_as, "Write each screen to INK.ps or INK.tif")
      .one_of({"ps", "tiff"});
  command.output("--folder", options->folder, "Folder of these files")
      .takes("FOLDER")
      .shows_default();
  command.example("mezzotint screen --dpi 2400 --ruling 175 --rosette rosette.png",
                  "The usual four inks.");
  command.example("mezzotint screen --inks cyan=7.5,magenta=67.5,yellow=82.5,black=37.5",
                  "A set for flexo.");
  command.example("mezzotint screen --dpi 2400 --ruling 175 --inks black --export ps",
                  "For PostScript interpreters, as a halftone of type 16.");
  command.runs([options, &command, &common] { return show_screens(*options, command, common); });
}

}  // namespace mezzo::commands
