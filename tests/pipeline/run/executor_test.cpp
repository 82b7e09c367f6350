// Every executor, thread count, schedule and band height gives the same plates; and what a stage
// throws ends its page and nothing else.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>

#include "kernels/halftoner.h"
#include "pipeline/run/graph_executor.h"
#include "tests/support/memory_page.h"

namespace mezzo::test::executor_test {
namespace {

using test::MemoryPage;
using test::MemoryReader;
using test::Outcome;

/// A page of noise with `inks` planes.
struct NoisePage : MemoryPage {
  NoisePage(uint32_t width, uint32_t height, uint32_t inks, uint32_t bytes_per_sample = 1)
      : MemoryPage(describe(width, height, inks, bytes_per_sample),
                   noise(size_t{width} * height * bytes_per_sample, inks)) {}

 private:
  static PageInfo describe(uint32_t width, uint32_t height, uint32_t inks, uint32_t bytes) {
    PageInfo info;
    info.width_px = width;
    info.height_px = height;
    for (uint32_t i = 0; i < inks; ++i) info.inks.push_back("ink" + std::to_string(i));
    info.bytes_per_sample = bytes;
    info.max_sample = bytes == 1 ? 255 : 65535;
    return info;
  }

  static std::vector<MemoryReader::Plane> noise(size_t bytes, uint32_t inks) {
    std::mt19937_64 random(bytes + inks);
    std::vector<MemoryReader::Plane> planes(inks, MemoryReader::Plane(bytes));
    for (auto& plane : planes) {
      for (std::byte& byte : plane) byte = static_cast<std::byte>(random() & 0xFF);
    }
    return planes;
  }
};

TEST(Executors, AgreeWhateverTheThreadsAndBands) {
  for (const uint32_t inks : {1U, 4U}) {
    NoisePage page(301, 407, inks, inks == 4 ? 2 : 1);
    run::SimpleExecutor simple;
    const Outcome expected = page.run(simple, 407);
    EXPECT_EQ(expected.pixels, 301ULL * 407 * inks);
    for (const uint32_t band_rows : {1U, 7U, 24U, 100U, 407U}) {
      EXPECT_EQ(page.run(simple, band_rows), expected) << band_rows;
      for (uint32_t threads = 1; threads <= 8; ++threads) {
        run::GraphExecutor graph({threads, std::nullopt});
        EXPECT_EQ(page.run(graph, band_rows), expected) << threads << " threads, " << band_rows;
      }
    }
  }
}

/// The most threads that were in it at once.
class Crowd {
 public:
  void visit() {
    const uint32_t now = ++inside_;
    for (uint32_t before = most_; before < now && !most_.compare_exchange_weak(before, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    --inside_;
  }
  uint32_t most() const { return most_; }

 private:
  std::atomic<uint32_t> inside_ = 0, most_ = 0;
};

/// All paper; each band takes its time.
class Paper final : public Halftoner {
 public:
  explicit Paper(Crowd& crowd) : crowd_(crowd) {}
  HalftonerTraits traits() const override { return {}; }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override { return nullptr; }
  void run(const SampleBand&,
           const ToneCurve&,
           const BitBand& out,
           HalftonerState*,
           Team&) const override {
    std::fill_n(out.row(0), bit_row_bytes(out.width_px) * out.rows, uint8_t{0});
    crowd_.visit();
  }

 private:
  Crowd& crowd_;
};

TEST(Executors, WorkWithNoMoreThreadsThanTheyHave) {
  for (const uint32_t threads : {1U, 2U, 3U}) {
    run::GraphExecutor graph({threads, std::nullopt});
    Crowd crowd;
    const Paper paper(crowd);
    {
      std::vector<std::jthread> drivers;  // as sheets have
      for (int i = 0; i < 4; ++i) {
        drivers.emplace_back([&] {
          NoisePage page(100, 40, 2);
          page.run(graph, paper, 4);
          for (int round = 0; round < 5; ++round) graph.team().run([&] { crowd.visit(); });
        });
      }
    }
    EXPECT_LE(crowd.most(), threads);
  }
}

/// Ink where the mean of the samples from `reach` rows above to as many below is dark.
class ColumnMean final : public Halftoner {
 public:
  explicit ColumnMean(uint32_t reach) : reach_(reach) {}

  HalftonerTraits traits() const override {
    return {.context_rows = static_cast<uint32_t>(reach_)};
  }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override { return nullptr; }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState*,
           Team&) const override {
    for (int64_t y = 0; y < in.rows; ++y) {
      uint8_t* bits = out.row(static_cast<uint32_t>(y));
      std::fill_n(bits, bit_row_bytes(out.width_px), uint8_t{0});
      const int64_t first = std::max(y - reach_, -int64_t{in.rows_above});
      const int64_t last = std::min(y + reach_, int64_t{in.rows} + in.rows_below - 1);
      for (uint32_t x = 0; x < in.width_px; ++x) {
        int64_t sum = 0;
        for (int64_t i = first; i <= last; ++i) sum += curve[in.row8(i)[x]];
        if (2 * sum >= kSolid * (last - first + 1)) bits[x / 8] |= uint8_t(0x80 >> x % 8);
      }
    }
  }

 private:
  int64_t reach_;
};

TEST(Executors, ShowEveryBandTheRowsAroundIt) {
  NoisePage page(67, 203, 2);
  run::SimpleExecutor simple;
  run::GraphExecutor graph({4, 1});
  for (const uint32_t reach : {1U, 5U, 40U}) {
    const ColumnMean halftoner(reach);
    page.reader.quantum = 1;
    const Outcome expected = page.run(simple, halftoner, 203);
    for (const uint32_t quantum : {1U, 16U, 300U}) {
      page.reader.quantum = quantum;
      for (const uint32_t band_rows : {1U, 3U, 16U, 77U, 202U, 203U}) {
        EXPECT_EQ(page.run(simple, halftoner, band_rows), expected) << reach << " " << band_rows;
        EXPECT_EQ(page.run(graph, halftoner, band_rows), expected) << reach << " " << band_rows;
      }
    }
  }
}

TEST(Executors, AgreeUnderShuffledSchedules) {
  NoisePage page(200, 300, 3);
  run::SimpleExecutor simple;
  const Outcome expected = page.run(simple, 300);
  for (uint64_t seed = 0; seed < 12; ++seed) {
    run::GraphExecutor graph({4, seed});
    EXPECT_EQ(page.run(graph, 16, 2 + static_cast<uint32_t>(seed % 4)), expected)
        << "seed " << seed;
  }
}

/// Ink where the inks up to this one are dark an odd number of times since the page began, on another
/// thread; optionally fails below a row.
class ToyInks final : public together::InksHalftoner {
 public:
  explicit ToyInks(uint32_t fail_at_row = UINT32_MAX) : fail_at_row_(fail_at_row) {}

  HalftonerTraits traits() const override { return {.on_device = true}; }

  std::unique_ptr<HalftonerState> make_state(uint32_t width_px, uint32_t inks) const override {
    EXPECT_EQ(inks, 3U);
    auto state = std::make_unique<State>();
    state->odd.resize(width_px);
    return state;
  }

  void run(const together::InksBand& band, HalftonerState* state, Team&) const override {
    std::vector<uint8_t>& odd = dynamic_cast<State&>(*state).odd;
    const SampleBand& first = band.in.front();
    if (first.first_row + first.rows > fail_at_row_) throw Error(ErrorKind::kDevice, "broken");
    for (const BitBand& out : band.out) {
      std::fill_n(out.row(0), bit_row_bytes(out.width_px) * out.rows, uint8_t{0});
    }
    for (uint32_t y = 0; y < first.rows; ++y) {
      for (uint32_t x = 0; x < first.width_px; ++x) {
        for (size_t i = 0; i < band.in.size(); ++i) {
          if ((*band.curves[i])[band.in[i].row8(y)[x]] > kSolid / 2) odd[x] ^= uint8_t{1};
          if (odd[x] != 0) band.out[i].row(y)[x / 8] |= uint8_t(0x80 >> x % 8);
        }
      }
    }
  }

  void start(const together::InksBand& band,
             HalftonerState* state,
             Team&,
             Halftoner::Done done) const override {
    const std::jthread other([&] {
      SoloTeam solo;
      InksHalftoner::start(band, state, solo, std::move(done));
    });
  }

 private:
  struct State final : HalftonerState {
    std::vector<uint8_t> odd;
  };
  uint32_t fail_at_row_;
};

Outcome run_together(NoisePage& page,
                     run::Executor& executor,
                     uint32_t band_rows,
                     std::vector<uint32_t> inks,
                     uint32_t fail_at_row = UINT32_MAX) {
  std::vector<run::PlaneGroup> together(1);
  together.front().planes = std::move(inks);
  together.front().inks = std::make_shared<ToyInks>(fail_at_row);
  return page.run(
      executor, *make_halftoner(complete({})).halftoner, band_rows, 3, std::move(together));
}

TEST(Executors, HalftoneInksTogetherInTheirOrder) {
  NoisePage page(131, 203, 5);
  run::SimpleExecutor simple;
  const Outcome alone = page.run(simple, 203);
  const Outcome expected = run_together(page, simple, 203, {3, 0, 2});
  EXPECT_NE(run_together(page, simple, 203, {0, 3, 2}), expected) << "the order of inks counts";
  for (const size_t plane : {1, 4}) EXPECT_EQ(expected.plates[plane], alone.plates[plane]);
  for (const size_t plane : {0, 2, 3}) EXPECT_NE(expected.plates[plane], alone.plates[plane]);
  for (uint64_t seed = 0; seed < 8; ++seed) {
    run::GraphExecutor graph({4, seed});
    for (const uint32_t band_rows : {7U, 24U, 203U}) {
      EXPECT_EQ(run_together(page, graph, band_rows, {3, 0, 2}), expected) << seed;
    }
  }
  run::GraphExecutor graph({3, std::nullopt});
  EXPECT_THROW(run_together(page, simple, 16, {3, 0, 2}, 100), Error);
  EXPECT_THROW(run_together(page, graph, 16, {3, 0, 2}, 100), Error);
}

TEST(Executors, PassOnWhatAStageThrows) {
  for (uint32_t row = 0; row < 300; row += 37) {
    NoisePage page(100, 300, 2);
    page.reader.fail_at_row = row;
    run::SimpleExecutor simple;
    run::GraphExecutor graph({3, row});
    EXPECT_THROW(page.run(simple, 16), Error);
    EXPECT_THROW(page.run(graph, 16, 3), Error) << "the reader fails at row " << row;
  }
  for (uint32_t strip = 0; strip < 13; ++strip) {
    NoisePage page(100, 300, 2);
    page.fail_at_strip = strip;
    run::GraphExecutor graph({3, strip});
    try {
      page.run(graph, 16, 3);
      ADD_FAILURE() << "strip " << strip << " was written";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kDiskFull);
      EXPECT_STREQ(error.what(), "no space");
    }
  }
}

/// Slabs of 30 rows. The first is done at once. The search of any other goes on until it is told to end.
class EndlessSearch final : public Halftoner {
 public:
  HalftonerTraits traits() const override {
    HalftonerTraits traits;
    traits.context_rows = 5;
    traits.band_rows = 30;
    return traits;
  }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override {
    return std::make_unique<HalftonerState>();
  }
  void run(const SampleBand& in,
           const ToneCurve&,
           const BitBand& out,
           HalftonerState* state,
           Team&) const override {
    std::fill_n(out.row(0), bit_row_bytes(out.width_px) * out.rows, uint8_t{0});
    for (uint32_t round = 1; in.first_row > 0; ++round) {
      ++rounds;
      state->on_round({in.first_row, round, 1, 7, 1});
      std::this_thread::yield();
    }
  }

  mutable std::atomic<uint64_t> rounds = 0;
};

TEST(Executors, EndTheSearchesOfAPageThatHasFailed) {
  const EndlessSearch search;
  run::GraphExecutor graph({4, std::nullopt});
  while (search.rounds == 0) {  // until a page failed while its second slab was searched
    NoisePage page(100, 60, 2);
    page.fail_at_strip = 0;  // a part of the first slab
    EXPECT_THROW(page.run(graph, search, 30), Error);
  }
}

TEST(Executors, RunSeveralPagesInOneArena) {
  run::GraphExecutor graph({3, 5});
  std::vector<std::unique_ptr<NoisePage>> pages;
  std::vector<Outcome> expected(6), found(6);
  run::SimpleExecutor simple;
  for (uint32_t i = 0; i < 6; ++i) {
    pages.push_back(std::make_unique<NoisePage>(100 + i, 200, 1 + i % 3));
    expected[i] = pages[i]->run(simple, 200);
  }
  {
    std::vector<std::jthread> threads;
    for (uint32_t i = 0; i < 6; ++i) {
      threads.emplace_back([&, i] { found[i] = pages[i]->run(graph, 20); });
    }
  }
  for (uint32_t i = 0; i < 6; ++i) EXPECT_EQ(found[i], expected[i]) << "page " << i;
}

/// A halftoner that is never run.
class Wants final : public Halftoner {
 public:
  explicit Wants(HalftonerTraits traits, uint64_t bytes_a_pixel = 0)
      : traits_(traits), bytes_a_pixel_(bytes_a_pixel) {}
  HalftonerTraits traits() const override { return traits_; }
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override {
    return bytes_a_pixel_ * width_px * band_rows;
  }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override { return nullptr; }
  void run(
      const SampleBand&, const ToneCurve&, const BitBand&, HalftonerState*, Team&) const override {}

 private:
  HalftonerTraits traits_;
  uint64_t bytes_a_pixel_;
};

TEST(PlanBands, StayWithinTheBudget) {
  PageInfo info;
  info.width_px = 60'000;
  info.height_px = 60'000;
  info.inks = {"black"};
  uint64_t last = UINT64_MAX;
  for (const uint64_t budget : {1ULL << 30, 256ULL << 20, 64ULL << 20, 16ULL << 20, 4ULL << 20}) {
    const auto plan = plan::plan_bands(info, {1}, Wants({.row_multiple = 32}), 2, budget);
    ASSERT_TRUE(plan) << budget;
    EXPECT_LE(plan->memory_bytes, budget);
    EXPECT_LE(plan->memory_bytes, last);
    EXPECT_GE(plan->in_flight, 2U);
    EXPECT_GE(plan->rows, 1U);
    last = plan->memory_bytes;
  }
  EXPECT_FALSE(plan::plan_bands(info, {1}, Wants({.row_multiple = 32}), 2, 100'000));
  EXPECT_FALSE(plan::plan_bands(info, {4096}, Wants({.row_multiple = 32}), 2, 100 << 20))
      << "the reader cannot do with less";
}

TEST(PlanBands, AreWholeStripsAndGroups) {
  PageInfo info;
  info.width_px = 8192;
  info.height_px = 8192;
  info.inks = {"black"};
  const auto plan = plan::plan_bands(info, {16}, Wants({.row_multiple = 32}), 2, 1 << 30);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->rows % 32, 0U);
  EXPECT_EQ(plan::plan_bands(info, {1000}, Wants({.row_multiple = 32}), 2, 1 << 30)->rows % 1000,
            0U);
  EXPECT_EQ(plan::plan_bands(info, {16}, Wants({.row_multiple = 32}), 2, 1 << 30, {.band_rows = 77})
                ->rows,
            77U);
}

TEST(PlanBands, AreLowForOneThread) {
  PageInfo info;
  info.width_px = 10'200;
  info.height_px = 13'200;
  info.inks = {"black"};
  const Wants groups({.row_multiple = 32});
  const auto rows = [&](uint32_t threads) {
    return plan::plan_bands(info, {1}, groups, threads, 1 << 30)->rows;
  };
  EXPECT_EQ(rows(1), 32U);
  EXPECT_EQ(rows(2), 192U);
  info.width_px = 60'000;
  EXPECT_EQ(rows(1), 32U) << "a whole group";
}

TEST(PlanBands, AreThoseThatTheMethodAsksFor) {
  PageInfo info;
  info.width_px = 1000;
  info.height_px = 3000;
  info.inks = {"cyan", "black"};
  const plan::PlanOptions bent{.band_rows = 77};
  const auto whole =
      plan::plan_bands(info, {16}, Wants({.band_rows = kWholePlane}), 8, 1 << 30, bent);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->rows, 3000U);
  EXPECT_EQ(whole->in_flight, 1U) << "there is no second band to hold";
  EXPECT_LT(whole->memory_bytes, 2 * info.inks.size() * info.width_px * info.height_px);
  for (const bool on_device : {false, true}) {
    const auto slabs = plan::plan_bands(
        info,
        {16},
        Wants({.row_multiple = 32, .context_rows = 9, .band_rows = 500, .on_device = on_device}),
        8,
        1 << 30,
        bent);
    ASSERT_TRUE(slabs);
    EXPECT_EQ(slabs->rows, 500U);
    EXPECT_EQ(slabs->in_flight, 2U);
  }
  const auto low = plan::plan_bands(info, {16}, Wants({.band_rows = 3001}), 8, 1 << 30);
  EXPECT_EQ(low->rows, 3000U);
  EXPECT_EQ(low->in_flight, 1U);
}

TEST(PlanBands, HaveRoomForWhatTheMethodWorksWith) {
  PageInfo info;
  info.width_px = 1000;
  info.height_px = 3000;
  info.inks = {"cyan", "black"};
  for (const uint32_t rows : {0U, 500U, kWholePlane}) {
    const HalftonerTraits traits{.band_rows = rows};
    const auto plain = plan::plan_bands(info, {1}, Wants(traits), 1, 1 << 30);
    const auto working = plan::plan_bands(info, {1}, Wants(traits, 8), 1, 1 << 30);
    ASSERT_TRUE(plain && working);
    EXPECT_EQ(working->rows, plain->rows);
    EXPECT_EQ(working->memory_bytes, plain->memory_bytes + uint64_t{2} * 8 * 1000 * plain->rows);
  }
  // With less memory a slab at a time, and never a lower one.
  const Wants slabs({.band_rows = 500}, 8);
  const uint64_t two = plan::plan_bands(info, {1}, slabs, 1, 1 << 30)->memory_bytes;
  const auto one = plan::plan_bands(info, {1}, slabs, 1, two - 1);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->in_flight, 1U);
  EXPECT_EQ(one->rows, 500U);
  EXPECT_FALSE(plan::plan_bands(info, {1}, slabs, 1, one->memory_bytes - 1));
}

}  // namespace
}  // namespace mezzo::test::executor_test
