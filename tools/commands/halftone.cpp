// mezzotint halftone: one file, no manifest; every setting of a manifest is a flag.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/parameters.h"
#include "manifests/path_template.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"
#include "pipeline/exit_status.h"
#include "stages/tiff/plate/writer.h"
#include "stages/tiff/read/reader.h"
#include "tools/cli/interrupt.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;

struct HalftoneOptions {
  std::string input;
  std::string output;
  std::string pages;
  std::string sha256;
  std::string engine = "auto";
  std::string curve;
  std::string existing = "replace";
  std::map<std::string, std::string> parameters;  ///< as typed, by name
  manifests::PageSettings settings;
  JobOptions job;
};

template <typename Items>
std::vector<std::string_view> names_of(const Items& items) {
  std::vector<std::string_view> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

std::vector<std::string_view> existing_names() {
  return {"replace", "refuse"};
}

/// An option that takes one of `names`. Help shows them; finish_settings() checks the value.
void add_choice(CLI::App& command,
                const std::string& flag,
                std::string& value,
                const std::vector<std::string_view>& names,
                const std::string& summary) {
  command.add_option(flag, value, summary)
      ->type_name(fmt::format("{{{}}}", fmt::join(names, ",")))
      ->capture_default_str();
}

/// "0:0,50:54,100:100" as points of a curve; percent signs are welcome.
std::vector<CurvePoint> parse_curve(const std::string& text) {
  std::vector<CurvePoint> points;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    const size_t colon = std::min(part.find(':'), part.size());
    const auto in = manifests::parse_percent(part.substr(0, colon)).value;
    const auto out = manifests::parse_percent(part.substr(std::min(colon + 1, part.size()))).value;
    if (!in || !out) {
      throw Error(ErrorKind::kUsage,
                  "--curve: '" + part +
                      "' is no point; write IN:OUT in percent, separated by "
                      "commas, e.g. 0:0,50:54,100:100");
    }
    points.push_back({*in, *out});
  }
  return points;
}

/// OUT as a resolved template. Where several inks need several plates and OUT names one, the ink
/// goes before the suffix.
std::string output_template(const HalftoneOptions& options, size_t inks) {
  const fs::path path(options.output);
  std::string name = path.filename().string();
  if (const auto wrong = manifests::check_plate_template(name)) {
    throw Error(ErrorKind::kUsage,
                "OUT " + wrong->problem + (wrong->hint.empty() ? "" : "; " + wrong->hint));
  }
  if (inks > 1 && name.find("{ink}") == std::string::npos) {
    const fs::path plain(name);
    name = plain.stem().string() + "_{ink}" + plain.extension().string();
  }
  const std::string folder = path.parent_path().string();
  return manifests::resolve_plate_template(
      name, folder.empty() ? "." : folder, fs::path(options.input).stem().string(), "");
}

/// Inks of the first page that is asked for; 1 when there is no such page, which the plan will say.
size_t inks_of(const tiff::TiffFile& file, const manifests::JobPage& page) {
  const uint32_t first = page.pages.empty() ? 0 : page.pages.front();
  return first < file.page_count() ? file.page(first).inks.size() : 1;
}

/// The method that has a parameter of this name: the one asked for, if it has.
const ParameterInfo& parameter_named(const std::string& name, const MethodInfo* asked_for) {
  const ParameterInfo* found = nullptr;
  for (const MethodInfo& method : methods()) {
    for (const ParameterInfo& parameter : method.parameters) {
      if (parameter.name == name && (found == nullptr || &method == asked_for)) found = &parameter;
    }
  }
  MZ_ASSERT(found != nullptr);  // the flag was made from the table
  return *found;
}

/// The settings, checked; the flags' text becomes numbers here.
void finish_settings(HalftoneOptions& options) {
  HalftoneSettings& halftone = options.settings.halftone;
  manifests::OutputSettings& output = options.settings.output;
  flag_value("--method", manifests::parse_choice(names_of(methods()), halftone.method));
  halftone.engine =
      engines()[flag_value("--engine",
                           manifests::parse_choice(names_of(engines()), options.engine))]
          .engine;
  flag_value("--compression",
             manifests::parse_choice(names_of(tiff::compressions()), output.compression));
  flag_value("--existing", manifests::parse_choice(existing_names(), options.existing));
  for (const auto& [name, text] : options.parameters) {
    if (text.empty()) continue;
    const ParameterInfo& parameter = parameter_named(name, find_method(halftone.method));
    halftone.parameters[name] =
        flag_value("--" + name, manifests::parse_parameter(parameter, text));
  }
  if (!options.curve.empty()) options.settings.tone.points = parse_curve(options.curve);
  if (const std::string fault = check(options.settings.tone); !fault.empty()) {
    throw Error(ErrorKind::kUsage, fault);
  }
  output.replace = options.existing == "replace";
  make_halftoner(halftone);  // throws for what does not go together
}

int halftone(HalftoneOptions options, const CommonOptions& common) {
  finish_settings(options);
  manifests::Job job;
  manifests::JobPage page;
  page.input = options.input;
  page.stem = fs::path(options.input).stem().string();
  if (!options.pages.empty()) {
    page.pages = flag_value("--page", manifests::parse_page_ranges(options.pages));
  }
  if (!options.sha256.empty())
    page.sha256 = flag_value("--sha256", manifests::parse_sha256(options.sha256));
  const auto file = tiff::TiffFile::open(options.input);
  options.settings.output.path = output_template(options, inks_of(*file, page));
  page.settings = options.settings;
  job.pages.push_back(std::move(page));
  // One file: the status says what was wrong with it.
  const JobEnd end = plan_and_run(std::move(job), options.job, common);
  return end.first_failure ? cli::with_signal(status_of(end.first_failure->kind)) : end.status;
}

/// What a parameter does, its values and its default: "of the noise; 0..100, default 0".
std::string help_of(const ParameterInfo& parameter) {
  if (!parameter.choices.empty()) {
    return fmt::format("{}; {}, default {}",
                       parameter.summary,
                       manifests::alternatives(parameter.choices),
                       choice_name(parameter, parameter.default_value));
  }
  const std::string unit = parameter.percent         ? " %"
                           : !parameter.unit.empty() ? " " + std::string(parameter.unit)
                                                     : "";
  return fmt::format("{}; {}..{}{}, default {}{}",
                     parameter.summary,
                     parameter.minimum,
                     parameter.maximum,
                     unit,
                     parameter.default_value,
                     parameter.percent ? "" : unit);
}

/// A flag for each parameter of each method; methods that share a name share the flag. A line of
/// its help begins with the methods that it holds for.
void add_parameters(CLI::App& command, HalftoneOptions& options) {
  for (const std::string_view name : manifests::all_parameters()) {
    std::vector<std::pair<std::string, std::string>> lines;  // help and the methods
    for (const MethodInfo& method : methods()) {
      const ParameterInfo* parameter = manifests::find_parameter(method, name);
      if (parameter == nullptr) continue;
      const std::string help = help_of(*parameter);
      const auto same = std::ranges::find(lines, help, &decltype(lines)::value_type::first);
      if (same == lines.end()) {
        lines.emplace_back(help, method.name);
      } else {
        same->second += ", " + std::string(method.name);
      }
    }
    std::string text;
    for (const auto& [help, owners] : lines) {
      text += (text.empty() ? "" : "\n") + owners + ": " + help;
    }
    const std::string key(name);
    command.add_option("--" + key, options.parameters[key], text)->group("Methods");
  }
}

}  // namespace

void add_halftone_command(CLI::App& app, const CommonOptions& common, int& status) {
  CLI::App* command = app.add_subcommand("halftone", "Halftone one file, without a manifest");
  auto options = std::make_shared<HalftoneOptions>();
  manifests::PageSettings& settings = options->settings;
  command->add_option("IN", options->input, "Contone TIFF")->required();
  command->add_option("OUT", options->output, "Plate; may contain {ink} and {page}")->required();
  add_choice(
      *command, "--method", settings.halftone.method, names_of(methods()), "Halftoning method");
  add_parameters(*command, *options);
  add_choice(*command, "--engine", options->engine, names_of(engines()), "Where to run");
  command->add_option(
      "--schedule", settings.halftone.schedule, "How to run; the bits are the same");
  add_choice(*command,
             "--compression",
             settings.output.compression,
             names_of(tiff::compressions()),
             "Of the plates");
  command->add_flag("--invert", settings.tone.invert, "Swap ink and paper");
  command->add_option("--gamma", settings.tone.gamma, "Coverage to the power of this, 0.1..10");
  command->add_option(
      "--curve", options->curve, "Transfer curve, e.g. 0:0,50:54,100:100 (percent)");
  command->add_option("--page", options->pages, "Pages of a multi-page file, e.g. 1 or 2-4,7");
  command->add_option("--sha256", options->sha256, "Refuse a file that differs from this digest");
  add_choice(*command,
             "--existing",
             options->existing,
             existing_names(),
             "What to do with a plate that is there");
  command->add_flag("--dry-run", options->job.dry_run, "Show the plan, run nothing");
  command->add_flag("--verify",
                    options->job.verify,
                    "Recompute with the reference and compare before publishing");
  add_job_options(*command, options->job);
  command->callback([options, &common, &status] { status = halftone(*options, common); });
}

}  // namespace mezzo::commands
