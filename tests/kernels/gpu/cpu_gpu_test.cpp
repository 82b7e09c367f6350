// Engines `handover` and `hybrid` without a GPU: who does what, and what passes between the two.
// The device is an emulated one: memory of its own in the GPU's layout, filled with rubbish.

#include <gtest/gtest.h>

#include <deque>

#include "kernels/diffusion/hybrid/handover.h"
#include "kernels/diffusion/hybrid/hybrid.h"
#include "kernels/diffusion/rules/feedback_rule.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/rules/table_rule.h"
#include "kernels/diffusion/rules/tables/tables.h"
#include "kernels/diffusion/rules/tables/tone_table.h"
#include "tests/kernels/diffusion/naive_diffusion.h"

namespace mezzo::test::cpu_gpu_test {
namespace {

using namespace diffusion;

constexpr int32_t kRubbish = 123'456'789;

template <Rule R>
R rule() {
  if constexpr (std::is_same_v<R, TableRule>) {
    return {zhou_fang_entries(), 77};
  } else if constexpr (std::is_same_v<R, ToneRule>) {
    return {tone_dependent_entries(), 77};
  } else if constexpr (std::is_same_v<R, FeedbackRule>) {
    return {FeedbackRule::kMostFeedback, 77};
  } else {
    return {};
  }
}

/// What the emulated device does beside its work.
struct DeviceScript {
  bool late = false;  ///< steps run when they are waited for, not when they are started
  int calls = 0;      ///< so far
  int failing = 0;    ///< the call that fails, from 1
  ErrorKind kind = ErrorKind::kOutOfMemory;
  int devices = 0;  ///< made so far
  int blocks = 0;   ///< done so far

  void count() {
    if (++calls == failing) throw Error(kind, "as the test wants it");
  }
};

template <Rule R>
class EmulatedDevice final : public BlockDevice {
 public:
  EmulatedDevice(uint32_t width_px, DeviceScript& script)
      : width_px_(width_px), script_(script), sums_(width_px), border_(width_px) {
    script_.count();
    ++script_.devices;
  }

  void begin(const SampleBand& in, const ToneCurve& curve) override {
    script_.count();
    EXPECT_EQ(in.width_px, width_px_);
    EXPECT_GT(in.rows, 0U);
    EXPECT_TRUE(waiting_.empty()) << "the band before was not fetched";
    in_ = in;
    tones_ = curve.table().data();
    planes_.assign(size_t{3} * in.rows, 0);
    words_.assign(row_bytes() * in.rows, 0);
    std::ranges::fill(sums_, kRubbish);
    std::ranges::fill(border_, kRubbish);
    reads_border_ = false;
    next_step_ = -1;
  }

  void hand_over(const int32_t* sums, const int32_t* left, const BitBand& bits) override {
    script_.count();
    std::copy_n(sums, width_px_, sums_.begin());
    if (left != nullptr) left_to_planes(left, in_.rows, planes_.data());
    ASSERT_LE(bits.rows, in_.rows);
    for (uint32_t i = 0; i < bits.rows; ++i) {
      std::copy_n(bits.row(i), bit_row_bytes(width_px_), words_.data() + i * row_bytes());
    }
  }

  int32_t* border() override {
    script_.count();
    reads_border_ = true;
    return border_.data();
  }

  void start_steps(int first, int last) override {
    script_.count();
    EXPECT_LT(first, last);
    EXPECT_TRUE(next_step_ < 0 || first == next_step_) << "each step once, in order";
    next_step_ = last;
    EXPECT_LE(last, gpu_block_grid(width_px_, in_.rows).steps());
    for (int step = first; step < last; ++step) waiting_.push_back(step);
    if (!script_.late) work();
  }

  void fetch(int32_t* sums, int32_t* left, const BitBand& bits) override {
    script_.count();
    work();
    EXPECT_EQ(bits.rows, in_.rows);
    std::ranges::copy(sums_, sums);
    if (left != nullptr) left_from_planes(planes_.data(), in_.rows, left);
    for (uint32_t i = 0; i < bits.rows; ++i) {
      std::copy_n(words_.data() + i * row_bytes(), bit_row_bytes(width_px_), bits.row(i));
    }
  }

 private:
  size_t row_bytes() const { return (size_t{width_px_} + 31) / 32 * 4; }

  void work() {
    std::vector<int32_t> left(planes_.size());
    left_from_planes(planes_.data(), in_.rows, left.data());
    const BlockGrid grid = gpu_block_grid(width_px_, in_.rows);
    const BlockBand<R> band{rule<R>(),
                            in_,
                            tones_,
                            {words_.data(), width_px_, in_.rows, row_bytes(), in_.first_row},
                            grid,
                            sums_.data(),
                            left.data()};
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const int step = waiting_.front();
      for (int y = grid.first_row(step); y < grid.last_row(step); ++y) {
        const int x = step - grid.lag() * y;
        const int begin = std::min(x * kBlockSide, grid.width_px);
        const int end = std::min(begin + kBlockSide, grid.width_px);
        if (y == 0 && reads_border_) {
          std::copy(border_.begin() + begin, border_.begin() + end, sums_.begin() + begin);
        }
        run_block(band, y, x);
        ++script_.blocks;
      }
    }
    left_to_planes(left.data(), in_.rows, planes_.data());
  }

  uint32_t width_px_;
  DeviceScript& script_;
  SampleBand in_;
  const uint16_t* tones_ = nullptr;
  std::vector<int32_t> sums_, border_, planes_;
  std::vector<uint8_t> words_;
  std::deque<int> waiting_;
  bool reads_border_ = false;
  int next_step_ = -1;
};

template <Rule R>
CpuGpuParts<R> parts(DeviceScript& script, const BlockCosts& costs = {}) {
  return {rule<R>(),
          [&script](uint32_t width_px) {
            return std::make_unique<EmulatedDevice<R>>(width_px, script);
          },
          [costs] { return costs; }};
}

/// A page and what it should become.
template <Rule R>
struct Page {
  Page(uint32_t width, uint32_t rows, uint32_t bytes_per_sample = 1)
      : in(width, rows, bytes_per_sample),
        curve(bytes_per_sample == 1 ? 255 : 4095, Polarity::kMaxIsPaper),
        name(std::to_string(width) + " x " + std::to_string(rows)) {
    in.band.first_row = 1000;
    in.band.plane = 2;
    fill(in, Fill::kNoise, curve.max_sample(), width * 1000 + rows);
    naive = std::make_unique<NaiveDiffusion>(rule<R>(), in.band, curve);
  }

  ::testing::AssertionResult is_right(const Halftoner& halftoner,
                                      const std::vector<uint32_t>& heights,
                                      Team& team) const {
    BitPlane out(in.band.width_px, in.band.rows);
    run_in_bands(halftoner, in.band, curve, out.band, heights, team);
    if (!out.guards_intact()) return ::testing::AssertionFailure() << "outside the page";
    return same_bits(naive->bits.band, out.band);
  }

  SamplePlane in;
  ToneCurve curve;
  std::string name;
  std::unique_ptr<NaiveDiffusion> naive;
};

constexpr uint32_t kPages[][2] = {
    {1, 1}, {1, 300}, {2, 97}, {31, 33}, {33, 31}, {64, 64}, {65, 170}, {200, 97}, {333, 40}};

std::vector<std::vector<uint32_t>> cuts(uint32_t rows) {
  return {{rows}, {32}, {45, 7, 1}};
}

template <typename R>
class CpuGpu : public ::testing::Test {};
using Rules =
    ::testing::Types<FloydSteinbergRule, TableRule, ToneRule, FeedbackRule, LeftAndUpLeft>;
TYPED_TEST_SUITE(CpuGpu, Rules);

TYPED_TEST(CpuGpu, HandoverAfterAnyNumberOfStepsIsTheNaiveOne) {
  SoloTeam solo;
  ThreadTeam three(3);
  for (const auto& [width, rows] : kPages) {
    const Page<TypeParam> page(width, rows, 1 + width % 2);
    const int half = gpu_block_grid(width, rows).steps() / 2;
    for (int n = 0; n <= half + 2; ++n) {
      DeviceScript script;
      const HandoverDiffusion<TypeParam> handover(parts<TypeParam>(script), n);
      for (const auto& heights : cuts(rows)) {
        ASSERT_TRUE(page.is_right(handover, heights, solo)) << page.name << ", " << n << " steps";
      }
      ASSERT_TRUE(page.is_right(handover, {rows}, three)) << page.name << ", " << n << " steps";
      EXPECT_TRUE(n > 0 || script.blocks > 0) << page.name;
      EXPECT_TRUE(n <= half + 1 || script.devices == 0) << "the CPU alone";
    }
  }
}

TYPED_TEST(CpuGpu, HybridOfAnyShareIsTheNaiveOne) {
  SoloTeam solo;
  ThreadTeam three(3);
  for (const auto& [width, rows] : kPages) {
    const Page<TypeParam> page(width, rows, 1 + width % 2);
    const int all = gpu_block_grid(width, rows).block_rows();
    for (int on_cpu = 0; on_cpu <= all; ++on_cpu) {
      for (const bool late : {false, true}) {
        DeviceScript script{.late = late};
        const HybridDiffusion<TypeParam> hybrid(parts<TypeParam>(script), double(on_cpu) / all);
        for (const auto& heights : cuts(rows)) {
          ASSERT_TRUE(page.is_right(hybrid, heights, solo)) << page.name << ", " << on_cpu;
        }
        ASSERT_TRUE(page.is_right(hybrid, {rows}, three)) << page.name << ", " << on_cpu;
      }
    }
  }
}

TEST(CpuGpu, TheDeviceGetsTheBlocksOfItsShareAlone) {
  SoloTeam solo;
  const Page<FloydSteinbergRule> page(300, 320);
  const BlockGrid grid = gpu_block_grid(300, 320);
  DeviceScript script;
  const HybridDiffusion<FloydSteinbergRule> hybrid(parts<FloydSteinbergRule>(script), 0.3);
  ASSERT_TRUE(page.is_right(hybrid, {320}, solo));
  EXPECT_EQ(script.blocks, 7 * grid.block_columns());

  int expected = 0;
  for (int step = 5; step < grid.steps() - 5; ++step) {
    expected += grid.last_row(step) - grid.first_row(step);
  }
  script = {};
  const HandoverDiffusion<FloydSteinbergRule> handover(parts<FloydSteinbergRule>(script), 5);
  ASSERT_TRUE(page.is_right(handover, {320}, solo));
  EXPECT_EQ(script.blocks, expected);
}

TEST(CpuGpu, WhereTheDeviceHasNoMemoryTheCpuTakesTheBand) {
  ThreadTeam three(3);
  const Page<TableRule> page(150, 200);
  const auto try_all = [&](const Halftoner& halftoner, DeviceScript& script) {
    int failed = 0;
    for (int call = 1; call == 1 || failed == call - 1; ++call) {
      script = {.failing = call};
      ASSERT_TRUE(page.is_right(halftoner, {64}, three)) << "call " << call;
      failed += script.calls >= call;
      if (script.calls < call) break;
      script = {.failing = call, .kind = ErrorKind::kDevice};
      EXPECT_THROW((void)page.is_right(halftoner, {64}, three), Error) << "call " << call;
    }
    EXPECT_GT(failed, 10);
  };
  DeviceScript script;
  try_all(HandoverDiffusion<TableRule>(parts<TableRule>(script), 2), script);
  try_all(HybridDiffusion<TableRule>(parts<TableRule>(script), 0.5), script);
}

constexpr BlockCosts kCosts = {.cpu_block = 2e-6,
                               .gpu_step = 5e-6,
                               .gpu_block = 0.05e-6,
                               .transfer = 1e-6,
                               .bytes_per_second = 1e15};

TEST(BlockCosts, HandoverGoesWhereTheTimeIsLeast) {
  const BlockGrid grid = gpu_block_grid(6042, 3298);
  const int half = (grid.steps() + 1) / 2;
  EXPECT_EQ(best_handover_steps(gpu_block_grid(40, 40), 1, kCosts), 4) << "a small page: the CPU";
  // Two blocks cost the CPU less than a step of the GPU, three cost more: 3 * 2 steps.
  EXPECT_EQ(best_handover_steps(grid, 1, kCosts), 6);
  EXPECT_GT(best_handover_steps(grid, 4, kCosts), 6);
  BlockCosts costs = kCosts;
  costs.bytes_per_second = 20e9;
  EXPECT_GT(best_handover_steps(grid, 1, costs), 6) << "the CPU may as well work during the copy";
  costs = kCosts;
  costs.cpu_block = 1e-3;
  EXPECT_EQ(best_handover_steps(grid, 4, costs), 0) << "a slow CPU";
  costs = kCosts;
  costs.transfer = 1e-3;
  EXPECT_EQ(best_handover_steps(grid, 1, costs), 0) << "no step is worth the way";
  costs.gpu_step = 1;
  EXPECT_EQ(best_handover_steps(grid, 4, costs), half) << "a slow GPU";
}

TEST(BlockCosts, HybridGoesWhereTheTimeIsLeast) {
  const BlockGrid grid = gpu_block_grid(6042, 3298);
  BlockCosts costs = kCosts;
  costs.gpu_block = 0.3e-6;  // the GPU is about as fast as four threads
  const int shared = best_cpu_block_rows(grid, 4, costs);
  EXPECT_GT(shared, 0);
  EXPECT_LT(shared, grid.block_rows());
  costs.cpu_block = 1e-3;
  EXPECT_EQ(best_cpu_block_rows(grid, 16, costs), 0) << "a slow CPU";
  costs.gpu_step = 1;
  EXPECT_EQ(best_cpu_block_rows(grid, 16, costs), grid.block_rows()) << "a slow GPU";
  EXPECT_EQ(best_cpu_block_rows(gpu_block_grid(40, 40), 1, kCosts), 2) << "a small page: the CPU";
}

TEST(CpuGpu, CalibratedOnesTakeTheBestAndSaySo) {
  SoloTeam solo;
  const Page<FloydSteinbergRule> page(600, 500);
  const BlockGrid grid = gpu_block_grid(600, 500);
  DeviceScript script;
  const HandoverDiffusion<FloydSteinbergRule> handover(parts<FloydSteinbergRule>(script, kCosts),
                                                       -1);
  ASSERT_TRUE(page.is_right(handover, {500}, solo));
  EXPECT_EQ(handover.describe(6042, 3298, 1),
            "the CPU takes the first and last 6 of 500 steps of a band (measured: 2 us a block on "
            "the CPU, 5 us + 0.05 us a block for a step on the GPU)");
  const HandoverDiffusion<FloydSteinbergRule> fixed(parts<FloydSteinbergRule>(script), 0);
  EXPECT_EQ(fixed.describe(600, 500, 1),
            "the GPU takes all " + std::to_string(grid.steps()) +
                " steps of a band (as the settings say)");
  CpuGpuParts<FloydSteinbergRule> poor = parts<FloydSteinbergRule>(script);
  poor.costs = []() -> BlockCosts { throw Error(ErrorKind::kOutOfMemory, "none left"); };
  const HandoverDiffusion<FloydSteinbergRule> unmeasured(poor, -1);
  ASSERT_TRUE(page.is_right(unmeasured, {500}, solo));
  EXPECT_EQ(unmeasured.describe(600, 500, 1),
            "the CPU takes all that the GPU has no memory for (none left)");
  const HybridDiffusion<FloydSteinbergRule> hybrid(parts<FloydSteinbergRule>(script), 0.25);
  ASSERT_TRUE(page.is_right(hybrid, {500}, solo));
  EXPECT_EQ(hybrid.describe(600, 500, 1),
            "the CPU takes the top 4 of 16 block rows of a band (as the settings say)");
}

}  // namespace
}  // namespace mezzo::test::cpu_gpu_test
