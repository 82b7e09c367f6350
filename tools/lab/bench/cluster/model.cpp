#include "tools/lab/bench/cluster/model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace mezzo::bench {
namespace {

/// A cost below this part of the time is not a limit.
constexpr double kNoticeable = 0.1;

/// Work of a page in a slot of average speed, s.
double work_s(const ClusterJob& job, const Cluster& cluster) {
  const double slow = static_cast<double>(cluster.slow_nodes()) / cluster.nodes;
  double speed = 1 - slow + slow * cluster.slow_factor;
  if (cluster.mtbf_hours > 0) {
    const double up_s = cluster.mtbf_hours * 3600;
    speed *= up_s / (up_s + cluster.repair_s);
  }
  return job.page_s / speed;
}

/// Of so many normal deviates of mean 0 and variance 1, about.
double expected_maximum(double count) {
  if (count < 2) return 0;
  const double root = std::sqrt(2 * std::log(count));
  return std::max(0.5,
                  root - (std::log(root * root / 2) + std::log(4 * std::numbers::pi)) / (2 * root));
}

}  // namespace

uint32_t Cluster::slow_nodes() const {
  return static_cast<uint32_t>(std::lround(slow_share * nodes));
}

std::string_view to_string(ClusterLimit limit) {
  constexpr std::string_view kNames[] = {
      "slots", "pages of the job", "array size", "controller", "file system", "node's link"};
  return kNames[static_cast<size_t>(limit)];
}

ClusterUnits cut_job(const ClusterJob& job, uint32_t most_units) {
  const auto up = [](uint64_t a, uint64_t b) { return (a + b - 1) / b; };
  const double wanted = std::ceil(job.unit_s / job.page_s * (1 - 1e-9));
  const uint64_t asked = wanted < 1                                ? 1
                         : wanted > static_cast<double>(job.pages) ? job.pages
                                                                   : static_cast<uint64_t>(wanted);
  const uint64_t pages = std::max(asked, up(job.pages, most_units));
  return {pages, up(job.pages, pages), pages > asked};
}

ClusterEstimate estimate_cluster(const ClusterJob& job, const Cluster& cluster) {
  const ClusterUnits units = cut_job(job, cluster.most_units);
  const double slots = static_cast<double>(cluster.all_slots());
  const double count = static_cast<double>(units.count);
  const double busy = std::min(slots, count);
  const double service_s = cluster.service_s();
  const double unit_pages = static_cast<double>(units.pages);
  const double work_unit_s =
      unit_pages * work_s(job, cluster) + cluster.turnaround_s + 2 * service_s;
  // Bytes of some tasks at once. While some turn around others have more of the file system, so
  // this is not beside the turnaround but instead. Tasks are spread evenly over the nodes.
  const double unit_mib = unit_pages * job.page_mib();
  const auto link_s = [&](double tasks) {
    return unit_mib * std::ceil(tasks / cluster.nodes) / cluster.node_mib_per_s;
  };
  const auto file_system_s = [&](double tasks) {
    return unit_mib * tasks / cluster.total_mib_per_s;
  };
  const auto unit_s = [&](double tasks) {
    return std::max({work_unit_s, link_s(tasks), file_system_s(tasks)});
  };

  // Tasks in waves. The first wave starts one by one; later ones keep that order, and the last may
  // have fewer tasks. It is over when its slowest task is.
  const double waves = std::ceil(count / slots);
  const double last_wave = count - (waves - 1) * slots;
  const double deviation_s = job.spread * job.page_s * std::sqrt(unit_pages);
  const double slowest_s = work_unit_s + deviation_s * expected_maximum(last_wave);
  const double waves_s = (waves - 1) * unit_s(slots) + std::max(unit_s(last_wave), slowest_s) +
                         (last_wave - 1) * service_s;
  // The controller starts as many as there is room for and rests until the first of them ends. The
  // job is over when it has served everybody, and not before the task that it started last.
  const double rest_s = count > busy ? std::max(0.0, work_unit_s - (busy + 1) * service_s) : 0;
  const double last_start_s = (2 * count - busy) * service_s + rest_s;
  const double controller_s =
      std::max(2 * count * service_s + rest_s, last_start_s + work_unit_s - service_s);

  // The limit is the largest cost beside the work alone.
  ClusterEstimate estimate = {std::max(waves_s, controller_s)};
  const double idle_s = (waves - count / slots) * work_unit_s;
  const double bytes_s =
      (waves - 1) * (unit_s(slots) - work_unit_s) + std::max(0.0, unit_s(last_wave) - slowest_s);
  const double calls_s = controller_s - waves * work_unit_s;
  if (std::max({idle_s, bytes_s, calls_s}) < kNoticeable * estimate.seconds) return estimate;
  if (calls_s > std::max(idle_s, bytes_s)) {
    estimate.limit = ClusterLimit::kController;
  } else if (idle_s > bytes_s) {
    estimate.limit = units.array_is_full ? ClusterLimit::kArray : ClusterLimit::kPages;
  } else {
    const bool is_link = link_s(busy) > file_system_s(busy);
    estimate.limit = is_link ? ClusterLimit::kNodeLink : ClusterLimit::kFileSystem;
  }
  return estimate;
}

double ideal_pages_per_s(const ClusterJob& job, const Cluster& cluster) {
  return static_cast<double>(cluster.all_slots()) / job.page_s;
}

}  // namespace mezzo::bench
