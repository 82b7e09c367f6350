// The cluster of cluster_model.h, played through event by event.

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <queue>
#include <random>

#include "tools/lab/bench/cluster/model.h"
#include "tools/lab/bench/cluster/shared_bandwidth.h"

namespace mezzo::bench {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Of (0, 1); the same in every library.
double uniform(std::mt19937_64& random) {
  return (static_cast<double>(random() >> 11) + 0.5) * 0x1p-53;
}

double exponential(double mean, std::mt19937_64& random) {
  return -mean * std::log(uniform(random));
}

/// Mean 1, log-normal.
double work_factor(double spread, std::mt19937_64& random) {
  const double variance = std::log1p(spread * spread);
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  const double normal = radius * std::cos(2 * std::numbers::pi * uniform(random));
  return std::exp(std::sqrt(variance) * normal - variance / 2);
}

class Simulation {
 public:
  Simulation(const ClusterJob& job, const Cluster& cluster);
  ClusterRun run();

 private:
  enum class What { kServed, kStarted, kWorked, kNodeFails, kNodeIsBack, kUnitIsBack };

  struct Event {
    double time;
    uint64_t number;  ///< in the order of entry, so that equal times have an order
    What what;
    uint32_t subject;  ///< slot, node or unit
    uint64_t task;     ///< of a slot: what it is about; it may have gone with its node
    bool operator>(const Event& other) const {
      return std::pair(time, number) > std::pair(other.time, other.number);
    }
  };
  struct Slot {
    bool is_free = true;  ///< false, too, while its node is away
    uint32_t unit = 0;
    uint64_t task = 0;  ///< number of the task in it; 0: none
    bool works = false, transfers = false;
  };
  struct Unit {
    uint64_t next_page = 0, end_page = 0;
  };
  struct Call {  ///< for the controller
    bool is_start;
    uint32_t slot;
    uint64_t task;
  };

  void enter(double delay, What what, uint32_t subject, uint64_t task = 0);
  void handle(const Event& event);
  void start_what_can();
  void call(const Call& call);
  void serve_next();
  void served();
  void begin_page(uint32_t slot);
  void end_page_if_over(uint32_t slot);
  void fail_node(uint32_t node);
  void bring_back(uint32_t node);

  uint32_t node_of(uint32_t slot) const { return slot / cluster_.slots; }
  double speed(uint32_t node) const {
    return node < cluster_.slow_nodes() ? cluster_.slow_factor : 1;
  }

  const ClusterJob job_;
  const Cluster cluster_;
  std::mt19937_64 random_;  ///< of failures
  std::vector<double> work_s_;
  SharedBandwidth file_system_;
  double now_ = 0;
  uint64_t events_ = 0;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  std::vector<Slot> slots_;
  std::deque<uint32_t> free_slots_;  ///< those of a node that has failed are skipped
  std::vector<Unit> units_;
  std::deque<uint32_t> waiting_;  ///< units
  std::deque<Call> calls_;        ///< the first is being served
  uint64_t units_left_ = 0;
  ClusterRun run_;
};

Simulation::Simulation(const ClusterJob& job, const Cluster& cluster)
    : job_(job),
      cluster_(cluster),
      random_(job.seed),
      file_system_(cluster.nodes, cluster.total_mib_per_s, cluster.node_mib_per_s),
      slots_(cluster.all_slots()) {
  // Pages have a generator of their own, so that they are the same on any cluster.
  std::mt19937_64 random(job.seed);
  work_s_.reserve(job.pages);
  for (uint64_t i = 0; i < job.pages; ++i) {
    work_s_.push_back(job.page_s * work_factor(job.spread, random));
  }
  const ClusterUnits cut = cut_job(job, cluster.most_units);
  for (uint64_t i = 0; i < cut.count; ++i) {
    units_.push_back({i * cut.pages, std::min((i + 1) * cut.pages, job.pages)});
    waiting_.push_back(static_cast<uint32_t>(i));
  }
  units_left_ = cut.count;
  // A slot of each node, then the next of each: the least loaded node gets a task.
  for (uint32_t slot = 0; slot < cluster.slots; ++slot) {
    for (uint32_t node = 0; node < cluster.nodes; ++node) {
      free_slots_.push_back(node * cluster.slots + slot);
    }
  }
  if (cluster.mtbf_hours <= 0) return;
  for (uint32_t node = 0; node < cluster.nodes; ++node) {
    enter(exponential(cluster.mtbf_hours * 3600, random_), What::kNodeFails, node);
  }
}

void Simulation::enter(double delay, What what, uint32_t subject, uint64_t task) {
  queue_.push({now_ + delay, ++events_, what, subject, task});
}

ClusterRun Simulation::run() {
  start_what_can();
  while (units_left_ > 0) {
    const double event_s = queue_.empty() ? kNever : queue_.top().time;
    if (file_system_.end_s() <= event_s) {
      now_ = file_system_.end_s();
      const uint32_t slot = file_system_.end_next();
      slots_[slot].transfers = false;
      end_page_if_over(slot);
    } else {
      const Event event = queue_.top();
      queue_.pop();
      now_ = event.time;
      handle(event);
    }
  }
  run_.seconds = now_;
  return run_;
}

void Simulation::handle(const Event& event) {
  switch (event.what) {
    case What::kServed:
      return served();
    case What::kStarted:
      if (slots_[event.subject].task == event.task) begin_page(event.subject);
      return;
    case What::kWorked:
      if (slots_[event.subject].task != event.task) return;
      slots_[event.subject].works = false;
      return end_page_if_over(event.subject);
    case What::kNodeFails:
      return fail_node(event.subject);
    case What::kNodeIsBack:
      return bring_back(event.subject);
    case What::kUnitIsBack:
      waiting_.push_back(event.subject);
      return start_what_can();
  }
}

void Simulation::start_what_can() {
  while (!waiting_.empty() && !free_slots_.empty()) {
    const uint32_t slot = free_slots_.front();
    free_slots_.pop_front();
    if (!slots_[slot].is_free) continue;
    slots_[slot] = {false, waiting_.front(), ++run_.tasks};
    waiting_.pop_front();
    call({true, slot, slots_[slot].task});
  }
}

void Simulation::call(const Call& call) {
  calls_.push_back(call);
  if (calls_.size() == 1) serve_next();
}

void Simulation::serve_next() {
  enter(cluster_.service_s(), What::kServed, 0);
}

void Simulation::served() {
  const Call call = calls_.front();
  calls_.pop_front();
  if (!calls_.empty()) serve_next();
  if (slots_[call.slot].task != call.task) return;
  if (call.is_start) return enter(cluster_.turnaround_s, What::kStarted, call.slot, call.task);
  --units_left_;
  slots_[call.slot] = {};
  free_slots_.push_back(call.slot);
  start_what_can();
}

void Simulation::begin_page(uint32_t number) {
  Slot& slot = slots_[number];
  const Unit& unit = units_[slot.unit];
  if (unit.next_page == unit.end_page) return call({false, number, slot.task});
  slot.works = true;
  enter(work_s_[unit.next_page] / speed(node_of(number)), What::kWorked, number, slot.task);
  if (job_.page_mib() <= 0) return;
  slot.transfers = true;
  file_system_.begin(now_, node_of(number), number, job_.page_mib());
}

void Simulation::end_page_if_over(uint32_t number) {
  Slot& slot = slots_[number];
  if (slot.works || slot.transfers) return;
  ++units_[slot.unit].next_page;
  ++run_.pages;
  begin_page(number);
}

void Simulation::fail_node(uint32_t node) {
  ++run_.failures;
  file_system_.drop(now_, node);
  for (uint32_t i = 0; i < cluster_.slots; ++i) {
    const uint32_t slot = node * cluster_.slots + i;
    if (slots_[slot].task != 0) {
      enter(cluster_.notice_s + cluster_.requeue_s, What::kUnitIsBack, slots_[slot].unit);
    }
    slots_[slot] = {.is_free = false};
  }
  enter(cluster_.repair_s, What::kNodeIsBack, node);
}

void Simulation::bring_back(uint32_t node) {
  for (uint32_t i = 0; i < cluster_.slots; ++i) {
    const uint32_t slot = node * cluster_.slots + i;
    slots_[slot] = {};
    free_slots_.push_back(slot);
  }
  enter(exponential(cluster_.mtbf_hours * 3600, random_), What::kNodeFails, node);
  start_what_can();
}

}  // namespace

ClusterRun simulate_cluster(const ClusterJob& job, const Cluster& cluster) {
  return Simulation(job, cluster).run();
}

}  // namespace mezzo::bench
