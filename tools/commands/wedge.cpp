// mezzotint wedge: pages and plates to measure a press with, and their description.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "kernels/prepress/ink_key.h"
#include "manifests/press_file.h"
#include "manifests/yaml_tree.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/curve_texts.h"
#include "pipeline/plan/curves.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/provenance.h"
#include "stages/files/publish.h"
#include "stages/ink_names.h"
#include "tools/commands/commands.h"
#include "tools/commands/good.h"
#include "tools/wedge/write_wedge.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;
using manifests::in_double_quotes;

struct WedgeCommand {
  std::string press;
  std::vector<std::string> inks = {"all"};
  std::string with = "none";  ///< curves that are on
  std::string folder;
  std::string paper;
  std::optional<uint32_t> dpi;
  JobOptions job;
};

/// Whether an ink has several plates, one a bit of its levels.
bool has_bits(const manifests::PageSettings& settings) {
  const auto has = [](const HalftoneSettings& halftone) {
    return halftone.levels && halftone.levels->format == LevelFormat::kPlanes;
  };
  return has(settings.halftone) ||
         std::ranges::any_of(settings.inks, has, &manifests::InkSettings::halftone);
}

/// A wedge on its way: what is known of it, and its files.
class Wedge {
 public:
  Wedge(const WedgeCommand& command, const cli::Command& outputs, const CommonOptions& common);

  int run();

 private:
  std::string path(const std::string& name) const {
    return (fs::path(command_.folder) / name).string();
  }
  void choose_inks();
  void choose_resolution();
  std::string head_of(size_t ink) const;
  std::string manifest_text() const;
  void describe(manifests::Job job);

  const WedgeCommand& command_;
  const cli::Command& outputs_;
  const CommonOptions& common_;
  manifests::PressFilePtr press_;
  wedge::Print print_;
  wedge::Layout layout_;
  std::vector<std::string> pages_;  // names of files
};

Wedge::Wedge(const WedgeCommand& command, const cli::Command& outputs, const CommonOptions& common)
    : command_(command),
      outputs_(outputs),
      common_(common),
      press_(good(manifests::load_press_file(command.press), common)) {
  const manifests::PageSettings& settings = press_->layered.settings;
  print_.press = settings.press->name;
  print_.paper = command.paper.empty() ? settings.curves.paper : command.paper;
  print_.curves = command.with;
  if (settings.curves.library.empty() && command.with != "none") {
    throw Error(ErrorKind::kUsage,
                fmt::format("--with {}: {} names no library of curves; print the first wedge "
                            "--with none",
                            command.with,
                            command.press));
  }
  choose_inks();
  choose_resolution();
  layout_ = wedge::make_layout(print_.inks.size(),
                               fmt::format("{}\n{}", print_.press, fmt::join(print_.inks, "\n")));
}

/// Those of the press in the order of printing, unless some are named.
void Wedge::choose_inks() {
  const manifests::Press& press = *press_->layered.settings.press;
  const bool has_all = command_.inks == std::vector<std::string>{"all"};
  if (!has_all) {
    for (const std::string& ink : command_.inks) {
      const auto place = press.find(ink);
      print_.inks.push_back(place ? press.inks[*place].ink : ink);
    }
  } else if (press.inks.empty()) {
    print_.inks = {"cyan", "magenta", "yellow", "black"};
  } else {
    for (const manifests::PressInk& ink : press.inks) {
      if (!prepress::is_same_ink(ink.ink, manifests::kSpotInks)) print_.inks.push_back(ink.ink);
    }
  }
  for (size_t i = 0; i < print_.inks.size(); ++i) {
    const std::string& ink = print_.inks[i];
    if (ink.empty() || !is_clean_text(ink) || ink.find(',') != std::string::npos) {
      throw Error(ErrorKind::kUsage, "--ink must be names of inks without commas, or all");
    }
    for (size_t k = 0; k < i; ++k) {
      if (!prepress::is_same_ink(ink, print_.inks[k])) continue;
      throw Error(ErrorKind::kUsage, fmt::format("--ink has {} twice", ink));
    }
  }
  if (print_.inks.empty()) {
    throw Error(ErrorKind::kUsage, "the press names no ink but 'spot'; name one with --ink");
  }
  for (const std::string& name : ink_file_names(print_.inks))
    pages_.push_back("wedge_" + name + ".tif");
}

void Wedge::choose_resolution() {
  const uint32_t of_press = press_->layered.settings.output.resolution_dpi;
  if (command_.dpi && of_press != 0 && *command_.dpi != of_press) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format(
            "--dpi {}: the press has {} dpi, for which its wedges are", *command_.dpi, of_press));
  }
  print_.dpi = command_.dpi.value_or(of_press);
  if (print_.dpi != 0) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("{} has no 'resolution'; say that of its plates with --dpi", command_.press));
}

/// The line above the patches.
std::string Wedge::head_of(size_t ink) const {
  std::string text = fmt::format(
      "{}  {}  {} dpi  curves: {}", print_.inks[ink], print_.press, print_.dpi, print_.curves);
  if (!print_.paper.empty()) text += "  " + print_.paper;
  return text;
}

std::string Wedge::manifest_text() const {
  std::string text =
      fmt::format("# Made by mezzotint wedge\nmezzotint: 1\njob: Wedge\npress: {}\ndefaults:\n",
                  in_double_quotes(fs::absolute(command_.press).string()));
  if (!press_->layered.settings.curves.library.empty()) {
    text += fmt::format(
        "  curves: {{{}kinds: [{}]}}\n",
        command_.paper.empty() ? "" : "paper: " + in_double_quotes(command_.paper) + ", ",
        command_.with == "all"     ? "plate, press"
        : command_.with == "plate" ? "plate"
                                   : "");
  }
  text += fmt::format("  output: {{path: \"plates/{}.tif\"}}\npages:\n",
                      has_bits(press_->layered.settings) ? "{stem}_{ink}" : "{stem}");
  for (size_t i = 0; i < pages_.size(); ++i) {
    text += fmt::format("  - {{input: {}, ink: {}}}\n",
                        in_double_quotes(pages_[i]),
                        in_double_quotes(print_.inks[i]));
  }
  return text;
}

/// Writes the description, with the screens that the plan has for the plates.
void Wedge::describe(manifests::Job job) {
  job.limits = limits_with(job.limits, command_.job);
  const plan::JobPlan plan = plan::make_plan(job);
  for (const plan::SheetPlan& sheet : plan.sheets) {
    if (sheet.failure) throw sheet.failure->error();
    const plan::PlatePlan& plate = sheet.plates.front();
    print_.screens.push_back(screen_digest(sheet, plate));
    print_.measured.push_back(plan::curves_text(plate));
  }
  files::write_whole_file(path("wedge.txt"),
                          wedge::description(layout_, print_, plan::provenance_software()));
}

int Wedge::run() {
  std::error_code error;
  fs::create_directories(command_.folder, error);
  if (error) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{}: the folder cannot be made: {}", command_.folder, error.message()));
  }
  for (const std::string& page : pages_) outputs_.check_output(path(page));
  outputs_.check_output(path("wedge.yaml"));
  outputs_.check_output(path("wedge.txt"));
  for (size_t i = 0; i < pages_.size(); ++i) {
    wedge::write_page(path(pages_[i]), layout_, i, print_.dpi, head_of(i));
  }
  files::write_whole_file(path("wedge.yaml"), manifest_text());
  int status = kExitGood;
  std::vector<manifests::Job> jobs = load_jobs({path("wedge.yaml")}, {}, false, common_, status);
  if (jobs.empty()) return status;
  describe(jobs.front());
  if (!common_.quiet && !common_.json) {
    fmt::print("{}: {} patches of {}, described in {}\n",
               command_.folder,
               layout_.patches.size(),
               fmt::join(print_.inks, ", "),
               path("wedge.txt"));
  }
  JobOptions options = command_.job;
  options.force = outputs_.is_forced();
  return plan_and_run(std::move(jobs.front()), options, common_).status;
}

}  // namespace

void make_wedge_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<WedgeCommand>();
  command.option("--press", options->press, "Press file").required().takes("FILE");
  command.option("--ink", options->inks, "Inks of the press; default: all")
      .takes("INK")
      .by_comma()
      .offers([] {
        return cli::Offer{.names = {{"all", "every ink of the press"},
                                    {"cyan", ""},
                                    {"magenta", ""},
                                    {"yellow", ""},
                                    {"black", ""}}};
      });
  command.option("--with", options->with, "Curves of the press that are on")
      .one_of({"none", "plate", "all"})
      .shows_default();
  command.output("--out", options->folder, "Folder of the wedge").required().takes("FOLDER");
  command
      .option(
          "--paper", options->paper, "Paper that is printed on; default: that of the press file")
      .takes("NAME");
  command.option("--dpi", options->dpi, "Resolution of the plates, where the press file has none")
      .range(manifests::kLeastDpi, manifests::kMostDpi);
  command.flag("--dry-run", options->job.dry_run, "Make no plates");
  add_job_options(command, options->job);
  add_verify_option(command, options->job);
  command.example("mezzotint wedge --press presses/xl106-board.yaml --ink cyan --out wedge",
                  "One ink, without curves; without --ink all of the press.");
  command.example(
      "mezzotint wedge --press presses/xl106-board.yaml --ink cyan,black --out wedge --dry-run",
      "Pages, manifest and description alone.");
  command.runs([options, &command, &common] { return Wedge(*options, command, common).run(); });
}

}  // namespace mezzo::commands
