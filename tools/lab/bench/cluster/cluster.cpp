#include "tools/lab/bench/cluster/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "tools/lab/bench/cluster/model.h"
#include "tools/lab/bench/harness.h"
#include "tools/lab/bench/plot.h"

namespace mezzo::bench {
namespace {

/// Of a plate: deflate makes error diffusion about so much smaller.
constexpr double kPlateRatio = 5;
/// Between failures of a node; with fewer the simulation may not end.
constexpr int kLeastPages = 10;
constexpr double kMib = 1024.0 * 1024;

struct ClusterOptions {
  ClusterJob job = {.pages = 100'000, .page_s = 0.2, .spread = 0.2};
  Cluster cluster = {.slots = 8, .total_mib_per_s = 10'000, .node_mib_per_s = 1000};
  double page_pixels = 100e6;
  std::optional<double> input_mib, plate_mib;
  uint32_t max_array_size = 1001;
  std::vector<double> unit_seconds = {10, 60};
  std::vector<uint32_t> nodes = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};
  FileOptions files;
};

struct Point {
  uint32_t nodes = 0;
  double unit_s = 0;
  ClusterUnits units;
  ClusterEstimate estimate;
  ClusterRun run;
  double pages_per_s_model = 0, pages_per_s = 0;
  double efficiency = 0;  ///< of the simulation; of what slots make that do nothing but work
};

Point play(const ClusterOptions& options, double unit_s, uint32_t nodes) {
  ClusterJob job = options.job;
  Cluster cluster = options.cluster;
  job.unit_s = unit_s;
  cluster.nodes = nodes;
  Point point;
  point.nodes = nodes;
  point.unit_s = unit_s;
  point.units = cut_job(job, cluster.most_units);
  point.estimate = estimate_cluster(job, cluster);
  point.run = simulate_cluster(job, cluster);
  const auto pages = static_cast<double>(job.pages);
  point.pages_per_s_model = pages / point.estimate.seconds;
  point.pages_per_s = pages / point.run.seconds;
  point.efficiency = point.pages_per_s / ideal_pages_per_s(job, cluster);
  return point;
}

Record record_of(const Point& point) {
  return Record("cluster")
      .add("unit_s", point.unit_s)
      .add("nodes", point.nodes, Column{"nodes", 6})
      .add("units", point.units.count, Column{"units", 10})
      .add("pages_per_unit", point.units.pages, Column{"of pages", 10})
      .add("pages_per_s_model", point.pages_per_s_model, Column{"model, /s", 12, 1})
      .add("pages_per_s", point.pages_per_s, Column{"simulated, /s", 14, 1})
      .add("s_model", point.estimate.seconds)
      .add("s", point.run.seconds)
      .add("efficiency", point.efficiency)
      .show({"efficiency", 12}, fmt::format("{:.1f} %", 100 * point.efficiency))
      .add("tasks", point.run.tasks)
      .add("failures", point.run.failures, Column{"failures", 10})
      .add("limit", to_string(point.estimate.limit))
      .show({"  limit"}, "  " + std::string(to_string(point.estimate.limit)));
}

std::string cluster_plot(const ClusterOptions& options, const std::vector<Point>& points) {
  PlotPanel speed{"Speed", "Dashed: by formula.", {"nodes", true}, {"pages/s", true}};
  PlotPanel efficiency{
      "Efficiency", "Of slots that do nothing but work.", {"nodes", true}, {"efficiency, %"}};
  for (const Point& point : points) {
    const std::string name = fmt::format("units of {:g} s", point.unit_s);
    speed.add(name, point.nodes, point.pages_per_s);
    speed.add_dashed(name, name + ", by formula", point.nodes, point.pages_per_s_model);
    efficiency.add(name, point.nodes, 100 * point.efficiency);
  }
  return svg_plot("Where a cluster stops scaling",
                  fmt::format("{} pages of {:g} s, {:.1f} MiB each; {} slots a node",
                              options.job.pages,
                              options.job.page_s,
                              options.job.page_mib(),
                              options.cluster.slots),
                  {speed, efficiency});
}

int bench_cluster(ClusterOptions options, bool json) {
  options.job.input_mib = options.input_mib.value_or(options.page_pixels / kMib);
  options.job.plate_mib = options.plate_mib.value_or(options.page_pixels / 8 / kPlateRatio / kMib);
  options.cluster.most_units = options.max_array_size - 1;
  const ClusterJob& job = options.job;
  const Cluster& cluster = options.cluster;
  if (cluster.mtbf_hours > 0 && cluster.mtbf_hours * 3600 < kLeastPages * job.page_s) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--mtbf-hours: nodes that fail before {} pages are done get nowhere",
                            kLeastPages));
  }
  Results results(options.files.csv, json);
  results.print(
      "{} pages of {:g} s work in a slot, {:.1f} MiB in and {:.1f} MiB out; {} slots a node.\n"
      "Controller {:g} tasks/s, turnaround {:g} s, file system {:g} MiB/s, {:g} MiB/s a node, "
      "arrays of {}.\n",
      job.pages,
      job.page_s,
      job.input_mib,
      job.plate_mib,
      cluster.slots,
      cluster.tasks_per_s,
      cluster.turnaround_s,
      cluster.total_mib_per_s,
      cluster.node_mib_per_s,
      cluster.most_units);
  std::vector<Point> points;
  for (const double unit_s : options.unit_seconds) {
    results.print("\nunits of {:g} s\n", unit_s);
    results.begin_table();
    for (const uint32_t nodes : options.nodes) {
      stop_if_requested();
      points.push_back(play(options, unit_s, nodes));
      results.add(record_of(points.back()));
    }
  }
  if (!options.files.svg.empty()) write_text(options.files.svg, cluster_plot(options, points));
  return results.finish();
}

/// An option for a number.
struct Quantity {
  const char* name;
  double& variable;
  const char* help;
  double least, most;
};

void add_options(cli::Command& command, ClusterOptions& options) {
  ClusterJob& job = options.job;
  Cluster& cluster = options.cluster;
  const Quantity quantities[] = {
      {"--page-pixels", options.page_pixels, "Samples of a page, all inks together", 1e-6, 1e9},
      {"--page-seconds", job.page_s, "Work of a page in one slot", 1e-6, 1e9},
      {"--spread", job.spread, "Of that: standard deviation over mean", 0, 10},
      {"--tasks-per-s", cluster.tasks_per_s, "Started and ended by the controller", 1e-6, 1e9},
      {"--turnaround", cluster.turnaround_s, "Of a slot from task to task, s", 0, 1e6},
      {"--fs-mib-per-s", cluster.total_mib_per_s, "Of the shared file system", 1e-6, 1e9},
      {"--node-mib-per-s", cluster.node_mib_per_s, "Of that, to one node", 1e-6, 1e9},
      {"--slow-share", cluster.slow_share, "Of the nodes: those that are slow", 0, 1},
      {"--slow-factor", cluster.slow_factor, "Speed of slow nodes", 0.01, 1},
      {"--mtbf-hours", cluster.mtbf_hours, "Between failures of a node; 0: none", 0, 1e6},
      {"--requeue-seconds", cluster.requeue_s, "A task of a dead node waits", 0, 1e6}};
  command.option("--nodes", options.nodes, "Numbers of nodes")
      .by_comma()
      .range(1, 100'000)
      .shows_default();
  command.option("--pages", job.pages, "Of the job").range(1, 10'000'000).shows_default();
  command.option("--slots", cluster.slots, "Tasks at once on a node")
      .range(1, 1000)
      .shows_default();
  for (const auto& [name, variable, help, least, most] : quantities) {
    command.option(name, variable, help).range(least, most).shows_default();
  }
  command.option("--input-mib", options.input_mib, "Read for a page [a byte a sample]")
      .range(0, 1e6);
  command.option("--plate-mib", options.plate_mib, "Written for a page [a bit a sample, 5:1]")
      .range(0, 1e6);
  command.option("--unit-seconds", options.unit_seconds, "A unit is this long or longer")
      .by_comma()
      .range(1e-6, 1e9)
      .shows_default();
  command.option("--seed", job.seed, "Of the work of pages, and of failures").shows_default();
  command.option("--max-array-size", options.max_array_size, "As slurm.conf has it")
      .range(2, 4'000'001)
      .shows_default();
  add_file_options(command, options.files);
}

}  // namespace

void add_bench_cluster(cli::Command& bench, const cli::CommonOptions& common) {
  cli::Command& command = bench.command(
      "cluster", "Where a cluster stops scaling, by formula and simulation; measures nothing");
  auto options = std::make_shared<ClusterOptions>();
  add_options(command, *options);
  command.runs([options, &common] { return bench_cluster(*options, common.json); });
}

}  // namespace mezzo::bench
