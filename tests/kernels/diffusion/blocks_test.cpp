// Blocks and rows of any rule, any size and any team, and to the number what they leave behind.

#include "kernels/diffusion/cpu/blocks.h"

#include <gtest/gtest.h>

#include "kernels/diffusion/cpu/block_steps.h"
#include "kernels/diffusion/rules/feedback_rule.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/rules/tables/tables.h"
#include "kernels/diffusion/rules/tables/tone_table.h"
#include "tests/kernels/diffusion/naive_diffusion.h"

namespace mezzo::test::blocks_test {
namespace {

using namespace diffusion;

/// Half to the right and half down: a row need stay behind by one column only.
struct LeftAndUp {
  static constexpr Pattern kPattern = {.left = true, .up = true};
  static constexpr int kShift = 1;
  bool takes_texture() const { return false; }
  Decision decide(int tone, int collected, const Place& place) const {
    return decide_by_threshold(tone_with_errors<kShift>(tone, collected, place), 2048);
  }
  Shares shares(int error, int) const { return {error, 0, error, 0}; }
};

/// All neighbours, weights by tone: each share differs from pixel to pixel.
struct EveryNeighbour {
  static constexpr Pattern kPattern = {.left = true, .up_left = true, .up = true, .up_right = true};
  static constexpr int kShift = 4;
  bool takes_texture() const { return false; }
  Decision decide(int tone, int collected, const Place& place) const {
    return decide_by_threshold(tone_with_errors<kShift>(tone, collected, place), 2048);
  }
  Shares shares(int error, int tone) const {
    const int a = tone % 4, b = tone / 4 % 4, c = tone / 16 % 4;
    return {a * error, b * error, c * error, (16 - a - b - c) * error};
  }
};

template <Rule R>
R rule();
template <>
FloydSteinbergRule rule() {
  return {};
}
template <>
TableRule rule() {
  return {zhou_fang_entries(), 77};
}
template <>
ToneRule rule() {
  return {tone_dependent_entries(), 77};
}
template <>
FeedbackRule rule() {
  return {FeedbackRule::kMostFeedback, 77};
}
template <>
LeftAndUp rule() {
  return {};
}
template <>
LeftAndUpLeft rule() {
  return {};
}
template <>
EveryNeighbour rule() {
  return {};
}

/// A page, what it should become, and memory for blocks to work in.
template <Rule R>
struct Bench {
  Bench(uint32_t width, uint32_t rows, uint32_t bytes_per_sample, uint64_t seed)
      : in(width, rows, bytes_per_sample),
        curve(bytes_per_sample == 1 ? 255 : 4095, Polarity::kMaxIsPaper),
        out(width, rows),
        sums(width),
        left(size_t{3} * rows) {
    in.band.first_row = 1000;
    in.band.plane = 2;
    fill(in, seed % 4 == 0 ? Fill::kExtremes : Fill::kNoise, curve.max_sample(), seed);
    for (uint32_t i = 0; i < rows; ++i) {
      std::fill_n(out.band.row(i), bit_row_bytes(width), uint8_t{0});
    }
  }

  /// Blocks w wide and h high.
  BlockBand<R> band(int w, int h) {
    const BlockGrid grid{static_cast<int>(in.band.width_px),
                         static_cast<int>(in.band.rows),
                         w,
                         h,
                         slope(R::kPattern)};
    return {rule<R>(), in.band, curve.table().data(), out.band, grid, sums.data(), left.data()};
  }

  SamplePlane in;
  ToneCurve curve;
  BitPlane out;
  std::vector<int32_t> sums, left;
};

template <typename R>
class Diffusion : public ::testing::Test {};
using Rules = ::testing::Types<FloydSteinbergRule,
                               TableRule,
                               ToneRule,
                               FeedbackRule,
                               LeftAndUp,
                               LeftAndUpLeft,
                               EveryNeighbour>;
TYPED_TEST_SUITE(Diffusion, Rules);

constexpr int kSizes[][2] = {{1, 1},
                             {1, 5},
                             {2, 1},
                             {2, 2},
                             {3, 4},
                             {4, 2},
                             {5, 9},
                             {8, 4},
                             {9, 3},
                             {16, 16},
                             {64, 32},
                             {200, 100}};

TYPED_TEST(Diffusion, ByRowsIsTheNaiveOne) {
  SoloTeam solo;
  for (uint32_t width = 1; width <= 66; ++width) {
    Bench<TypeParam> bench(width, 23, 1 + width % 2, width);
    const NaiveDiffusion naive(rule<TypeParam>(), bench.in.band, bench.curve);
    const SequentialDiffusion<TypeParam> by_rows(rule<TypeParam>());
    run_in_bands(by_rows, bench.in.band, bench.curve, bench.out.band, {width % 5 + 1}, solo);
    ASSERT_TRUE(same_bits(naive.bits.band, bench.out.band));
    ASSERT_TRUE(bench.out.guards_intact());
  }
}

TYPED_TEST(Diffusion, ByBlocksOfAnySizeIsTheNaiveOne) {
  SoloTeam solo;
  for (uint32_t width = 1; width <= 66; ++width) {
    for (const auto& [w, h] : kSizes) {
      Bench<TypeParam> bench(width, 21, 1 + width % 2, width);
      const NaiveDiffusion naive(rule<TypeParam>(), bench.in.band, bench.curve);
      run_blocks(bench.band(w, h), solo);
      ASSERT_TRUE(same_bits(naive.bits.band, bench.out.band)) << w << " x " << h;
      ASSERT_TRUE(bench.out.guards_intact());
      for (int x = 0; x < static_cast<int>(width); ++x) {
        ASSERT_EQ(bench.sums[static_cast<size_t>(x)], naive.from_above.at(x, 21)) << x;
      }
    }
  }
}

TYPED_TEST(Diffusion, ByRangesOfStepsIsTheNaiveOne) {
  ThreadTeam team(3);
  for (uint32_t width = 1; width <= 66; width += 5) {
    for (const auto& [w, h] : kSizes) {
      Bench<TypeParam> bench(width, 21, 1 + width % 2, width);
      const NaiveDiffusion naive(rule<TypeParam>(), bench.in.band, bench.curve);
      const BlockBand<TypeParam> band = bench.band(w, h);
      const int rows = band.grid.block_rows(), steps = band.grid.steps();
      std::vector<int> of_last_row;
      int begin = 0;
      for (const int end : {steps / 3, steps / 2, steps}) {
        run_block_range(
            band, {0, rows, begin, end}, team, [&](int x) { of_last_row.push_back(x); });
        begin = end;
      }
      ASSERT_TRUE(same_bits(naive.bits.band, bench.out.band)) << w << " x " << h;
      ASSERT_EQ(of_last_row.size(), static_cast<size_t>(band.grid.block_columns()));
      ASSERT_TRUE(std::is_sorted(of_last_row.begin(), of_last_row.end()));
    }
  }
}

/// Where the last row of block row `y` is, in the block row.
int bottom_of(const BlockGrid& grid, int y) {
  return std::min(grid.block_height, grid.rows - y * grid.block_height) - 1;
}

/// What must be there when block (y, x) has run, by block_kernel.h.
template <typename R>
void expect_left_behind(const BlockBand<R>& band, const NaiveDiffusion& naive, int y, int x) {
  const BlockGrid& grid = band.grid;
  const int top = y * grid.block_height, bottom = bottom_of(grid, y);
  for (int i = 0; i <= bottom; ++i) {
    const int next = grid.column((x + 1) * grid.block_width, i);
    for (int back = 1; back <= 3; ++back) {
      const int residue = naive.residues.at(next - back, top + i);
      ASSERT_EQ(band.left[3 * (top + i) + back - 1], residue) << "row " << i << ", back " << back;
    }
  }
  const int first = grid.column(x * grid.block_width, bottom) - 1;
  for (int column = first; column < first + grid.block_width; ++column) {
    if (column < 0 || column >= grid.width_px) continue;
    ASSERT_EQ(band.sums[column], naive.from_above.at(column, top + bottom + 1)) << column;
  }
}

/// Spoils the sums that mean nothing once block (y, x) has run.
template <typename R>
void spoil(const BlockBand<R>& band, int y, int x) {
  const BlockGrid& grid = band.grid;
  const int end = (x + 1) * grid.block_width;
  const int first = grid.column(end, bottom_of(grid, y)) - 1;
  for (int column = std::max(first, 0); column < std::min(end, grid.width_px); ++column) {
    band.sums[column] = 123'456'789;
  }
}

TYPED_TEST(Diffusion, BlocksLeaveWhatTheirContractSaysAndNeedNoMore) {
  for (const uint32_t width : {1U, 2U, 3U, 7U, 40U, 65U}) {
    for (const auto& [w, h] : kSizes) {
      SCOPED_TRACE(std::to_string(width) + " px, blocks " + std::to_string(w) + " x " +
                   std::to_string(h));
      Bench<TypeParam> bench(width, 19, 1, width);
      const NaiveDiffusion naive(rule<TypeParam>(), bench.in.band, bench.curve);
      const auto band = bench.band(w, h);
      for (int step = 0; step < band.grid.steps(); ++step) {
        for (int y = band.grid.first_row(step); y < band.grid.last_row(step); ++y) {
          const int x = step - band.grid.lag() * y;
          run_block(band, y, x);
          ASSERT_NO_FATAL_FAILURE(expect_left_behind(band, naive, y, x)) << y << ", " << x;
          spoil(band, y, x);
        }
      }
      ASSERT_TRUE(same_bits(naive.bits.band, bench.out.band));
    }
  }
}

TYPED_TEST(Diffusion, ByAnyTeamInAnyBandsIsTheNaiveOne) {
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 5ULL;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto any = [&](uint32_t least, uint32_t most) {
    return static_cast<uint32_t>(least + random() % (most - least + 1));
  };
  for (int round = 0; round < 30; ++round) {
    Bench<TypeParam> bench(any(1, 900), any(1, 120), 1, random());
    const NaiveDiffusion naive(rule<TypeParam>(), bench.in.band, bench.curve);
    ThreadTeam team(any(1, 6));
    run_in_bands(BlockDiffusion<TypeParam>(rule<TypeParam>()),
                 bench.in.band,
                 bench.curve,
                 bench.out.band,
                 {any(1, 120), any(1, 20)},
                 team);
    ASSERT_TRUE(same_bits(naive.bits.band, bench.out.band));

    Bench<TypeParam> cut(any(1, 300), any(1, 60), 2, random());
    const NaiveDiffusion naive_cut(rule<TypeParam>(), cut.in.band, cut.curve);
    run_blocks(cut.band(static_cast<int>(any(1, 70)), static_cast<int>(any(1, 40))), team);
    ASSERT_TRUE(same_bits(naive_cut.bits.band, cut.out.band));
  }
}

TEST(GridForTeam, GivesEachThreadWork) {
  for (const uint32_t threads : {2U, 8U, 32U}) {
    const BlockGrid grid = grid_for_team(20000, 4096, 2, threads);
    int most = 0;
    for (int step = 0; step < grid.steps(); ++step) {
      most = std::max(most, grid.last_row(step) - grid.first_row(step));
    }
    EXPECT_GE(most, static_cast<int>(threads));
    EXPECT_EQ(grid.lag(), 2) << "the knight's move";
  }
}

TEST(GridForTeam, GivesOneThreadWholeRows) {
  const BlockGrid grid = grid_for_team(1000, 50, 2, 1);
  EXPECT_EQ(grid.block_columns(), 1);
  EXPECT_EQ(grid.block_rows(), 50);
}

}  // namespace
}  // namespace mezzo::test::blocks_test
