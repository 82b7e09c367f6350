// mezzotint proof: a picture of the print, counted from plates that are there already.

#include <fmt/format.h>

#include <filesystem>

#include "kernels/band/drop_levels.h"
#include "kernels/gpu/context.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/json/value.h"
#include "manifests/press_file.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/origin.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/resolution.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/run/proof_run.h"
#include "stages/tiff/plate/plate_reader.h"
#include "tools/cli/chain_options.h"
#include "tools/cli/console.h"
#include "tools/cli/interrupt.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;

struct ProofCommand {
  std::vector<std::string> plates;
  std::string output;
  std::string press, profile;
  manifests::PageSettings settings;  ///< those of the proof
  uint32_t plate_dpi = 0;
  uint32_t page = 1;
};

/// What the plate says of itself; that of a plate that another program has changed is not known.
manifests::PageSettings settings_of(const std::string& path, const tiff::PlatePageInfo& plate) {
  if (!plate.software.starts_with("mezzotint ")) return {};
  try {
    return plan::read_provenance(plate.description).settings;
  } catch (const Error& error) {
    throw Error(error.kind(),
                fmt::format("{}: its tag ImageDescription says in unknown words how it was made: "
                            "{}; make the plate again",
                            path,
                            error.what()));
  }
}

run::PrintedPlate printed(const std::string& path, uint32_t page, Resolution& resolution) {
  const tiff::PlateReader reader(path);
  if (page >= reader.page_count()) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} has {} pages, and --page is {}", path, reader.page_count(), page + 1));
  }
  const tiff::PlatePageInfo& plate = reader.page(page);
  const manifests::PageSettings settings = settings_of(path, plate);
  run::PrintedPlate result;
  result.file = {path, page, finish_of(settings.output)};
  result.ink = plate.names.ink.empty() ? plate.names.page : plate.names.ink;
  if (result.ink.empty()) result.ink = "black";
  const auto& levels = settings.halftone.levels;
  if (levels) result.levels = drop_levels(*levels);
  if (levels && levels->format == LevelFormat::kPlanes) result.drop_bit = levels->bit;
  result.ink = std::string(plan::without_bit(result.ink, result.drop_bit));
  result.tone = settings.tone;
  resolution = plate.page.resolution;
  return result;
}

void refuse_plates_twice(const ProofCommand& command) {
  std::error_code error;
  for (size_t i = 0; i < command.plates.size(); ++i) {
    const std::string& plate = command.plates[i];
    for (size_t other = 0; other < i; ++other) {
      if (!fs::equivalent(plate, command.plates[other], error) || error) continue;
      throw Error(ErrorKind::kUsage, plate + ": the plate is given twice");
    }
  }
}

/// Two plates of one ink are of two pages, and would print as one.
void refuse_one_ink_twice(const ProofCommand& command,
                          const std::vector<run::PrintedPlate>& plates) {
  for (size_t i = 0; i < plates.size(); ++i) {
    for (size_t other = 0; other < i; ++other) {
      if (!prepress::is_same_ink(plates[i].ink, plates[other].ink) ||
          plates[i].drop_bit != plates[other].drop_bit) {
        continue;
      }
      throw Error(
          ErrorKind::kUsage,
          fmt::format("{} and {} are both plates of {}; a proof is of one page, so give one "
                      "plate for each ink",
                      command.plates[other],
                      command.plates[i],
                      plates[i].ink));
    }
  }
}

run::ProofJob proof_job(const ProofCommand& command, std::vector<Diagnostic>& mistakes) {
  run::ProofJob job;
  for (const std::string& path : command.plates) {
    Resolution resolution;
    job.plates.push_back(printed(path, command.page - 1, resolution));
    if (command.plate_dpi > 0) {
      resolution = {static_cast<double>(command.plate_dpi), static_cast<double>(command.plate_dpi)};
    }
    if (job.plates.size() == 1) job.resolution = resolution;
    if (!plan::agree(resolution, job.resolution)) {
      throw Error(ErrorKind::kData,
                  fmt::format("{} has {}, and {} has {}; plates of one page are alike",
                              command.plates.front(),
                              plan::resolution_text(job.resolution),
                              path,
                              plan::resolution_text(resolution)));
    }
  }
  refuse_one_ink_twice(command, job.plates);
  // Bits of an ink's levels count in their order.
  std::ranges::stable_sort(
      job.plates, {}, [](const run::PrintedPlate& plate) { return plate.drop_bit.value_or(0); });
  job.path = command.output;
  job.profile = command.profile;
  job.settings = *command.settings.proof;
  job.settings.path = command.output;
  if (!command.profile.empty()) job.settings.colours = manifests::kColoursByProfile;
  if (command.press.empty()) return job;
  const auto press = manifests::load_press_file(command.press);
  if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&press)) {
    mistakes = *wrong;
  } else {
    const manifests::PageSettings& settings =
        std::get<manifests::PressFilePtr>(press)->layered.settings;
    job.press = settings.press;
    if (job.profile.empty()) job.profile = settings.colour.profile;
  }
  return job;
}

int make_proof(const ProofCommand& command, const CommonOptions& common) {
  refuse_plates_twice(command);
  std::vector<Diagnostic> mistakes;
  const run::ProofJob job = proof_job(command, mistakes);
  for (const Diagnostic& mistake : mistakes) fmt::print(stderr, "{}\n", to_string(mistake));
  if (!mistakes.empty()) return kExitUsage;
  run::GraphExecutor executor({plan::available_threads(), std::nullopt});
  const run::ProofMade made = run::make_proof(job, executor.team(), files::FileSystem::real(), [] {
    if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
  });
  for (const std::string& note : made.notes) log::warn("{}", note);
  if (common.json) {
    fmt::print("{}\n",
               json::to_text(json::Value{{"v", 1},
                                         {"type", "proof"},
                                         {"path", job.path},
                                         {"width_px", made.width_px},
                                         {"height_px", made.height_px},
                                         {"dpi", made.dpi},
                                         {"file_bytes", made.file_bytes},
                                         {"warnings", made.notes}}));
  } else if (!common.quiet) {
    fmt::print("{}: {} x {} px at {:.6g} dpi\n", job.path, made.width_px, made.height_px, made.dpi);
  }
  return kExitGood;
}

}  // namespace

void make_proof_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<ProofCommand>();
  command.argument("PLATE", options->plates, "Plates of one page, one for each ink")
      .required()
      .takes("FILE");
  command.output("-o,--output", options->output, "The proof: .png, .tif or .pdf").required();
  manifests::PageSettings& settings = options->settings;
  settings.proof.emplace();
  cli::add_setting_option(command, settings, "proof.dpi").shows_default();
  command.option("--press", options->press, "Press file that says the colours of inks and paper")
      .takes("FILE");
  cli::add_setting_option(command, settings, "proof.colours");
  command
      .option("--profile",
              options->profile,
              "ICC profile of the press, for colours by profile, in which the curves of the plates "
              "are undone; left out: that of the press file")
      .takes("FILE");
  cli::add_setting_option(command, settings, "proof.yule_nielsen").shows_default();
  command.option("--plate-dpi", options->plate_dpi, "Resolution of plates that do not say theirs")
      .range(manifests::kLeastDpi, manifests::kMostDpi);
  command.option("--page", options->page, "Page of the plates' files")
      .range(1, 4096)
      .shows_default();
  command.example("mezzotint proof plates/cover_*.tif -o cover.png",
                  "In the usual colours of process inks.");
  command.example(
      "mezzotint proof plates/cover_*.tif -o cover.pdf --dpi 150 --press presses/xl106-board.yaml",
      "In the colours of a press.");
  command.runs([options, &common] { return make_proof(*options, common); });
}

}  // namespace mezzo::commands
