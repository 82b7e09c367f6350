// The speed of a cluster, and its limits: by a formula (model.cpp), and by simulating every task of
// the job, event by event (simulation.cpp). Where the two disagree, one of them is wrong.
//
// Each slot of a node makes one unit of pages at a time. All nodes share:
//
//   controller    one server, one thing at a time: the start and the end of a task each take it
//                 half of 1 / tasks_per_s
//   file system   total_mib_per_s, in equal parts over the nodes that read or write at the moment,
//                 at most node_mib_per_s to one of them, in equal parts over its transfers
//   array         a submission has at most most_units tasks; more pages make longer ones
//
// A slot is lost for turnaround_s at each task. A page takes its work or its bytes, whichever lasts
// longer: bands are read and written while others are halftoned.
#pragma once

#include <cstdint>
#include <string_view>

namespace mezzo::bench {

struct ClusterJob {
  uint64_t pages = 1;
  double page_s = 1;     ///< work of one page in one slot; > 0
  double input_mib = 0;  ///< of a page
  double plate_mib = 0;  ///< of all plates of a page
  double unit_s = 10;    ///< a unit has pages for at least this, where the array has room
  double spread = 0;     ///< of the work of pages: standard deviation over mean, log-normal
  uint64_t seed = 1;     ///< of that, and of failures
  double page_mib() const { return input_mib + plate_mib; }
};

struct Cluster {
  uint32_t nodes = 1;
  uint32_t slots = 1;  ///< of a node
  double tasks_per_s = 50;
  double turnaround_s = 0.7;
  double total_mib_per_s = 1000;
  double node_mib_per_s = 1000;
  uint32_t most_units = 1000;
  double slow_share = 0;   ///< of the nodes; the first ones are the slow ones
  double slow_factor = 1;  ///< their speed; at most 1
  double mtbf_hours = 0;   ///< mean time of one node between failures; 0: they do not fail
  double notice_s = 30;    ///< until the controller takes a node for dead
  double requeue_s = 120;  ///< that its tasks then wait, pages that are done stay done
  double repair_s = 600;   ///< from its failure until a node works again

  uint64_t all_slots() const { return uint64_t{nodes} * slots; }
  uint32_t slow_nodes() const;
  double service_s() const { return 0.5 / tasks_per_s; }  ///< of the controller, a start or an end
};

/// The cut of the job: `pages` a unit, the last may have fewer.
struct ClusterUnits {
  uint64_t pages = 1;
  uint64_t count = 1;
  bool array_is_full = false;  ///< units are longer than asked, as there may be no more of them
};
ClusterUnits cut_job(const ClusterJob& job, uint32_t most_units);

enum class ClusterLimit {
  kSlots,  ///< none but the number of nodes: more of them make more pages
  kPages,  ///< too few units for the slots, as the job has no more pages
  kArray,  ///< likewise, as an array may have no more units
  kController,
  kFileSystem,
  kNodeLink,  ///< the file system's bandwidth for one node
};
std::string_view to_string(ClusterLimit limit);

struct ClusterEstimate {
  double seconds = 0;  ///< from the submission to the end of the last task
  ClusterLimit limit = ClusterLimit::kSlots;
};

/// By formula. Failures count only as the share of time that nodes are away.
ClusterEstimate estimate_cluster(const ClusterJob& job, const Cluster& cluster);

struct ClusterRun {
  double seconds = 0;
  uint64_t tasks = 0;     ///< that were started; more than there are units when nodes failed
  uint64_t failures = 0;  ///< of nodes, before the end
  uint64_t pages = 0;     ///< that were made; unfinished pages of a failed node do not count
};

/// By simulation. The same seed gives the same run.
ClusterRun simulate_cluster(const ClusterJob& job, const Cluster& cluster);

/// Pages a second of the slots of `nodes` nodes if only work took time.
double ideal_pages_per_s(const ClusterJob& job, const Cluster& cluster);

}  // namespace mezzo::bench
