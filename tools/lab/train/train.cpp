#include "tools/lab/train/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tools/lab/train/pinwheel_trainer.h"
#include "tools/lab/train/raster_trainer.h"
#include "tools/lab/train/search_form.h"
#include "tools/lab/train/write_tables.h"

namespace mezzo::train {
namespace {

struct Settings {
  std::vector<std::string> tables;
  std::string folder = ".";
  uint32_t seed = 1;
  double effort = 1;
  uint32_t threads = std::max(1U, std::thread::hardware_concurrency());
};

/// Evaluations of a level that starts from nothing, and of one between two that are trained.
struct Evaluations {
  double first, between;
};
constexpr Evaluations kPinwheelEvaluations = {3000, 800};
/// Of a knot, in each round.
constexpr uint32_t kRasterEvaluations = 120;

uint32_t evaluations(const Settings& settings, const Evaluations& full, const LevelTask& task) {
  return static_cast<uint32_t>(settings.effort * (task.has_neighbours ? full.between : full.first));
}

/// Costs are told for noise other than that of the training.
constexpr uint32_t kOtherSeed = 0x5EED;

struct MeanCosts {
  double before = 0, after = 0;
};

std::string told(const std::string& what, const MeanCosts& costs) {
  return fmt::format("{} Mean cost of a level: {:.3f} before, {:.3f} after.",
                     what,
                     costs.before / kTrainedLevels,
                     costs.after / kTrainedLevels);
}

TableFile table_file(const Settings& settings, const std::string& table, const std::string& name) {
  return {
      settings.folder,
      name,
      fmt::format(
          "mezzotint-lab train {} --seed {} --effort {}", table, settings.seed, settings.effort),
      {}};
}

void make_pinwheel(const Settings& settings,
                   const std::string& size,
                   const std::vector<uint32_t>& blocks) {
  const PinwheelTrainer trainer(blocks, settings.seed);
  const std::vector<Point> points =
      train_levels(PinwheelTrainer::untrained, settings.threads, [&](const LevelTask& task) {
        return trainer.train(task, evaluations(settings, kPinwheelEvaluations, task));
      });
  const PinwheelTrainer other(blocks, settings.seed + kOtherSeed);
  pinwheel::ToneRows rows{};
  std::vector<MeanCosts> costs(kTrainedLevels);
  in_parallel(kTrainedLevels, settings.threads, [&](size_t level) {
    pinwheel::Level before = untrained_row();
    rows[level] = trainer.row(level, points[level]);
    trainer.balance(level, before);
    trainer.balance(level, rows[level]);
    costs[level] = {other.cost(level, before), other.cost(level, rows[level])};
  });
  MeanCosts sum;
  for (const MeanCosts& cost : costs) {
    sum.before += cost.before;
    sum.after += cost.after;
  }
  TableFile file = table_file(settings, "pinwheel-" + size, size + "_tone_table");
  file.remark = told(fmt::format("Blocks of {}.", fmt::join(blocks, " and ")), sum);
  write_pinwheel(file, rows);
  fmt::print("{}\n", file.remark);
}

void make_raster(const Settings& settings) {
  const RasterTrainer trainer(settings.seed);
  const auto evaluations = static_cast<uint32_t>(settings.effort * kRasterEvaluations);
  const diffusion::ToneRows rows =
      RasterTrainer::rows(trainer.train(evaluations, settings.threads));
  const RasterTrainer other(settings.seed + kOtherSeed);
  MeanCosts costs;
  for (size_t knot = 0; knot < kKnots.size(); ++knot) {
    costs.before += other.cost(knot, floyd_steinberg_table()) / kKnots.size();
    costs.after += other.cost(knot, diffusion::mirrored_table(rows)) / kKnots.size();
  }
  TableFile file = table_file(settings, "tone-dependent", "tone_dependent_entries");
  file.remark = fmt::format(
      "Raster order. Mean cost of a knot: {:.3f} before, {:.3f} after.", costs.before, costs.after);
  write_raster(file, rows);
  fmt::print("{}\n", file.remark);
}

void make_form(const Settings& settings) {
  write_form({settings.folder,
              "form_tables",
              "mezzotint-lab train search-form",
              "The tone form's tables, by distance; form.h says what they are."},
             form_tables());
}

void make(const Settings& settings, const std::string& table) {
  if (table == "pinwheel-small") make_pinwheel(settings, "small", {8, 10});
  if (table == "pinwheel-medium") make_pinwheel(settings, "medium", {16, 14});
  if (table == "pinwheel-large") make_pinwheel(settings, "large", {32, 48});
  if (table == "tone-dependent") make_raster(settings);
  if (table == "search-form") make_form(settings);
}

constexpr std::string_view kTables[] = {
    "pinwheel-small", "pinwheel-medium", "pinwheel-large", "tone-dependent", "search-form"};

int make_all(Settings settings) {
  if (settings.tables.empty()) settings.tables.assign(std::begin(kTables), std::end(kTables));
  for (const std::string& table : settings.tables) {
    const auto start = std::chrono::steady_clock::now();
    make(settings, table);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    fmt::print("{}: {:.0f} s\n", table, elapsed.count());
  }
  return 0;
}

}  // namespace

void add_train_command(cli::Command& program) {
  cli::Command& command =
      program.command("train", "Train tables of weights and thresholds; writes C++ and CSV");
  auto settings = std::make_shared<Settings>();
  command.argument("TABLE", settings->tables, "What to make; without it, everything")
      .one_of(kTables);
  command.option("-o,--out", settings->folder, "An existing folder for the files").takes("FOLDER");
  command.option("--seed", settings->seed, "Of everything that is random").shows_default();
  command
      .option("--effort", settings->effort, "Evaluations of the search, in parts of the usual ones")
      .range(0, 100);
  command.option("--threads", settings->threads, "Does not change the result").range(1, 1024);
  command.runs([settings] { return make_all(*settings); });
}

}  // namespace mezzo::train
