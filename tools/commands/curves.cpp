// mezzotint curves: curve files as pictures, and as the files of other programs.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "kernels/prepress/ink_key.h"
#include "manifests/curve/curve_file.h"
#include "manifests/curve/foreign_curve.h"
#include "pipeline/exit_status.h"
#include "pipeline/report/curve_chart.h"
#include "stages/files/publish.h"
#include "stages/ink_names.h"
#include "tools/commands/commands.h"
#include "tools/commands/good.h"

namespace mezzo::commands {
namespace {

struct ShowCommand {
  std::string file;
  std::string out;
};

struct ConvertCommand {
  std::vector<std::string> files;
  std::string to;
  std::string out;
  std::string levels;
  curve::CurveOptions options;
  std::string kind = "press";
  curve::CurveFile file;  ///< all but ink and points
};

std::string path_or(const std::string& given, const std::string& input, std::string_view suffix) {
  if (!given.empty()) return given;
  return std::filesystem::path(input).replace_extension(suffix).string();
}

int show(const ShowCommand& command, const cli::Command& outputs, const CommonOptions& common) {
  const curve::CurveFile file = good(curve::load_curve_file(command.file), common);
  const std::string out = path_or(command.out, command.file, ".svg");
  outputs.check_output(out);
  files::write_whole_file(out, "<!-- mezzotint -->\n" + report::curve_chart(file));
  fmt::print("{}\n", out);
  return kExitGood;
}

/// One of our files for each ink, in a folder.
void write_curve_files(const std::vector<curve::InkCurve>& curves,
                       ConvertCommand& command,
                       const cli::Command& outputs,
                       const CommonOptions& common) {
  curve::CurveFile file = command.file;
  if (file.press.empty() || file.screen.empty() || file.dpi == 0) {
    throw Error(ErrorKind::kUsage,
                "a curve file says what it is for: give --press, --screen and --dpi, and --paper");
  }
  file.curve.kind =
      command.kind == "plate" ? curve::PressCurve::Kind::kPlate : curve::PressCurve::Kind::kPress;
  for (const curve::InkCurve& one : curves) {
    file.ink = one.ink;
    file.curve.points = one.points;
    const std::string text = curve::curve_file_text(file);
    good(curve::parse_curve_file(text, "the curve of " + one.ink), common);
    const std::vector<std::string> names = ink_file_names({file.press, file.ink});
    const std::string path = (std::filesystem::path(command.out.empty() ? "." : command.out) /
                              fmt::format("{}_{}_{}.yaml", names[0], names[1], command.kind))
                                 .string();
    outputs.check_output(path);
    files::write_whole_file(path, text);
    fmt::print("{}\n", path);
  }
}

int convert(ConvertCommand& command, const cli::Command& outputs, const CommonOptions& common) {
  const auto* const levels = std::ranges::find(curve::kLevels, command.levels);
  if (levels != std::end(curve::kLevels)) {
    command.options.levels = static_cast<curve::Levels>(levels - std::begin(curve::kLevels) + 1);
  }
  std::vector<curve::InkCurve> curves;
  for (const std::string& file : command.files) {
    for (curve::InkCurve& one : good(curve::load_curves(file, command.options), common)) {
      const auto is_it = [&](const auto& other) {
        return prepress::is_same_ink(other.ink, one.ink);
      };
      if (std::ranges::any_of(curves, is_it)) {
        throw Error(ErrorKind::kData, file + ": there is a curve of " + one.ink + " already");
      }
      curves.push_back(std::move(one));
    }
  }
  if (command.to == "yaml") {
    write_curve_files(curves, command, outputs, common);
    return kExitGood;
  }
  const bool is_cal = command.to == "cal";
  const std::string out = path_or(command.out, command.files.front(), is_cal ? ".cal" : ".txt");
  outputs.check_output(out);
  files::write_whole_file(out, is_cal ? curve::cal_text(curves) : curve::cgats_text(curves));
  fmt::print("{}\n", out);
  return kExitGood;
}

void add_show_command(cli::Command& curves, const CommonOptions& common) {
  auto options = std::make_shared<ShowCommand>();
  cli::Command& command = curves.command("show", "Draw a curve with its measures, as SVG");
  command.argument("CURVE", options->file, "Curve file").takes("FILE").required();
  command.output("-o,--out", options->out, "Picture; default: beside the curve file").kind({"svg"});
  command.example("mezzotint curves show curves/xl-106_cyan_press.yaml --out cyan.svg",
                  "For a browser.");
  command.runs([options, &command, &common] { return show(*options, command, common); });
}

void add_convert_command(cli::Command& curves, const CommonOptions& common) {
  auto options = std::make_shared<ConvertCommand>();
  curve::CurveFile& file = options->file;
  cli::Command& command =
      curves.command("convert", "Write curves of other programs as curve files, or the other way");
  command
      .argument("CURVES", options->files, "Curve files, .cal, CGATS, .acv or .amp; each ink once")
      .takes("FILE")
      .required();
  command.option("--to", options->to, "Kind of file to write")
      .one_of({"cal", "cgats", "yaml"})
      .required();
  command.output("-o,--out", options->out, "File, or the folder of curve files").takes("PATH");
  command.option("--levels", options->levels, "What level 255 of .acv and .amp is")
      .one_of({"ink", "light"});
  command.option("--inks", options->options.inks, "Inks of .acv and .amp, in their order")
      .by_comma();
  const std::string_view group = "What curve files are for";
  command.option("--press", file.press, "Name of the press, as in its press file").group(group);
  command
      .option("--screen", file.screen, "Screen, in the words of a wedge: am ruling=175 angle=15 ..")
      .group(group);
  command.option("--dpi", file.dpi, "Resolution of the plates").range(10, 20'000).group(group);
  command.option("--paper", file.paper, "Name of the paper").group(group);
  command.option("--kind", options->kind, "What the curve is for")
      .one_of({"plate", "press"})
      .shows_default()
      .group(group);
  command.example("mezzotint curves convert curves/*.yaml --to cal --out press.cal",
                  "For Argyll's cctiff.");
  command.runs([options, &command, &common] { return convert(*options, command, common); });
}

}  // namespace

void make_curves_command(cli::Command& command, const CommonOptions& common) {
  add_show_command(command, common);
  add_convert_command(command, common);
}

}  // namespace mezzo::commands
