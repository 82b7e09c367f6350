#include "pipeline/cluster/plan/units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "pipeline/cluster/plan/plan_check.h"
#include "pipeline/plan/cost_model.h"
#include "pipeline/plan/gpu_costs.h"
#include "pipeline/plan/sheet_parts.h"

namespace mezzo::cluster {
namespace {

// ---- Estimates ---------------------------------------------------------------------------------

/// Whether a task's GPU will most likely do the halftoning. With 'auto', a search goes there; other
/// methods may, and the CPU's time is an upper bound.
bool on_gpu(const plan::SheetPart& part, const TaskSettings& task) {
  const HalftoneSettings& halftone = part.halftone;
  const bool is_free = halftone.engine == Engine::kAutomatic && halftone.schedule.empty();
  if (!is_free || task.gpus == 0) return needs_gpu(halftone);
  return part.traits.band_rows != 0 && plan::has_gpu_schedule(halftone.method);
}

/// Planes at one time when a task runs sheets like this one, and halftones so many of their planes.
uint32_t planes_at_once(const plan::SheetPlan& sheet,
                        size_t planes,
                        const plan::JobPlan& plan,
                        uint32_t threads) {
  const uint64_t budget =
      plan.memory_bytes > plan::kProgramBytes ? plan.memory_bytes - plan::kProgramBytes : 0;
  const uint64_t room = budget / std::max<uint64_t>(sheet.memory_bytes, 1);
  const uint64_t sheets = std::clamp<uint64_t>(room, 1, uint64_t{threads} + 1);
  return static_cast<uint32_t>(sheets * std::max<size_t>(planes, 1));
}

/// Costs of the settings that were asked about, of which a plan has few.
class KnownCosts {
 public:
  const plan::CpuCosts& of(const plan::SheetPlan& sheet, const plan::SheetPart& part) {
    for (const Known& known : known_) {
      if (known.halftone == part.halftone && known.compression == part.compression) {
        return known.costs;
      }
    }
    known_.push_back({part.halftone,
                      part.compression,
                      plan::cpu_costs(plan::settings_of(sheet, part), part.compression)});
    return known_.back().costs;
  }

 private:
  struct Known {
    HalftoneSettings halftone;
    tiff::Compression compression;
    plan::CpuCosts costs;
  };
  std::vector<Known> known_;
};

/// Seconds of a part of a sheet; infinite for a search of unknown cost.
double seconds_of(const plan::SheetPlan& sheet,
                  const plan::SheetPart& part,
                  const plan::JobPlan& plan,
                  const TaskSettings& task,
                  KnownCosts& known) {
  plan::CpuCosts costs = known.of(sheet, part);
  const bool gpu = on_gpu(part, task);
  const bool searches = part.traits.band_rows != 0;
  if (searches && (gpu || !costs.known)) return std::numeric_limits<double>::infinity();
  if (gpu) costs.halftone = 0;
  plan::Work work;
  work.pixels = plan::pixels_of(sheet, part);
  work.threads = std::max(task.threads, 1U);
  work.planes_at_once = planes_at_once(sheet, part.plates.size(), plan, work.threads);
  return plan::seconds_on_cpu(costs, work);
}

// ---- Units -------------------------------------------------------------------------------------

/// Numbers of sheets that follow each other and are of one job.
using Runs = std::vector<uint32_t>;

Runs runs_of(const std::vector<uint32_t>& job_of) {
  Runs runs;
  for (size_t i = 0; i < job_of.size(); ++i) {
    if (i == 0 || job_of[i] != job_of[i - 1]) runs.push_back(0);
    ++runs.back();
  }
  return runs;
}

/// Where units of at least `least` seconds end that begin as soon as the one before is long enough:
/// no way of cutting gives more. The rest belongs to the last one.
std::vector<size_t> early_ends(std::span<const double> costs, double least) {
  std::vector<size_t> ends;
  double sum = 0;
  for (size_t i = 0; i < costs.size(); ++i) {
    sum += costs[i];
    if (sum < least) continue;
    ends.push_back(i + 1);
    sum = 0;
  }
  if (ends.empty()) ends.push_back(0);
  ends.back() = costs.size();
  return ends;
}

/// Where so many units end that share the seconds evenly, as far as sheets go.
std::vector<size_t> even_ends(std::span<const double> costs, size_t units) {
  const double total = std::accumulate(costs.begin(), costs.end(), 0.0);
  std::vector<size_t> ends;
  double sum = 0;
  for (size_t i = 0; i < costs.size() && ends.size() + 1 < units; ++i) {
    sum += costs[i];
    const auto next = static_cast<double>(ends.size() + 1);
    if (sum * static_cast<double>(units) >= next * total) ends.push_back(i + 1);
  }
  ends.push_back(costs.size());
  return ends;
}

bool are_long_enough(std::span<const double> costs, const std::vector<size_t>& ends, double least) {
  size_t begin = 0;
  for (const size_t end : ends) {
    if (begin == end) return false;
    double sum = 0;
    for (; begin < end; ++begin) sum += costs[begin];
    if (sum < least) return false;
  }
  return true;
}

/// As many units of at least `least` seconds as there can be, alike where that is possible.
std::vector<Unit> partition_by_seconds(const std::vector<double>& costs,
                                       const Runs& runs,
                                       double least) {
  std::vector<Unit> units;
  uint32_t first = 0;
  for (const uint32_t sheets : runs) {
    const std::span<const double> run = std::span(costs).subspan(first, sheets);
    std::vector<size_t> ends = early_ends(run, least);
    const std::vector<size_t> even = even_ends(run, ends.size());
    if (even.size() == ends.size() && are_long_enough(run, even, least)) ends = even;
    size_t begin = 0;
    for (const size_t end : ends) {
      units.push_back({first, static_cast<uint32_t>(end - begin)});
      first += units.back().count;
      begin = end;
    }
  }
  return units;
}

std::vector<Unit> partition_by_number(const Runs& runs, uint32_t sheets_per_unit) {
  std::vector<Unit> units;
  uint32_t first = 0;
  for (const uint32_t sheets : runs) {
    const uint32_t end = first + sheets;
    for (; first < end; first += units.back().count) {
      units.push_back({first, std::min(sheets_per_unit, end - first)});
    }
  }
  return units;
}

/// The cost of a sheet: a positive figure, so that sheets of no known cost are told apart by their
/// number.
double cost_of(double seconds, double unit_seconds) {
  constexpr double kLeast = 1e-6, kMost = 1e9;
  if (seconds == std::numeric_limits<double>::infinity()) seconds = unit_seconds;
  return seconds > kLeast ? std::min(seconds, kMost) : kLeast;
}

}  // namespace

std::vector<double> estimate_sheet_seconds(const plan::JobPlan& plan, const TaskSettings& task) {
  std::vector<double> seconds;
  KnownCosts known;
  for (const plan::SheetPlan& sheet : plan.sheets) {
    seconds.push_back(0);
    if (sheet.failure) continue;
    for (const plan::SheetPart& part : plan::parts_of(sheet)) {
      seconds.back() += seconds_of(sheet, part, plan, task, known);
    }
  }
  return seconds;
}

std::vector<Unit> partition_sheets(const std::vector<double>& seconds,
                                   const std::vector<uint32_t>& job_of,
                                   const UnitOptions& options) {
  MZ_ASSERT(seconds.size() == job_of.size());
  const Runs runs = runs_of(job_of);
  const size_t most = std::max<size_t>(options.most_units, runs.size());
  if (options.sheets_per_unit > 0) {
    uint32_t sheets = options.sheets_per_unit;
    std::vector<Unit> units = partition_by_number(runs, sheets);
    while (units.size() > most) units = partition_by_number(runs, ++sheets);
    return units;
  }
  std::vector<double> costs;
  double total = 0;
  for (const double s : seconds) total += costs.emplace_back(cost_of(s, options.unit_seconds));
  std::vector<Unit> units = partition_by_seconds(costs, runs, options.unit_seconds);
  if (units.size() <= most) return units;
  // The longer units must be, the fewer there are: halve the interval in which they just fit.
  double too_short = options.unit_seconds, long_enough = 2 * total;
  constexpr int kHalvings = 50;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = (too_short + long_enough) / 2;
    const std::vector<Unit> found = partition_by_seconds(costs, runs, middle);
    (found.size() > most ? too_short : long_enough) = middle;
  }
  return partition_by_seconds(costs, runs, long_enough);
}

}  // namespace mezzo::cluster
