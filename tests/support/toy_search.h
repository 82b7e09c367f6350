// A method that behaves as searches do, and is quick: it wants the whole plane or slabs of its own
// height, goes over them in rounds, and tells of each. Every bit depends on all of its band and on
// the context, so that other bands give other plates.
#pragma once

#include <time.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/band/tone.h"
#include "kernels/base/error.h"
#include "kernels/halftoner.h"
#include "kernels/halftoner_traits.h"
#include "kernels/registry.h"

namespace mezzo::test {

/// What the halftoners of all toys were asked for, since the last clear().
struct ToyLog {
  struct Run {
    uint32_t width_px, first_row, rows, rows_above, rows_below;
    bool operator==(const Run&) const = default;
  };

  void clear() {
    const std::lock_guard lock(mutex);
    runs.clear();
    rounds = 0;
  }
  void add(const SampleBand& in) {
    const std::lock_guard lock(mutex);
    runs.push_back({in.width_px, in.first_row, in.rows, in.rows_above, in.rows_below});
  }

  std::mutex mutex;
  std::vector<Run> runs;
  std::atomic<uint64_t> rounds{0};
};

inline ToyLog& toy_log() {
  static ToyLog log;
  return log;
}

/// Ink where a sample is darker than the mean of the band and its context; each round changes
/// nothing.
class ToySearch final : public Halftoner {
 public:
  static constexpr uint32_t kContextRows = 5;

  explicit ToySearch(const HalftoneSettings& settings) {
    const auto value = [&](const char* name) { return settings.parameters.at(name); };
    slab_rows_ = static_cast<uint32_t>(value("slab_rows"));
    rounds_ = static_cast<uint32_t>(value("rounds"));
    bytes_a_pixel_ = static_cast<uint64_t>(value("bytes"));
    budget_seconds_ = value("budget");
    pause_ = std::chrono::milliseconds(static_cast<int64_t>(value("pause")));
    effort_seconds_ = value("effort") / 1000;
  }

  HalftonerTraits traits() const override {
    HalftonerTraits traits;
    traits.context_rows = slab_rows_ == 0 ? 0 : kContextRows;
    traits.band_rows = slab_rows_ == 0 ? kWholePlane : slab_rows_;
    traits.by_the_clock = budget_seconds_ > 0;
    return traits;
  }
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override {
    return bytes_a_pixel_ * width_px * band_rows;
  }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override {
    return std::make_unique<HalftonerState>();
  }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team&) const override {
    toy_log().add(in);
    uint64_t sum = 0;
    const int64_t end = int64_t{in.rows} + in.rows_below;
    for (int64_t y = -int64_t{in.rows_above}; y < end; ++y) {
      for (uint32_t x = 0; x < in.width_px; ++x) sum += sample(in, curve, x, y);
    }
    const uint64_t pixels =
        uint64_t{in.width_px} * (uint64_t{in.rows_above} + in.rows + in.rows_below);
    for (uint32_t y = 0; y < in.rows; ++y) {
      std::fill_n(out.row(y), bit_row_bytes(out.width_px), uint8_t{0});
      for (uint32_t x = 0; x < in.width_px; ++x) {
        const uint64_t tone = sample(in, curve, x, y);
        const bool ink = tone == kSolid || (tone > 0 && tone * pixels > sum);
        if (ink) out.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
      }
    }
    search(in, *state);
  }

 private:
  static uint64_t sample(const SampleBand& in, const ToneCurve& curve, uint32_t x, int64_t y) {
    return curve[in.bytes_per_sample == 1 ? in.row8(y)[x] : in.row16(y)[x]];
  }

  /// Rounds as asked for; with a budget as many as there is time for.
  void search(const SampleBand& in, HalftonerState& state) const {
    const auto begin = std::chrono::steady_clock::now();
    for (uint32_t round = 1;; ++round) {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
      if (budget_seconds_ > 0 ? spent.count() > budget_seconds_ : round > rounds_) return;
      std::this_thread::sleep_for(pause_);
      make_effort();
      ++toy_log().rounds;
      if (state.on_round) state.on_round({in.first_row, round, 1, 7, 10.0 / round});
    }
  }

  /// Takes processor time, as a search does; a pause takes none.
  void make_effort() const {
    const auto seconds = [] {
      timespec time{};
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
      return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    };
    for (const double begin = seconds(); seconds() - begin < effort_seconds_;) {
    }
  }

  uint32_t slab_rows_, rounds_;
  uint64_t bytes_a_pixel_;
  double budget_seconds_, effort_seconds_;
  std::chrono::milliseconds pause_;
};

inline constexpr ParameterInfo kToyParameters[] = {
    {"slab_rows", "rows that are searched at a time; 0: all", 0, 100'000, 0, false, true},
    {"rounds", "of the search", 0, 100'000, 2, false, true},
    {"bytes", "of memory a pixel", 0, 1000, 4, false, true},
    {.name = "budget",
     .summary = "time for the search; 0: all rounds",
     .minimum = 0,
     .maximum = 3600,
     .default_value = 0,
     .unit = "s"},
    {.name = "pause",
     .summary = "of each round",
     .minimum = 0,
     .maximum = 60'000,
     .default_value = 0,
     .integer = true,
     .unit = "ms"},
    {.name = "effort",
     .summary = "processor time of each round",
     .minimum = 0,
     .maximum = 60'000,
     .default_value = 0,
     .integer = true,
     .unit = "ms"},
};

inline constexpr ScheduleInfo kToySchedules[] = {
    {"toy", "row by row", Engine::kCpu, false},
    {"toy-gpu", "the same", Engine::kGpu, false},
};

inline constexpr MethodInfo kToySearch = {
    .name = "toy-search",
    .summary = "ink where a sample is darker than the mean of its band",
    .parameters = kToyParameters,
    .schedules = kToySchedules,
    .make = [](const HalftoneSettings& settings,
               const ScheduleInfo& schedule,
               gpu::Context&) -> std::unique_ptr<Halftoner> {
      if (schedule.engine == Engine::kGpu) throw Error(ErrorKind::kDevice, "the toy has no GPU");
      return std::make_unique<ToySearch>(settings);
    },
    .check = [](const HalftoneSettings& settings) -> std::string {
      const double slab = settings.parameters.find("slab_rows")->second;
      if (slab > 0 && slab < ToySearch::kContextRows) return "'slab_rows' must be 0 or at least 5";
      return {};
    },
};

}  // namespace mezzo::test
