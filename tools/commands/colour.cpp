// mezzotint colour: what a profile says, and the tables of a job's colours as files.

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "manifests/json/value.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/plan.h"
#include "stages/files/folder.h"
#include "stages/icc/make_table.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;

struct FreezeCommand {
  std::string manifest;
  std::string out = "colour";
  std::string press;
};

/// The pages whose colours are converted, and their tables.
int print_tables(const plan::JobPlan& plan, const std::string& folder) {
  size_t pages = 0;
  int status = kExitGood;
  for (const plan::SheetPlan& sheet : plan.sheets) {
    if (sheet.failure) {
      fmt::print(stderr, "{}\n", sheet.failure->text());
      status = status_of(sheet.failure->kind, true);
    }
    for (size_t i = 0; i < sheet.colours.size(); ++i) {
      const chain::PageColourPtr& colour = sheet.colours[i];
      if (colour == nullptr) continue;
      ++pages;
      fmt::print("{}: page {}: {}; table {}\n",
                 sheet.input,
                 sheet.pages[i] + 1,
                 colour->conversion.text,
                 colour->conversion.digest);
    }
  }
  if (pages == 0 && status != kExitGood) return status;
  if (pages == 0) {
    fmt::print("no page of the job is converted, so there is no table to keep\n");
  } else {
    fmt::print(
        "the tables are in {}; keep the profiles, too, and name the folder in the manifest:\n\n"
        "    defaults:\n      colour: {{tables: {}}}\n",
        folder,
        folder);
  }
  return status;
}

int freeze_colour(const FreezeCommand& command, const CommonOptions& common) {
  int status = kExitGood;
  const std::vector<manifests::Job> jobs =
      load_jobs({command.manifest}, {{}, {}, command.press}, false, common, status);
  if (jobs.empty()) return status;
  std::error_code error;
  fs::create_directories(command.out, error);
  if (error) {
    throw Error(ErrorKind::kCannotCreate,
                fmt::format("{}: the folder cannot be made: {}", command.out, error.message()));
  }
  return print_tables(plan::make_plan(jobs.front(), {.freeze_folder = command.out}), command.out);
}

std::string kind_text(icc::ProfileClass kind) {
  switch (kind) {
    case icc::ProfileClass::kInput:
      return "scanner or camera";
    case icc::ProfileClass::kDisplay:
      return "display";
    case icc::ProfileClass::kOutput:
      return "press or printer";
    case icc::ProfileClass::kSpace:
      return "colour space";
    case icc::ProfileClass::kLink:
      break;
  }
  return "device link";
}

/// Whether a press may have the profile with this intent, or the reason why not.
std::string intent_text(const icc::Profile& profile, icc::Intent intent) {
  try {
    check_output(profile, intent);
    return "yes";
  } catch (const Error& error) {
    return std::string("no: ") + error.what();
  }
}

int show_profile(const std::string& path, const CommonOptions& common) {
  const icc::Profile profile = icc::Profile::read(path);
  const icc::ProfileFacts& facts = profile.facts();
  const double most =
      facts.kind == icc::ProfileClass::kOutput && facts.space != icc::ColourSpace::kRgb
          ? icc::most_ink(profile)
          : 0;
  if (common.json) {
    cli::print_line({{"v", 1},
                     {"type", "profile"},
                     {"description", facts.description},
                     {"kind", kind_text(facts.kind)},
                     {"version", facts.version},
                     {"channels", facts.channels},
                     {"inks", facts.ink_names},
                     {"most_ink_percent", most},
                     {"xxh3", facts.digest}});
    return kExitGood;
  }
  fmt::print("{}: {}\n", path, facts.description.empty() ? "without a name" : facts.description);
  fmt::print(
      "  {}, version {}, {} channels\n", kind_text(facts.kind), facts.version, facts.channels);
  std::string inks;
  for (const std::string& ink : facts.ink_names) inks += (inks.empty() ? "" : ", ") + ink;
  if (!inks.empty()) fmt::print("  inks: {}\n", inks);
  if (most > 0) fmt::print("  most ink in one place: {:.1f} %\n", most);
  if (facts.kind == icc::ProfileClass::kOutput) {
    for (const auto intent : {icc::Intent::kPerceptual,
                              icc::Intent::kRelative,
                              icc::Intent::kSaturation,
                              icc::Intent::kAbsolute}) {
      fmt::print("  {}: {}\n", icc::name_of(intent), intent_text(profile, intent));
    }
  }
  fmt::print("  xxh3 {}\n", facts.digest);
  return kExitGood;
}

void add_colour_freeze(cli::Command& colour, const CommonOptions& common) {
  const auto options = std::make_shared<FreezeCommand>();
  cli::Command& command = colour.command(
      "freeze", "Write the tables by which the pages of a job are converted, to keep them");
  command.argument("MANIFEST", options->manifest, "Manifest of the job")
      .takes("MANIFEST")
      .required();
  command.option("-o,--out", options->out, "Folder of the tables; default: colour").takes("FOLDER");
  command.option("--press", options->press, "Press file, instead of the manifest's").takes("FILE");
  command.example("mezzotint colour freeze job.yaml --out tables",
                  "Keep the colours of a job that will be printed again.");
  command.runs([options, &common] { return freeze_colour(*options, common); });
}

void add_colour_show(cli::Command& colour, const CommonOptions& common) {
  const auto path = std::make_shared<std::string>();
  cli::Command& command = colour.command("show", "Show what an ICC profile says of its device");
  command.argument("PROFILE", *path, "ICC profile").takes("FILE").required();
  command.runs([path, &common] { return show_profile(*path, common); });
  command.example("mezzotint colour show board_2025.icc", "Its inks, intents, and most ink.");
}

}  // namespace

void make_colour_command(cli::Command& command, const CommonOptions& common) {
  add_colour_freeze(command, common);
  add_colour_show(command, common);
}

}  // namespace mezzo::commands
