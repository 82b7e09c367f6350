// mezzotint-train: finds the numbers that kernels/*/tables are made of. A tool for those who work
// on mezzotint; it is not installed.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <exception>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tools/train/blue_noise.h"
#include "tools/train/pinwheel_trainer.h"
#include "tools/train/raster_trainer.h"
#include "tools/train/write_tables.h"

namespace mezzo::train {
namespace {

struct Settings {
  std::vector<std::string> tables;
  std::filesystem::path folder = ".";
  uint32_t seed = 1;
  double effort = 1;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
};

/// Evaluations of a level that starts from nothing, and of one between two that are trained.
struct Evaluations {
  double first, between;
};
constexpr Evaluations kPinwheelEvaluations = {3000, 800}, kRasterEvaluations = {1500, 500};

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

Mask mask(const Settings& settings) {
  return mask_of(void_and_cluster(64, 1.5, settings.seed));
}

TableFile table_file(const Settings& settings, const std::string& table, const std::string& name) {
  return {settings.folder,
          name,
          fmt::format(
              "mezzotint-train {} --seed {} --effort {}", table, settings.seed, settings.effort),
          {}};
}

void make_mask(const Settings& settings) {
  TableFile file = table_file(settings, "mask", "blue_noise_mask");
  file.remark = "Void and cluster, sigma 1.5: 8 rank + 4.";
  write_mask(file, mask(settings));
}

void make_pinwheel(const Settings& settings,
                   const std::string& size,
                   const std::vector<uint32_t>& blocks) {
  const Mask blue_noise = mask(settings);
  const PinwheelTrainer trainer(blocks, blue_noise, settings.seed);
  const std::vector<Point> points =
      train_levels(PinwheelTrainer::untrained, settings.threads, [&](const LevelTask& task) {
        return trainer.train(task, evaluations(settings, kPinwheelEvaluations, task));
      });
  const PinwheelTrainer other(blocks, blue_noise, settings.seed + kOtherSeed);
  pinwheel::ToneRows rows{};
  MeanCosts costs;
  for (size_t level = 0; level < kTrainedLevels; ++level) {
    rows[level] = PinwheelTrainer::row(level, points[level]);
    costs.before += other.cost(level, untrained_row());
    costs.after += other.cost(level, rows[level]);
  }
  TableFile file = table_file(settings, "pinwheel-" + size, size + "_tone_table");
  file.remark = told(fmt::format("Blocks of {}.", fmt::join(blocks, " and ")), costs);
  write_pinwheel(file, rows);
  fmt::print("{}\n", file.remark);
}

void make_raster(const Settings& settings) {
  const RasterTrainer trainer(settings.seed);
  const std::vector<Point> points =
      train_levels(RasterTrainer::untrained, settings.threads, [&](const LevelTask& task) {
        return trainer.train(task, evaluations(settings, kRasterEvaluations, task));
      });
  const RasterTrainer other(settings.seed + kOtherSeed);
  std::array<diffusion::ToneEntry, kTrainedLevels> entries{};
  MeanCosts costs;
  for (size_t level = 0; level < kTrainedLevels; ++level) {
    entries[level] = RasterTrainer::entry(level, points[level]);
    costs.before += other.cost(level, floyd_steinberg_entry());
    costs.after += other.cost(level, entries[level]);
  }
  TableFile file = table_file(settings, "tone-dependent", "tone_dependent_entries");
  file.remark = told("Raster order.", costs);
  write_raster(file, entries);
  fmt::print("{}\n", file.remark);
}

void make(const Settings& settings, const std::string& table) {
  if (table == "mask") make_mask(settings);
  if (table == "pinwheel-small") make_pinwheel(settings, "small", {8, 10});
  if (table == "pinwheel-medium") make_pinwheel(settings, "medium", {14, 16});
  if (table == "pinwheel-large") make_pinwheel(settings, "large", {32, 48});
  if (table == "tone-dependent") make_raster(settings);
}

int run(int argc, char** argv) {
  const std::vector<std::string> all = {
      "mask", "pinwheel-small", "pinwheel-medium", "pinwheel-large", "tone-dependent"};
  Settings settings;
  CLI::App app("Trains tables of weights and thresholds; writes C++ and CSV", "mezzotint-train");
  app.add_option("tables", settings.tables, "what to make; without it, everything")
      ->check(CLI::IsMember(all));
  app.add_option("-o,--out", settings.folder, "an existing folder for the files")
      ->check(CLI::ExistingDirectory);
  app.add_option("--seed", settings.seed, "of everything that is random");
  app.add_option(
         "--effort", settings.effort, "evaluations of the search, in parts of the usual ones")
      ->check(CLI::Range(0.0, 100.0));
  app.add_option("--threads", settings.threads, "does not change the result")
      ->check(CLI::Range(1U, 1024U));
  CLI11_PARSE(app, argc, argv);
  if (settings.tables.empty()) settings.tables = all;
  for (const std::string& table : settings.tables) {
    const auto start = std::chrono::steady_clock::now();
    make(settings, table);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    fmt::print("{}: {:.0f} s\n", table, elapsed.count());
  }
  return 0;
}

}  // namespace
}  // namespace mezzo::train

int main(int argc, char** argv) {
  try {
    return mezzo::train::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "mezzotint-train: {}\n", error.what());
    return 1;
  }
}
