#include "pipeline/run/graph_executor.h"

#include <fmt/format.h>
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

#include "pipeline/run/arena_team.h"

namespace mezzo::run {
namespace {

namespace flow = tbb::flow;

/// The first exception of a page, which turns the remaining stages into passing-on.
class FirstError {
 public:
  bool is_set() const { return set_.load(std::memory_order_acquire); }

  /// Runs a node's body. No exception leaves it: TBB would cancel the graph and leave it in an
  /// unknown state.
  template <typename Body>
  void guard(const Body& body) noexcept {
    if (is_set()) return;
    try {
      body();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      set_.store(true, std::memory_order_release);
    }
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> set_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
};

/// Delays from a seed: each call sleeps, yields or goes on.
class Shuffle {
 public:
  explicit Shuffle(std::optional<uint64_t> seed)
      : on_(seed.has_value()), state_(seed.value_or(0)) {}

  void operator()() {
    if (!on_) return;
    // A Weyl sequence through the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
    uint64_t z = state_.fetch_add(0x9E3779B97F4A7C15) + 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    z ^= z >> 31;
    if (z % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds(z / 4 % 500));
    if (z % 4 == 1) std::this_thread::yield();
  }

 private:
  bool on_;
  std::atomic<uint64_t> state_;
};

/// A band's samples, and the right to exist: both go back when the last message that needs them is
/// gone.
struct BandToken {
  BandToken() = default;
  BandToken(const BandToken&) = delete;
  BandToken& operator=(const BandToken&) = delete;
  ~BandToken() { give_back(band); }

  ContoneBand band;
  std::function<void(ContoneBand&)> give_back;
};
using BandMessage = std::shared_ptr<const BandToken>;

/// A plane's rows of a band, or why there are none. Shared, as messages of a graph are copied.
struct HalftonedMessage {
  std::shared_ptr<BitRows> bits;
  std::exception_ptr error;
  BandMessage band;
};

/// A strip holds the token of the band that completed it until it is written, so that bands cannot
/// run ahead of the writer.
struct StripMessage {
  std::shared_ptr<Strip> strip;
  BandMessage band;
};

/// Buffers of bands that are not in flight, for those to come.
class BandBuffers {
 public:
  ContoneBand take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    ContoneBand band = std::move(spare_.back());
    spare_.pop_back();
    return band;
  }

  void give_back(ContoneBand band) {
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(band));
  }

 private:
  std::mutex mutex_;
  std::vector<ContoneBand> spare_;
};

/// The graph of one page.
///
/// Order. A serial node of TBB takes its input one at a time, but may begin the next before it has
/// passed on the last, and a limiter may let two messages overtake each other. So bands get their
/// number inside the serial reader, and both it and the splitting nodes pass on from inside their
/// bodies; strips, which are encoded in any order, go through a sequencer.
///
/// Halftoning. A node has one plane, or all inks that are halftoned together. A GPU goes on with a band while the thread that began it turns to other work, so the
/// node is asynchronous: the bits come back through its gateway, in order, to be split.
class PageGraph {
 public:
  PageGraph(PageRun& page,
            Team& team,
            const std::function<void(uint64_t)>& on_band,
            std::optional<uint64_t> shuffle_seed)
      : page_(page),
        team_(team),
        on_band_(on_band),
        shuffle_(shuffle_seed),
        source_(graph_, [this](tbb::flow_control& control) { return next_token(control); }),
        tokens_(graph_, page.bands_in_flight()),
        read_(graph_,
              flow::serial,
              [this](const flow::continue_msg&, auto& ports) { read(std::get<0>(ports)); }),
        encode_(graph_, flow::unlimited, [this](const StripMessage& strip) { encode(strip); }) {
    flow::make_edge(source_, tokens_);
    flow::make_edge(tokens_, read_);
    for (uint32_t plane = 0; plane < page.plane_count(); ++plane) {
      planes_.push_back(std::make_unique<PlaneNodes>(*this, plane));
    }
    for (uint32_t group = 0; group < page.groups().size(); ++group) {
      halftones_.push_back(std::make_unique<HalftoneNode>(
          graph_, flow::serial, [this, group](const BandMessage& band, auto& gateway) {
            halftone(group, band, gateway);
          }));
      flow::make_edge(flow::output_port<0>(read_), *halftones_.back());
      for (const uint32_t plane : page.groups()[group].planes) {
        flow::make_edge(*halftones_.back(), planes_[plane]->split);
      }
    }
  }

  void run() {
    source_.activate();
    graph_.wait_for_all();
    // After an error, strips may be stuck in a sequencer: their tokens must not wake the graph when
    // it is taken down.
    closed_ = true;
    error_.rethrow();
  }

 private:
  using ReadNode = flow::multifunction_node<flow::continue_msg, std::tuple<BandMessage>>;
  using HalftoneNode = flow::async_node<BandMessage, HalftonedMessage>;

  struct PlaneNodes {
    PlaneNodes(PageGraph& all, uint32_t plane)
        : split(all.graph_,
                flow::serial,
                [&all, plane](const HalftonedMessage& halftoned, auto& ports) {
                  // Inks that are halftoned together share a node, whose messages come to all.
                  if (halftoned.bits->plane == plane) all.split(halftoned, std::get<0>(ports));
                }),
          order(all.graph_, [](const StripMessage& strip) { return size_t{strip.strip->index}; }),
          write(all.graph_, flow::serial, [&all](const StripMessage& strip) { all.write(strip); }) {
      flow::make_edge(flow::output_port<0>(split), all.encode_);
      flow::make_edge(order, write);
    }

    flow::multifunction_node<HalftonedMessage, std::tuple<StripMessage>> split;
    flow::sequencer_node<StripMessage> order;
    flow::function_node<StripMessage> write;
  };

  /// Runs a node's body; after the first that fails, the page's searches need not go on.
  template <typename Body>
  void guard(const Body& body) noexcept {
    error_.guard(body);
    if (error_.is_set()) page_.give_up();
  }

  flow::continue_msg next_token(tbb::flow_control& control) {
    if (tokens_made_ == page_.band_count() || error_.is_set()) {
      control.stop();
    } else {
      ++tokens_made_;
    }
    return {};
  }

  template <typename Port>
  void read(Port& port) {
    shuffle_();
    guard([&] {
      auto token = std::make_shared<BandToken>();
      token->give_back = [this](ContoneBand& band) { give_back(band); };
      token->band = buffers_.take();
      page_.read_band(next_band_++, token->band, team_);
      port.try_put(token);
    });
  }

  template <typename Gateway>
  void halftone(uint32_t group, const BandMessage& message, Gateway& gateway) {
    shuffle_();
    guard([&] {
      gateway.reserve_wait();  // the graph does not come to rest before the answer
      const auto pass_on = [&gateway, message = message](std::vector<BitRows> planes,
                                                         const std::exception_ptr& error) mutable {
        for (BitRows& bits : planes) {
          gateway.try_put({std::make_shared<BitRows>(std::move(bits)), error, message});
        }
        message.reset();  // nothing of it may be left here when the graph is free to go
        gateway.release_wait();
      };
      try {
        page_.halftone(group, message->band, team_, pass_on);
      } catch (...) {
        gateway.release_wait();
        throw;
      }
    });
  }

  template <typename Port>
  void split(const HalftonedMessage& message, Port& port) {
    shuffle_();
    guard([&] {
      if (message.error) std::rethrow_exception(message.error);
      const uint64_t pixels = uint64_t{message.bits->rows.width_px} * message.bits->rows.rows;
      page_.split_into_strips(
          message.band->band, std::move(*message.bits), [&](std::unique_ptr<Strip> strip) {
            port.try_put({std::move(strip), message.band});
          });
      on_band_(pixels);
    });
  }

  void encode(const StripMessage& message) {
    shuffle_();
    guard([&] { page_.encode(*message.strip); });
    planes_[message.strip->plane]->order.try_put(message);
  }

  void write(const StripMessage& message) {
    shuffle_();
    guard([&] { page_.write_strip(*message.strip); });
  }

  void give_back(ContoneBand& band) {
    if (closed_) return;
    buffers_.give_back(std::move(band));
    tokens_.decrementer().try_put(flow::continue_msg());
  }

  PageRun& page_;
  Team& team_;
  const std::function<void(uint64_t)>& on_band_;
  Shuffle shuffle_;
  FirstError error_;
  uint32_t tokens_made_ = 0;
  uint32_t next_band_ = 0;
  BandBuffers buffers_;
  bool closed_ = false;  ///< the graph has come to rest

  flow::graph graph_;
  flow::input_node<flow::continue_msg> source_;
  flow::limiter_node<flow::continue_msg> tokens_;
  ReadNode read_;
  flow::function_node<StripMessage> encode_;
  std::vector<std::unique_ptr<PlaneNodes>> planes_;
  std::vector<std::unique_ptr<HalftoneNode>> halftones_;
};

}  // namespace

namespace {

/// Starts the threads that TBB would start once there is work, some of them from one another: one
/// that cannot be had would end the process then, in the middle of a plate. Throws
/// Error(kOutOfMemory).
void start_workers(uint32_t workers) {
  struct Start {
    std::promise<void> all_are_there;
    std::shared_future<void> signal = all_are_there.get_future().share();
    std::vector<std::unique_ptr<tbb::task_arena>> arenas;  // each with a place for one worker
  };
  auto start = std::make_unique<Start>();
  for (uint32_t i = 0; i < workers; ++i) {
    try {
      start->arenas.push_back(std::make_unique<tbb::task_arena>(2, 1));
      start->arenas.back()->enqueue([signal = start->signal] { signal.wait(); });
    } catch (const std::runtime_error&) {
      (void)start.release();  // TBB is in the middle of a start, and must not be called again
      throw Error(ErrorKind::kOutOfMemory,
                  fmt::format("only {} of {} threads can be had", i + 1, workers + 1),
                  "lower limits.threads or --threads, or raise the limit of processes (ulimit -u, "
                  "TasksMax of a service, pids.max of a container)");
    }
  }
  start->all_are_there.set_value();
}

}  // namespace

struct GraphExecutor::Arena {
  explicit Arena(uint32_t threads)
      : parallelism(tbb::global_control::max_allowed_parallelism,
                    static_cast<size_t>(std::max<int>(static_cast<int>(threads),
                                                      tbb::this_task_arena::max_concurrency()))),
        arena(static_cast<int>(threads)),
        team(arena),
        team_of_drivers(*this) {
    arena.initialize();  // before several threads ask for its size
    start_workers(threads - 1);
  }

  /// Held by a thread from outside while its work keeps processors busy: TBB gives an arena of one
  /// thread a second one for work from outside.
  std::unique_lock<std::mutex> enter() {
    return arena.max_concurrency() == 1 ? std::unique_lock(one_at_a_time)
                                        : std::unique_lock<std::mutex>();
  }

  /// The team of those that are not in the arena.
  struct TeamOfDrivers final : Team {
    explicit TeamOfDrivers(Arena& all) : arena(all) {}
    uint32_t size() const override { return arena.team.size(); }
    void run(const std::function<void()>& member) override {
      const auto place = arena.enter();
      arena.team.run(member);
    }
    Arena& arena;
  };

  tbb::global_control parallelism;  // more threads than processors, where they are asked for
  tbb::task_arena arena;
  ArenaTeam team;
  TeamOfDrivers team_of_drivers;
  std::mutex one_at_a_time;
};

GraphExecutor::GraphExecutor(const Options& options)
    : options_(options), arena_(std::make_unique<Arena>(std::max(options.threads, 1U))) {}

GraphExecutor::~GraphExecutor() = default;

Team& GraphExecutor::team() {
  return arena_->team_of_drivers;
}

void GraphExecutor::run(PageRun& page, const std::function<void(uint64_t)>& on_band) {
  // A page that waits for a GPU leaves its thread to others.
  const auto place = page.is_on_cpu() ? arena_->enter() : std::unique_lock<std::mutex>();
  arena_->arena.execute([&] {
    PageGraph graph(page, arena_->team, on_band, options_.shuffle_seed);
    graph.run();
  });
}

}  // namespace mezzo::run
