// mezzotint linearise: curves of a press, or of its plates, from a measured wedge.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "kernels/prepress/folded_name.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/curve/curve_file.h"
#include "manifests/curve/fit.h"
#include "manifests/curve/join_wedge.h"
#include "manifests/curve/read_measurement.h"
#include "manifests/curve/wedge_facts.h"
#include "manifests/fields.h"
#include "manifests/json/value.h"
#include "manifests/source_text.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/wall_time.h"
#include "stages/files/input_file.h"
#include "stages/files/publish.h"
#include "stages/ink_names.h"
#include "tools/cli/curve_text.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"
#include "tools/commands/good.h"

namespace mezzo::commands {
namespace {

struct LineariseCommand {
  std::vector<std::string> measured;
  std::string wedge;  ///< file; empty: the measurement says all
  std::string target = "linear";
  std::string by;
  std::string values;
  std::vector<std::string> inks;
  std::vector<std::string> refine;
  curve::RampOptions ramp;
  std::string kind = "press";
  curve::PrintFacts facts;
  std::string expires;
  std::optional<std::string> force;
  std::string folder = ".";
};

/// One ink of one measurement, and what became of it.
struct InkResult {
  curve::CurveFile file;
  curve::Ramp ramp;
  curve::CurveFit fit;
  std::string path;  ///< of the curve file; empty: refused
};

bool is_same_name(const std::string& a, const std::string& b) {
  return prepress::folded_name(a, prepress::Alike::kAsWords) ==
         prepress::folded_name(b, prepress::Alike::kAsWords);
}

/// Whether the curves may take each other's place: those of one press, ink, screen, resolution, paper.
bool is_same_print(const curve::CurveFile& a, const curve::CurveFile& b) {
  return is_same_name(a.press, b.press) && prepress::is_same_ink(a.ink, b.ink) &&
         a.screen == b.screen && a.dpi == b.dpi && is_same_name(a.paper, b.paper);
}

/// Whether a good curve of another print is there, such as of a second paper.
bool is_of_other_print(const std::string& path, const curve::CurveFile& made) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return false;
  const auto found = curve::load_curve_file(path);
  const auto* other = std::get_if<curve::CurveFile>(&found);
  return other != nullptr && !is_same_print(*other, made);
}

/// Paper, screen and resolution, as part of the name of a file.
std::string print_name(const curve::CurveFile& file) {
  std::string name;
  for (const std::string& part : ink_file_names({file.paper.empty() ? "no paper" : file.paper,
                                                 file.screen,
                                                 fmt::format("{:g} dpi", file.dpi)})) {
    name += (name.empty() ? "" : "_") + part;
  }
  return name;
}

/// Whether some patch has tones of this ink and of no other.
bool has_ramp(const curve::Measurement& measurement, size_t ink) {
  return std::ranges::any_of(measurement.patches, [&](const curve::Patch& patch) {
    if (ink >= patch.nominal.size() || patch.nominal[ink] == 0) return false;
    return std::ranges::count_if(patch.nominal, [](double tone) { return tone != 0; }) == 1;
  });
}

class Lineariser {
 public:
  Lineariser(const LineariseCommand& command, const CommonOptions& common)
      : command_(command), common_(common) {}

  int run();

 private:
  void read_refined();
  void read(const std::string& path);
  void make(const std::string& path, const curve::Measurement& measurement, size_t ink);
  curve::Target target_for(const curve::Ramp& ramp) const;
  curve::ReadOptions read_options() const;
  const curve::CurveFile* refined(const std::string& ink) const;
  void write(InkResult& result);
  std::string path_of(const std::string& name) const;
  void refuse_other_file(const std::string& path, const curve::CurveFile& made) const;
  void warn_of_one_angle() const;
  void print(const InkResult& result) const;
  void print_json(const InkResult& result) const;

  const LineariseCommand& command_;
  const CommonOptions& common_;
  std::vector<curve::CurveFile> refined_;
  std::optional<curve::Measurement> wedge_, like_;
  std::vector<InkResult> results_;
};

curve::ReadOptions Lineariser::read_options() const {
  curve::ReadOptions options{.inks = command_.inks};
  const auto* const values = std::ranges::find(curve::kCsvValues, command_.values);
  if (values != std::end(curve::kCsvValues)) {
    options.values = static_cast<curve::CsvValues>(values - std::begin(curve::kCsvValues) + 1);
  }
  return options;
}

void Lineariser::read_refined() {
  for (const std::string& path : command_.refine) {
    refined_.push_back(good(curve::load_curve_file(path), common_));
  }
}

const curve::CurveFile* Lineariser::refined(const std::string& ink) const {
  if (command_.refine.empty()) return nullptr;
  const auto found = std::ranges::find_if(
      refined_, [&](const curve::CurveFile& file) { return prepress::is_same_ink(file.ink, ink); });
  if (found != refined_.end()) return &*found;
  throw Error(ErrorKind::kUsage,
              "--refine has no curve of " + ink + ", which was measured; name its file, too");
}

/// The aim for one ink; that of `like:` is its ramp there, by the same formula where it has that.
curve::Target Lineariser::target_for(const curve::Ramp& ramp) const {
  constexpr std::string_view kPoints = "points:";
  const std::string& text = command_.target;
  if (text.starts_with(kPoints)) {
    auto points = flag_value("--target", cli::parse_curve(text.substr(kPoints.size())));
    const std::string wrong = check(ToneSettings{.points = points});
    if (!wrong.empty()) throw Error(ErrorKind::kUsage, "--target: " + wrong);
    return curve::points_target(std::move(points));
  }
  if (!like_) return flag_value("--target", curve::parse_target(text));
  const auto ink = std::ranges::find_if(
      like_->inks, [&](const std::string& name) { return prepress::is_same_ink(name, ramp.ink); });
  if (ink == like_->inks.end()) {
    throw Error(ErrorKind::kData, "--target: " + like_->source->file() + " has no " + ramp.ink);
  }
  const auto index = static_cast<size_t>(ink - like_->inks.begin());
  curve::RampOptions options = command_.ramp;
  options.formula = ramp.formula;
  auto like = curve::ramp_of(*like_, index, options);
  if (std::holds_alternative<std::vector<Diagnostic>>(like)) {
    options.formula.reset();
    like = curve::ramp_of(*like_, index, options);
  }
  return curve::like_target(good(std::move(like), common_),
                            std::filesystem::path(like_->source->file()).filename().string());
}

void Lineariser::make(const std::string& path, const curve::Measurement& measurement, size_t ink) {
  InkResult result;
  result.ramp = good(curve::ramp_of(measurement, ink, command_.ramp), common_);
  const std::string& name = result.ramp.ink;
  for (const InkResult& other : results_) {
    if (!prepress::is_same_ink(other.file.ink, name)) continue;
    throw Error(ErrorKind::kData,
                name + " is in two measurements; take one, or their mean, at a time");
  }
  const curve::CurveFile* on = refined(name);
  const curve::Target target = target_for(result.ramp);
  result.fit = curve::fit_curve(
      result.ramp, target, on == nullptr ? nullptr : &on->curve.points, *measurement.source);
  curve::CurveFile& file = result.file;
  if (on != nullptr) file.curve = on->curve;
  file.curve.kind =
      command_.kind == "plate" ? curve::PressCurve::Kind::kPlate : curve::PressCurve::Kind::kPress;
  auto refusals = curve::settle_facts(command_.facts, measurement, on, file, name);
  auto& all = result.fit.refusals;
  all.insert(all.begin(), refusals.begin(), refusals.end());
  file.ink = name;
  file.curve.points = result.fit.points;
  file.target = target.text;
  file.made = local_text(std::chrono::system_clock::now()).substr(0, std::size("2026-11-20") - 1);
  file.expires = command_.expires;
  file.source = {std::filesystem::path(path).filename().string(),
                 files::InputFile(path, curve::kMaxTableBytes).sha256()};
  file.measures = curve::measures_of(result.ramp);
  if (!all.empty()) file.reason = command_.force.value_or("");
  results_.push_back(std::move(result));
}

void Lineariser::read(const std::string& path) {
  curve::Measurement measurement = good(curve::load_measurement(path, read_options()), common_);
  if (wedge_) {
    std::vector<Diagnostic> wrong = curve::join_wedge(*wedge_, measurement);
    if (!wrong.empty()) good<int>(std::move(wrong), common_);
  }
  if (measurement.inks.empty()) {
    throw Error(ErrorKind::kUsage,
                path +
                    " does not say what its patches were printed as; give the description of the "
                    "wedge with --wedge");
  }
  std::vector<size_t> inks, others;
  for (size_t ink = 0; ink < measurement.inks.size(); ++ink) {
    (has_ramp(measurement, ink) ? inks : others).push_back(ink);
  }
  if (inks.empty()) inks = std::exchange(others, {});
  for (const size_t ink : others) {
    log::info("{}: no patch has {} alone, and no curve of it is made", path, measurement.inks[ink]);
  }
  for (const size_t ink : inks) make(path, measurement, ink);
}

void Lineariser::write(InkResult& result) {
  const bool is_refused = !result.fit.refusals.empty() && !command_.force;
  if (is_refused) return;
  curve::CurveFile& file = result.file;
  const std::string unsaid = file.press.empty()    ? "--press"
                             : file.screen.empty() ? "--screen"
                             : file.dpi == 0       ? "--dpi"
                                                   : "";
  if (!unsaid.empty()) {
    throw Error(ErrorKind::kUsage,
                "a curve holds for one press, screen and resolution, and the wedge does not say "
                "which: give " +
                    unsaid);
  }
  const std::string text = curve::curve_file_text(file);
  good(curve::parse_curve_file(text, "the curve of " + file.ink), common_);
  const std::vector<std::string> names = ink_file_names({file.press, file.ink});
  const std::string stem =
      fmt::format("{}_{}_{}", names[0], names[1], curve::name_of(file.curve.kind));
  result.path = path_of(stem + ".yaml");
  if (is_of_other_print(result.path, file)) {
    result.path = path_of(fmt::format("{}_{}.yaml", stem, print_name(file)));
  }
  refuse_other_file(result.path, file);
  files::write_whole_file(result.path, text);
}

std::string Lineariser::path_of(const std::string& name) const {
  return (std::filesystem::path(command_.folder) / name).string();
}

/// Four inks at one angle are rare, and --screen gives all of them the same words.
void Lineariser::warn_of_one_angle() const {
  const std::string& screen = command_.facts.screen;
  const auto& first = results_.front().file.screen;
  const bool are_alike = std::ranges::all_of(
      results_, [&](const InkResult& result) { return result.file.screen == first; });
  if (results_.size() < 2 || screen.find("angle=") == std::string::npos || !are_alike) return;
  log::warn(
      "--screen gives all {} inks the same angle, and a curve is used at its own angle alone: give "
      "the description of the wedge with --wedge when the inks have angles of their own",
      results_.size());
}

/// A newer curve takes the place of the older one of the same ink, screen, resolution and paper, and of
/// nothing else.
void Lineariser::refuse_other_file(const std::string& path, const curve::CurveFile& made) const {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return;
  const auto found = curve::load_curve_file(path);
  const auto* other = std::get_if<curve::CurveFile>(&found);
  if (other != nullptr && is_same_print(*other, made)) return;
  throw Error(ErrorKind::kCannotCreate,
              path +
                  ": a file is there that is no curve of the same press, ink, screen, resolution "
                  "and paper; write into another folder with --folder, then rename the curves");
}

void Lineariser::print(const InkResult& result) const {
  const curve::CurveFit& fit = result.fit;
  const auto line = [](std::string_view what, const std::string& text) {
    fmt::print("  {:<22}{}\n", what, text);
  };
  fmt::print("{}: {}, {}, by {}{}{}\n",
             result.ramp.ink,
             counted(fit.steps.size(), "step"),
             counted(result.ramp.readings.size(), "reading"),
             curve::name_of(result.ramp.formula),
             result.ramp.channel.empty() ? "" : " (" + result.ramp.channel + ")",
             command_.ramp.n == 1 ? "" : fmt::format(", n = {:g}", command_.ramp.n));
  line("tone value increase",
       fmt::format(
           "25 %: {:+.1f}   50 %: {:+.1f}   75 %: {:+.1f}", fit.gain_25, fit.gain_50, fit.gain_75));
  line("largest correction",
       fmt::format("{:+.1f} at {:g} %, for the target {}",
                   fit.largest_change,
                   fit.changed_at,
                   result.file.target));
  line("spread of repeats", fmt::format("{:.2f} % of dot", fit.spread));
  if (fit.outlier) {
    const auto& [reading, others, sigmas] = *fit.outlier;
    line("left out",
         fmt::format("line {}: {:.1f} % for {:g} %, where the others read {:.1f} % ({:.0f} sigma)",
                     reading.place.line,
                     reading.area,
                     reading.nominal,
                     others,
                     sigmas));
  }
  for (const Diagnostic& refusal : fit.refusals) {
    line(result.path.empty() ? "refused" : "overruled", refusal.message);
  }
  line(result.path.empty() ? "not written" : "written", result.path);
}

void Lineariser::print_json(const InkResult& result) const {
  const curve::CurveFit& fit = result.fit;
  json::Value object = {{"v", 1},
                        {"type", "linearised"},
                        {"ink", result.ramp.ink},
                        {"by", curve::name_of(result.ramp.formula)},
                        {"steps", fit.steps.size()},
                        {"readings", result.ramp.readings.size()},
                        {"target", result.file.target},
                        {"gain", {{"25", fit.gain_25}, {"50", fit.gain_50}, {"75", fit.gain_75}}},
                        {"largest_change", fit.largest_change},
                        {"changed_at", fit.changed_at},
                        {"spread", fit.spread}};
  object["refused"] = json::Value::list();
  for (const Diagnostic& refusal : fit.refusals) {
    object["refused"].push_back({{"line", refusal.line}, {"message", refusal.message}});
  }
  if (fit.outlier) object["left_out_line"] = fit.outlier->reading.place.line;
  object["file"] = result.path.empty() ? json::Value() : json::Value(result.path);
  cli::print_line(object);
}

int Lineariser::run() {
  constexpr std::string_view kLike = "like:";
  read_refined();
  if (!command_.wedge.empty()) {
    wedge_ =
        good(curve::load_measurement(command_.wedge, {.inks = command_.inks, .is_wedge = true}),
             common_);
  }
  if (command_.target.starts_with(kLike)) {
    like_ = good(
        curve::load_measurement(
            std::string(manifests::trimmed(command_.target.substr(kLike.size()))), read_options()),
        common_);
  }
  for (const std::string& path : command_.measured) read(path);
  int status = kExitGood;
  warn_of_one_angle();
  for (InkResult& result : results_) {
    write(result);
    common_.json ? print_json(result) : print(result);
    if (!result.path.empty()) continue;
    status = kExitData;
    if (!common_.json) cli::print_diagnostics(result.fit.refusals);
  }
  if (status != kExitGood && !common_.json) {
    log::error(
        "refused curves are not written; measure again, or say why they are right: --force REASON");
  }
  return status;
}

int linearise(LineariseCommand& command, const CommonOptions& common) {
  if (command.target == "sctv") {
    if (!command.by.empty() && command.by != "sctv") {
      throw Error(ErrorKind::kUsage, "--target sctv needs --by sctv");
    }
    command.by = "sctv";
  }
  const auto* const by = std::ranges::find(curve::kFormulas, command.by);
  if (by != std::end(curve::kFormulas)) {
    command.ramp.formula = static_cast<curve::Formula>(by - std::begin(curve::kFormulas));
  }
  if (command.force && manifests::trimmed(*command.force).empty()) {
    throw Error(ErrorKind::kUsage, "--force needs a reason, which is kept in the curve file");
  }
  return Lineariser(command, common).run();
}

void add_printing_options(cli::Command& command, LineariseCommand& options) {
  curve::PrintFacts& facts = options.facts;
  const std::string_view group = "What was printed, unless the wedge says it";
  command.option("--press", facts.press, "Name of the press, as in its press file").group(group);
  command
      .option(
          "--screen", facts.screen, "Screen, in the words of the wedge: am ruling=175 angle=15 ..")
      .group(group);
  command.option("--dpi", facts.dpi, "Resolution of the plates").range(10, 20'000).group(group);
  command.option("--paper", facts.paper, "Name of the paper").group(group);
  command.option("--kind", options.kind, "What the curve is for")
      .one_of({"plate", "press"})
      .shows_default()
      .group(group);
}

}  // namespace

void make_linearise_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<LineariseCommand>();
  command.argument("MEASURED", options->measured, "Measurements: CGATS, .ti3 or CSV")
      .takes("FILE")
      .required();
  command
      .option("--wedge",
              options->wedge,
              "Description of the wedge, for measurements that have only SAMPLE_IDs")
      .takes("FILE");
  command
      .option("--target",
              options->target,
              "What to print: linear, tvi:16, sctv, like:FILE, or points:0:0,50:66,100:100")
      .shows_default();
  command
      .option("--by", options->by, "How dot areas are found; default: the best that was measured")
      .one_of(std::vector<std::string>(std::begin(curve::kFormulas), std::end(curve::kFormulas)));
  command.option("--n", options->ramp.n, "Factor of Yule and Nielsen; 1 is Murray-Davies")
      .range(1, 10)
      .shows_default();
  command.option("--values", options->values, "What a CSV column 'value' has")
      .one_of(std::vector<std::string>(std::begin(curve::kCsvValues), std::end(curve::kCsvValues)));
  command.option("--inks", options->inks, "Names of the inks of columns such as 6CLR_1").by_comma();
  command
      .option("--refine", options->refine, "Correct these curves, which the wedge was printed with")
      .takes("FILE")
      .one_at_a_time();
  command.option("--expires", options->expires, "Last day of the curve, as in 2027-11-20")
      .takes("DAY");
  command.option("--force", options->force, "Write refused curves, too, with this reason")
      .takes("REASON");
  command.option("-o,--folder", options->folder, "Folder of the curve files")
      .takes("FOLDER")
      .shows_default();
  add_printing_options(command, *options);
  command.example(
      "mezzotint linearise measured.txt --wedge wedge.txt --target tvi:16 --folder curves",
      "A curve for each ink of the wedge.");
  command.example(
      "mezzotint linearise second.txt --wedge second_wedge.txt --target tvi:16 --refine "
      "curves/xl-106_cyan_press.yaml --folder curves",
      "A second pass, on a wedge that was printed with the curve.");
  command.runs([options, &common] { return linearise(*options, common); });
}

}  // namespace mezzo::commands
