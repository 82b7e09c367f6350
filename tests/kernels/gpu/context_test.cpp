// Contexts beside each other: neither sees the other's limits, nor its faults.

#include "kernels/gpu/context.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "tests/kernels/planes.h"
#include "tests/support/fault_at.h"

namespace mezzo::test::context_test {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint32_t kWidth = 4096, kHeight = 512;

/// Named so that it is run where there is a GPU.
class DeviceContexts : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
    fill(in_, Fill::kNoise, 255, 7);
  }

  std::unique_ptr<Halftoner> make(gpu::Context& context) const {
    return make_halftoner(complete({.engine = Engine::kGpu}), context).halftoner;
  }

  /// Halftones the plane; true when no call of CUDA was made for it.
  void run(const Halftoner& halftoner) {
    BitPlane expected(kWidth, kHeight), found(kWidth, kHeight);
    run_whole(*make_reference(complete({})), in_.band, curve_, expected.band);
    run_whole(halftoner, in_.band, curve_, found.band);
    ASSERT_TRUE(same_bits(expected.band, found.band));
  }

  SamplePlane in_{kWidth, kHeight, 1};
  const ToneCurve curve_{255, Polarity::kMaxIsPaper};
};

/// Calls of CUDA that a plane takes in a context with this limit.
struct Counted {
  explicit Counted(uint64_t limit)
      : watch(std::make_shared<FaultAt>()), context({.memory_bytes = limit, .watch = watch}) {}
  std::shared_ptr<FaultAt> watch;
  gpu::Context context;
};

TEST_F(DeviceContexts, KeepToTheirOwnLimits) {
  Counted small(kMiB / 16), large(256 * kMiB);
  const auto on_small = make(small.context), on_large = make(large.context);
  for (int round = 0; round < 2; ++round) {
    run(*on_large);
    run(*on_small);  // which has no room for a plane: the CPU does it
  }
  EXPECT_LT(small.watch->calls(), 40U);
  EXPECT_GT(large.watch->calls(), 2 * small.watch->calls());
}

TEST_F(DeviceContexts, FailAlone) {
  FaultyContext faulty;
  gpu::Context sound;
  const auto on_faulty = make(faulty.context), on_sound = make(sound);
  faulty.fault->set(1, gpu::CallWatch::Fault::kFailed);
  run(*on_sound);
  BitPlane out(kWidth, kHeight);
  EXPECT_THROW(run_whole(*on_faulty, in_.band, curve_, out.band), Error);
  run(*on_sound);
  run(*on_faulty);
}

TEST_F(DeviceContexts, GiveTheirMemoryBack) {
  // Each takes most of what there is, if the one before has not kept it.
  for (int i = 0; i < 3; ++i) {
    gpu::Context context({.memory_bytes = 256 * kMiB});
    run(*make(context));
  }
}

TEST(Contexts, ThePinnedMemoryOfOneStaysItsOwn) {
  gpu::Context one, two;
  std::byte* first = gpu::PinnedMemory(4096, one).data();
  const gpu::PinnedMemory other(4096, two);
  EXPECT_NE(other.data(), nullptr);
  EXPECT_NE(first, nullptr);
}

}  // namespace
}  // namespace mezzo::test::context_test
