// Properties over pages that RapidCheck makes and, when one fails, makes smaller.

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "tests/kernels/planes.h"

namespace mezzo::test::property_test {
namespace {

/// A curve of rising points, some of them flat.
ToneSettings any_tone() {
  ToneSettings tone;
  tone.invert = *rc::gen::arbitrary<bool>();
  tone.gamma = *rc::gen::inRange(2, 40) / 10.0;
  double in = 0, out = 0;
  for (int i = *rc::gen::inRange(0, 5); i > 0 && in < 90; --i) {
    in += *rc::gen::inRange(1, 20);
    out = std::min(out + *rc::gen::inRange(0, 30), 100.0);
    tone.points.push_back({in, out});
  }
  return tone;
}

RC_GTEST_PROP(AnyMethod, GivesTheReferencesBitsInAnyBands, ()) {
  const auto& method =
      *rc::gen::elementOf(std::vector<MethodInfo>(methods().begin(), methods().end()));
  const auto& schedule = *rc::gen::elementOf(runnable_schedules(method));
  const bool slow = is_slow(method);
  const auto width = *rc::gen::inRange<uint32_t>(1, slow ? kSlowSide / 2 : 500);
  const auto heights = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<uint32_t>>(rc::gen::inRange<uint32_t>(1, 50)));
  const uint32_t sum = std::accumulate(heights.begin(), heights.end(), 0U);
  const uint32_t rows = slow ? std::min(sum, kSlowSide / 2) : sum;
  const uint32_t max_sample = *rc::gen::element(255U, 4095U, 65535U);
  const ToneCurve curve(max_sample, Polarity::kMaxIsPaper, any_tone());
  SamplePlane in(width, rows, max_sample > 255 ? 2 : 1);
  fill(in, Fill::kNoise, max_sample, *rc::gen::arbitrary<uint64_t>());
  BitPlane expected(width, rows), found(width, rows);
  const Parameters parameters = tested_parameters(method).front();
  run_whole(*make(method, method.schedules.front(), parameters), in.band, curve, expected.band);
  ThreadTeam team(*rc::gen::inRange<uint32_t>(1, 4));
  run_in_bands(*make(method, schedule, parameters), in.band, curve, found.band, heights, team);
  RC_ASSERT(static_cast<bool>(same_bits(expected.band, found.band)));
  RC_ASSERT(found.guards_intact());
}

RC_GTEST_PROP(AnyToneCurve, NeverTurnsBack, ()) {
  const uint32_t max_sample = *rc::gen::inRange<uint32_t>(1, 65536);
  const ToneSettings tone = any_tone();
  const ToneCurve curve(max_sample, Polarity::kMaxIsInk, tone);
  for (uint32_t v = 1; v <= max_sample; ++v) {
    RC_ASSERT((tone.invert ? curve[v] <= curve[v - 1] : curve[v] >= curve[v - 1]));
  }
  RC_ASSERT(*std::ranges::max_element(curve.table()) <= kSolid);
}

}  // namespace
}  // namespace mezzo::test::property_test
