// mezzotint halftone: one file, no manifest; every setting of a page is a flag. Settings of single inks
// need a manifest, but for inks that are left out.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/parameters.h"
#include "manifests/path_template.h"
#include "manifests/scalars.h"
#include "manifests/settings/make_field.h"
#include "manifests/source_text.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/tiles.h"
#include "stages/tiff/plate/writer.h"
#include "stages/tiff/read/reader.h"
#include "tools/cli/chain_options.h"
#include "tools/cli/curve_text.h"
#include "tools/cli/file_offers.h"
#include "tools/cli/interrupt.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;

struct HalftoneOptions {
  std::string input;
  std::string output;
  std::vector<uint32_t> pages;
  std::optional<std::string> sha256;
  std::optional<std::string> method;
  std::string engine = "auto";
  cli::LineworkOptions linework;
  std::vector<std::string> dropped;               ///< inks
  std::map<std::string, std::string> parameters;  ///< as typed, by name
  manifests::PageSettings settings;
  JobOptions job;
};

/// A method by its name, which is checked.
manifests::Parsed<std::string> parse_method(const std::string& name) {
  const auto parsed = manifests::parse_choice(manifests::names_of(methods()), name);
  return parsed.value ? manifests::Parsed<std::string>::good(name)
                      : manifests::Parsed<std::string>::bad(parsed.problem, parsed.hint);
}

/// A parameter as it is written on the command line: --slab-rows. --scale is that of the page.
std::string flag_of(std::string_view parameter) {
  if (parameter == "scale") return "--eye-scale";
  std::string flag = "--" + std::string(parameter);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

/// OUT as a resolved template. Where several inks need several plates and OUT names one, the ink
/// goes before the suffix.
std::string output_template(const HalftoneOptions& options, size_t inks) {
  const fs::path path(options.output);
  std::string name = path.filename().string();
  if (name.empty() && !options.output.empty()) {
    throw Error(ErrorKind::kUsage,
                "OUT must name a file, found the folder '" + options.output + "'; for example " +
                    (path / fs::path(options.input).stem()).string() + ".tif");
  }
  if (const auto wrong = manifests::check_plate_template(name)) {
    throw Error(ErrorKind::kUsage,
                "OUT " + wrong->problem + (wrong->hint.empty() ? "" : "; " + wrong->hint));
  }
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (inks > 1 && !has("{ink}") && !has("{label}") && !has("{n}")) {
    const fs::path plain(name);
    name = plain.stem().string() + "_{ink}" + plain.extension().string();
  }
  const std::string folder = path.parent_path().string();
  return manifests::resolve_plate_template(
      name, folder.empty() ? "." : folder, fs::path(options.input).stem().string(), "");
}

/// Inks of the first page that is asked for; 1 when there is no such page, which the plan reports.
size_t inks_of(const tiff::TiffFile& file,
               const manifests::JobPage& page,
               const manifests::PageSettings& settings) {
  const uint32_t first = page.pages.empty() ? 0 : page.pages.front();
  if (first >= file.page_count()) return 1;
  const PageInfo& info = file.page(first);
  return info.inks.size() + (settings.extra_channels == "inks" ? info.extras.size() : 0);
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

void read_tile(HalftoneSettings& halftone) {
  if (halftone.tile.path.empty()) return;
  const MethodInfo* method = find_method(halftone.method);
  if (method == nullptr || !method->takes_tile) {
    throw Error(ErrorKind::kUsage,
                "--tile is for methods that take a file of thresholds, and " + halftone.method +
                    " does not; add --method tile");
  }
  manifests::PageSettings settings;
  settings.halftone = halftone;
  plan::TileReader(files::FileSystem::real()).read(settings, nullptr);
  halftone = settings.halftone;
}

/// The settings, checked; the flags' text becomes numbers here.
void finish_settings(HalftoneOptions& options) {
  HalftoneSettings& halftone = options.settings.halftone;
  if (options.method) halftone.method = *options.method;
  halftone.engine = *engine_named(options.engine);
  for (const auto& [name, text] : options.parameters) {
    if (text.empty()) continue;
    const ParameterInfo& parameter = parameter_named(name, find_method(halftone.method));
    halftone.parameters[name] =
        flag_value(flag_of(name), manifests::parse_parameter(parameter, text));
  }
  if (const std::string fault = check(options.settings.tone); !fault.empty()) {
    throw Error(ErrorKind::kUsage, fault);
  }
  cli::check_chain_options(options.settings);
  if (options.settings.scale != manifests::PageSettings().scale &&
      options.settings.output.resolution_dpi == 0) {
    throw Error(ErrorKind::kUsage,
                "--scale has no effect: a page is scaled to --resolution, which is not given");
  }
  for (const std::string& ink : options.dropped) {
    options.settings.inks.push_back({.ink = ink, .label = {}, .is_dropped = true});
  }
  read_tile(halftone);
  ChosenHalftoner::choice(halftone);  // throws for settings that do not fit together
}

int halftone(HalftoneOptions options, const CommonOptions& common) {
  finish_settings(options);
  manifests::Job job;
  manifests::JobPage page;
  page.input = options.input;
  page.stem = fs::path(options.input).stem().string();
  page.pages = options.pages;
  page.sha256 = options.sha256;
  if (const auto linework = cli::linework_of(options.linework)) {
    page.linework.push_back(*linework);
  }
  const auto file = tiff::TiffFile::open(options.input);
  const size_t inks = inks_of(*file, page, options.settings);
  options.settings.output.path = output_template(options, inks);
  page.settings = options.settings;
  job.pages.push_back(std::move(page));
  // One file: the status is that of its failure.
  const JobEnd end = plan_and_run(std::move(job), options.job, common);
  return end.first_failure ? cli::with_signal(status_of(end.first_failure->kind)) : end.status;
}

/// A parameter's effect, its values and its default: "of the noise; 0..100, default 0".
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

/// A parameter's value in help: N, N% or NAME.
std::string value_name_of(const ParameterInfo& parameter) {
  return !parameter.choices.empty() ? "NAME" : parameter.percent ? "N%" : "N";
}

cli::Offer methods_offered() {
  cli::Offer offer;
  for (const MethodInfo& method : methods()) {
    offer.names.push_back({std::string(method.name), std::string(method.summary)});
  }
  return offer;
}

const MethodInfo& method_of(const HalftoneOptions& options) {
  return *find_method(options.method.value_or(HalftoneSettings().method));
}

cli::Offer schedules_offered(const HalftoneOptions& options) {
  cli::Offer offer;
  for (const ScheduleInfo& schedule : method_of(options).schedules) {
    offer.names.push_back({std::string(schedule.name), std::string(schedule.summary)});
  }
  return offer;
}

/// The values of a parameter that has names for them.
cli::Offer choices_offered(std::string_view name, const HalftoneOptions& options) {
  cli::Offer offer;
  const ParameterInfo* parameter = manifests::find_parameter(method_of(options), name);
  if (parameter == nullptr) return offer;
  for (const std::string_view choice : parameter->choices) {
    offer.names.push_back({std::string(choice), ""});
  }
  return offer;
}

/// An option for each parameter of each method; methods that share a name share the option. Help
/// shows those of one method.
void add_parameters(cli::Command& command, HalftoneOptions& options) {
  for (const std::string_view name : manifests::all_parameters()) {
    const std::string key(name);
    const std::string flag = key == "scale" ? flag_of(key) : "--" + key;
    command.option(flag, options.parameters[key], "").hidden().offers([&options, name] {
      return choices_offered(name, options);
    });
  }
}

/// The parameters of the method that is asked for; of none, the methods.
cli::HelpSection methods_help(const HalftoneOptions& options) {
  cli::HelpSection section;
  if (!options.method) {
    section.title = "Methods";
    section.rows = methods_offered().names;
    section.note =
        "\nEach method has parameters of its own; to see them: mezzotint halftone --method NAME "
        "--help";
    return section;
  }
  const MethodInfo& method = *find_method(*options.method);
  section.title = "Parameters of " + *options.method;
  for (const ParameterInfo& parameter : method.parameters) {
    section.rows.push_back(
        {flag_of(parameter.name) + " " + value_name_of(parameter), help_of(parameter)});
  }
  if (section.rows.empty()) section.note = "  none";
  return section;
}

/// The options that a manifest has under tone, output and the page.
void add_page_options(cli::Command& command, HalftoneOptions& options) {
  manifests::PageSettings& settings = options.settings;
  command.option("--drop", options.dropped, "Inks to make no plates of, such as varnish,register")
      .takes("INK")
      .by_comma()
      .one_at_a_time()
      .offers([&options] { return cli::offer_inks(options.input); });
  cli::add_setting_option(command, settings, "output.compression");
  command.flag(
      "--invert", settings.tone.invert, "Swap ink and paper of the page, before gamma and curve");
  cli::add_chain_options(command, settings);
  cli::add_setting_option(command, settings, "protect");
  cli::add_linework_options(command, options.linework);
  cli::add_setting_option(command, settings, "tone.gamma");
  command
      .option("--curve",
              cli::parsed(settings.tone.points, cli::parse_curve),
              "Transfer curve, e.g. 0:0,50:54,100:100 (percent), or as in a manifest")
      .takes("POINTS");
  command
      .option("--page",
              cli::parsed(options.pages, manifests::parse_page_ranges),
              "Pages of a multi-page file, e.g. 1 or 2-4,7")
      .takes("PAGES")
      .offers([&options] { return cli::offer_pages(options.input); });
  command
      .option("--sha256",
              cli::parsed(options.sha256, manifests::parse_sha256),
              "Refuse a file with another digest")
      .takes("DIGEST");
  const cli::Option& existing = cli::add_setting_option(command, settings, "output.existing");
  add_force_option(command, options.job.force).excludes(existing);
}

}  // namespace

void make_halftone_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<HalftoneOptions>();
  command.argument("IN", options->input, "Contone TIFF").required().offers(cli::offer_tiffs);
  command.argument("OUT", options->output, "Plate; may contain {ink} and {page}")
      .required()
      .offers(cli::offer_tiffs);
  command
      .option("--method",
              cli::parsed(options->method, parse_method),
              "Halftoning method, one of those below; default: " + HalftoneSettings().method)
      .takes("NAME")
      .offers(methods_offered);
  command.option("--engine", options->engine, "Where to run")
      .one_of(manifests::names_of(engines()))
      .shows_default();
  command
      .option("--schedule",
              options->settings.halftone.schedule,
              "Algorithm of the method; the bits are the same")
      .takes("NAME")
      .offers([options] { return schedules_offered(*options); });
  command
      .option("--tile",
              options->settings.halftone.tile.path,
              "With --method tile: the thresholds, a grey TIFF of 8 or 16 bits")
      .takes("FILE")
      .offers(cli::offer_tiffs);
  add_parameters(command, *options);
  add_page_options(command, *options);
  command.flag("--dry-run", options->job.dry_run, "Show the plan, run nothing");
  add_verify_option(command, options->job);
  add_job_options(command, options->job);
  command.section([options] { return methods_help(*options); });
  command.example("mezzotint halftone page.tif plate.tif", "Halftone a page by Floyd-Steinberg.");
  command.example("mezzotint halftone --method bayer --order 4 page.tif out/{ink}.tif",
                  "A plate for each ink, by ordered dither.");
  command.runs([options, &common] { return halftone(*options, common); });
}

}  // namespace mezzo::commands
