// Searches as methods: starts, ends, slabs and settings.
#include "kernels/search/search_halftoner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/base/noise.h"
#include "kernels/gpu/context.h"
#include "kernels/quality/judge.h"
#include "kernels/quality/memory_pair.h"
#include "tests/kernels/planes.h"
#include "tests/kernels/search/naive_form.h"
#include "tests/kernels/search/search_pages.h"
#include "tests/support/fault_at.h"

namespace mezzo::test::search_halftoner_test {
namespace {

using ::testing::HasSubstr;
using Parameters = std::map<std::string, double, std::less<>>;

std::unique_ptr<Halftoner> make(const char* method,
                                const Parameters& parameters,
                                Engine engine = Engine::kCpu) {
  return make_halftoner(complete({.method = method, .engine = engine, .parameters = parameters}))
      .halftoner;
}

/// A page of light that rises to the right, with a coarse pattern over it.
void draw(SamplePlane& plane) {
  for (uint32_t y = 0; y < plane.band.rows; ++y) {
    for (uint32_t x = 0; x < plane.band.width_px; ++x) {
      const double wave = 25 * std::sin(0.13 * x) * std::cos(0.21 * y);
      const uint32_t ramp = 55 + 195 * x / plane.band.width_px;
      plane.set(x, y, static_cast<uint32_t>(ramp + wave));
    }
  }
}

const ToneCurve kCurve(255, Polarity::kMaxIsPaper);

/// Runs a plane in the bands that the method asks for, and keeps what it reports.
std::vector<RoundReport> run(const Halftoner& halftoner,
                             const SampleBand& in,
                             const BitBand& out,
                             Team& team) {
  std::vector<RoundReport> reports;
  const auto state = halftoner.make_state(in.width_px);
  state->on_round = [&](const RoundReport& report) { reports.push_back(report); };
  const uint32_t asked = halftoner.traits().band_rows;
  const uint32_t rows = asked == 0 ? in.rows : std::min(asked, in.rows);
  for (uint32_t row = 0; row < in.rows; row += rows) {
    const uint32_t now = std::min(rows, in.rows - row);
    halftoner.run(in.slice(row, now), kCurve, out.slice(row, now), state.get(), team);
  }
  return reports;
}

TEST(SearchMethods, LesIsTheNaiveSearchFromItsStart) {
  SoloTeam solo;
  for (const double start : {0, 1}) {
    SamplePlane plane(31, 22, 1);
    draw(plane);
    Tones tones{31, 22, {}};
    for (uint32_t y = 0; y < 22; ++y) {
      for (uint32_t x = 0; x < 31; ++x) tones.values.push_back(kCurve[plane.get(x, y)]);
    }
    NaiveLes naive;
    naive.eye = NaiveEye::gaussian(2, 0.8);
    naive.window = 2;
    naive.cell = 5;
    const NaiveBits begin =
        start == 0 ? naive_floyd_steinberg_start(tones) : naive_random_start(tones, 9, 0);
    const NaiveSearchResult expected = naive_les(tones, begin, naive);
    BitPlane bits(31, 22);
    const auto les = make(
        "les",
        {{"eye", 1}, {"start", start}, {"seed", 9}, {"sigma", 0.8}, {"radius", 2}, {"window", 2}});
    const auto reports = run(*les, plane.band, bits.band, solo);
    ASSERT_EQ(reports.size(), expected.errors.size());
    for (size_t i = 0; i < reports.size(); ++i) {
      EXPECT_NEAR(reports[i].average_error,
                  255.0 * static_cast<double>(expected.errors[i]) / 16384 / (31 * 22),
                  1e-9);
    }
    for (uint32_t i = 0; i < 31 * 22; ++i) {
      ASSERT_EQ(bits.band.ink(i % 31, i / 31), expected.bits[i] != 0) << i;
    }
    EXPECT_TRUE(bits.guards_intact());
  }
}

/// With the tone form, from Floyd-Steinberg through all stages.
TEST(SearchMethods, LesAndPesGoThroughTheirStages) {
  SoloTeam solo;
  for (const char* method : {"les", "pes"}) {
    SamplePlane plane(42, 30, 1);
    draw(plane);
    Tones tones{42, 30, {}};
    for (uint32_t i = 0; i < 42 * 30; ++i)
      tones.values.push_back(kCurve[plane.get(i % 42, i / 42)]);
    const NaiveWindows windows =
        method == std::string("les") ? NaiveWindows::kAll : NaiveWindows::kSameInk;
    NaiveForm naive(tones, naive_floyd_steinberg_start(tones), {.windows = windows});
    BitPlane bits(42, 30);
    const auto reports = run(*make(method, {}), plane.band, bits.band, solo);
    for (const RoundReport& report : reports) {
      if (report.round > 0) {
        EXPECT_EQ(report.stage, naive.round().stage) << report.round;
      }
      EXPECT_NEAR(report.average_error,
                  255 * std::sqrt(static_cast<double>(naive.error()) / (42 * 30)) / 4096,
                  1e-9);
    }
    EXPECT_EQ(reports.back().stage, "all windows");
    EXPECT_EQ(reports.back().changed, 0U);
    for (uint32_t i = 0; i < 42 * 30; ++i) {
      ASSERT_EQ(bits.band.ink(i % 42, i / 42), naive.bits()[i] != 0) << i;
    }
  }
}

/// Edges, waves and grain, on a ramp.
void draw_picture(SamplePlane& plane) {
  for (uint32_t y = 0; y < plane.band.rows; ++y) {
    for (uint32_t x = 0; x < plane.band.width_px; ++x) {
      const double ramp = 40 + 150.0 * x / plane.band.width_px;
      const double waves = 30 * std::sin(0.4 * x + 0.01 * x * y / 8) * std::cos(0.23 * y);
      const double edges = (x / 24 + y / 30) % 2 == 0 ? 22 : -22;
      const double grain = static_cast<double>(pixel_noise(1, 0, y, x) >> 29) - 4;
      plane.set(x, y, static_cast<uint32_t>(std::clamp(ramp + waves + edges + grain, 0.0, 255.0)));
    }
  }
}

quality::Report judged(const SamplePlane& plane, const char* method, const Parameters& parameters) {
  ThreadTeam team(2);
  BitPlane bits(plane.band.width_px, plane.band.rows);
  run(*make(method, parameters), plane.band, bits.band, team);
  quality::MemoryPair pair(plane.band, 255, Polarity::kMaxIsPaper, bits.band);
  return quality::judge(pair, {}, team);
}

/// In parts of Floyd-Steinberg's errors. Of photos the first is at most 0.75 in the mean, as `bench
/// search --parts tone` shows.
TEST(SearchMethods, LesShowsDetailAndHoldsTone) {
  SamplePlane plane(144, 128, 1);
  draw_picture(plane);
  const quality::Report beside = judged(plane, "floyd-steinberg", {});
  for (const char* method : {"les", "pes"}) {
    const quality::Report found = judged(plane, method, {{"until", 1}});
    EXPECT_LE(found.average_error, 0.8 * beside.average_error) << method;
    EXPECT_LE(found.gaussian_rms_1_5, 0.92 * beside.gaussian_rms_1_5) << method;
    EXPECT_LE(found.gaussian_rms_3, 0.75 * beside.gaussian_rms_3) << method;
    EXPECT_NEAR(found.ink_coverage, found.contone_coverage, 0.001) << method;
  }
}

TEST(SearchMethods, EndWhereTheyAreTold) {
  SoloTeam solo;
  SamplePlane plane(120, 90, 1);
  draw(plane);
  BitPlane bits(120, 90);
  const auto rounds = [&](const Parameters& parameters) {
    return run(*make("les", parameters), plane.band, bits.band, solo).back().round;
  };
  const Parameters quick = {{"eye", 1}, {"window", 2}, {"radius", 2}};
  const auto with = [&](std::string name, double value) {
    Parameters all = quick;
    all[std::move(name)] = value;
    return all;
  };
  const uint32_t converged = rounds(quick);
  EXPECT_GT(converged, 3U);
  EXPECT_EQ(rounds(with("rounds", 2)), 2U);
  EXPECT_EQ(rounds(with("rounds", 1000)), converged);
  const uint32_t settled = rounds(with("until", 1));
  EXPECT_GT(settled, 1U);
  EXPECT_LT(settled, converged);
}

TEST(SearchMethods, ABudgetThatIsSpentGivesWhatThereIs) {
  SoloTeam solo;
  SamplePlane plane(100, 80, 1);
  draw(plane);
  BitPlane bits(100, 80), start(100, 80);
  const auto les = make("les", {{"budget", 1e-6}});
  EXPECT_TRUE(les->traits().by_the_clock);
  EXPECT_FALSE(make("les", {})->traits().by_the_clock);
  const auto reports = run(*les, plane.band, bits.band, solo);
  ASSERT_EQ(reports.size(), 2U);  // the start's, and the end's
  EXPECT_FALSE(reports[0].out_of_time);
  EXPECT_TRUE(reports[1].out_of_time);
  EXPECT_EQ(reports[1].round, 1U);
  EXPECT_EQ(reports[1].stage, "moves");
  EXPECT_LE(reports[1].average_error, reports[0].average_error);
  run(*make("les", {{"rounds", 1}}), plane.band, start.band, solo);
  EXPECT_FALSE(same_bits(start.band, bits.band));
}

TEST(SearchMethods, StopWhereARoundIsRefused) {
  SoloTeam solo;
  SamplePlane plane(60, 40, 1);
  draw(plane);
  BitPlane bits(60, 40);
  const auto dbs = make("dbs", {});
  const auto state = dbs->make_state(60);
  state->on_round = [](const RoundReport& report) {
    if (report.round == 1) throw std::runtime_error("enough");
  };
  EXPECT_THROW(dbs->run(plane.band, kCurve, bits.band, state.get(), solo), std::runtime_error);
}

/// The pipeline may have begun the next slab by the time that one has failed.
TEST(SearchMethods, SlabsBelowOneThatFailedFailToo) {
  SoloTeam solo;
  SamplePlane plane(60, 48, 1);
  draw(plane);
  BitPlane bits(60, 48);
  const auto dbs = make("dbs", {{"slab_rows", 16}});
  const auto state = dbs->make_state(60);
  const auto run_slab = [&](uint32_t row) {
    dbs->run(plane.band.slice(row, 16), kCurve, bits.band.slice(row, 16), state.get(), solo);
  };
  run_slab(0);
  state->on_round = [](const RoundReport&) { throw std::runtime_error("enough"); };
  EXPECT_THROW(run_slab(16), std::runtime_error);
  state->on_round = nullptr;
  EXPECT_THROW(run_slab(32), std::runtime_error);
}

/// Mean |asked - seen| of rows [first, end), of 255, through the Gaussian of sigma 1.
double error_of_rows(const SamplePlane& plane, const BitBand& bits, uint32_t first, uint32_t end) {
  const search::Square eye = search::gaussian_eye(1, 3);
  double sum = 0;
  const uint32_t width = plane.band.width_px;
  for (uint32_t y = first; y < end; ++y) {
    for (uint32_t x = 3; x + 3 < width; ++x) {
      int seen = 0;
      for (int dy = -3; dy <= 3; ++dy) {
        for (int dx = -3; dx <= 3; ++dx) {
          seen += bits.ink(x + static_cast<uint32_t>(dx), y + static_cast<uint32_t>(dy))
                      ? eye.at(dy, dx)
                      : 0;
        }
      }
      sum += std::abs(4 * int{kCurve[plane.get(x, y)]} - seen) / 16384.0;
    }
  }
  return 255 * sum / ((width - 6.0) * (end - first));
}

TEST(SearchMethods, SlabsLeaveNoSeam) {
  ThreadTeam team(2);
  SamplePlane plane(300, 160, 1);
  draw(plane);
  const std::vector<std::pair<const char*, Parameters>> searches = {
      {"les", {{"eye", 1}, {"radius", 3}, {"window", 3}}},  // of 3, which is quicker
      {"dbs", {{"eye", 1}, {"radius", 3}, {"target", 1}}},
      {"dbs", {{"eye", 2}}},
      {"les", {}},
  };
  for (auto [method, parameters] : searches) {
    BitPlane whole(300, 160), slabs(300, 160);
    run(*make(method, parameters), plane.band, whole.band, team);
    parameters["slab_rows"] = 32;
    run(*make(method, parameters), plane.band, slabs.band, team);
    EXPECT_FALSE(same_bits(whole.band, slabs.band));
    double at_seams = 0, everywhere = 0, of_whole = 0;
    for (uint32_t seam = 32; seam + 32 <= 160; seam += 32) {
      at_seams += error_of_rows(plane, slabs.band, seam - 3, seam + 3) / 4;
      everywhere += error_of_rows(plane, slabs.band, seam - 16, seam + 16) / 4;
      of_whole += error_of_rows(plane, whole.band, seam - 16, seam + 16) / 4;
    }
    EXPECT_LT(at_seams, 1.03 * everywhere) << method;
    EXPECT_LT(everywhere, 1.01 * of_whole) << method;
  }
}

TEST(SearchMethods, ASlabAsHighAsThePageIsThePage) {
  SoloTeam solo;
  SamplePlane plane(90, 64, 1);
  draw(plane);
  BitPlane whole(90, 64), slab(90, 64);
  run(*make("dbs", {}), plane.band, whole.band, solo);
  run(*make("dbs", {{"slab_rows", 64}}), plane.band, slab.band, solo);
  EXPECT_TRUE(same_bits(whole.band, slab.band));
}

TEST(SearchMethods, SayWhichSettingsDoNotFit) {
  const auto refusal = [](const char* method, const Parameters& parameters) -> std::string {
    try {
      make(method, parameters);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(refusal("les", {{"eye", 1}, {"cell", 8}}), HasSubstr("'cell' must be at least 9"));
  EXPECT_EQ(refusal("les", {{"eye", 1}, {"cell", 9}}), "");
  EXPECT_EQ(refusal("les", {{"eye", 1}, {"cell", 8}, {"window", 3}}), "");
  EXPECT_THAT(refusal("les", {{"cell", 18}}), HasSubstr("'cell' must be at least 19"));
  EXPECT_EQ(refusal("pes", {{"cell", 19}}), "");
  EXPECT_THAT(refusal("les", {{"window", 3}}), HasSubstr("set 'eye: published' with it"));
  EXPECT_THAT(refusal("dbs", {{"eye", 2}, {"target", 1}}), HasSubstr("leave it out"));
  EXPECT_EQ(refusal("dbs", {{"eye", 2}}), "");
  EXPECT_THAT(refusal("dbs", {{"cell", 15}}), HasSubstr("'cell' must be at least 16"));
  EXPECT_EQ(refusal("dbs", {{"cell", 16}}), "");
  EXPECT_THAT(refusal("pes", {{"slab_rows", 15}}), HasSubstr("'slab_rows' must be at least 16"));
  EXPECT_EQ(refusal("pes", {{"slab_rows", 16}}), "");
}

class SearchMethodsOnGpu : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }
};

INSTANTIATE_TEST_SUITE_P(Gpu, SearchMethodsOnGpu, ::testing::Values("les", "pes", "dbs"));

TEST_P(SearchMethodsOnGpu, GiveTheBitsOfTheCpu) {
  ThreadTeam team(16);
  SamplePlane plane(512, 400, 1);
  draw(plane);
  for (const double slab_rows : {0, 96}) {
    for (const double start : {0, 1}) {
      const Parameters parameters = {{"slab_rows", slab_rows}, {"start", start}};
      BitPlane cpu(512, 400), gpu(512, 400);
      run(*make(GetParam(), parameters), plane.band, cpu.band, team);
      run(*make(GetParam(), parameters, Engine::kGpu), plane.band, gpu.band, team);
      EXPECT_TRUE(same_bits(cpu.band, gpu.band));
    }
  }
}

/// Where the GPU has no room, the CPU does the work.
TEST_P(SearchMethodsOnGpu, FallBackOnTheCpu) {
  ThreadTeam team(16);
  SamplePlane plane(128, 100, 1);
  draw(plane);
  BitPlane cpu(128, 100), gpu(128, 100);
  run(*make(GetParam(), {}), plane.band, cpu.band, team);
  FaultyContext faulty;
  const auto on_gpu =
      make_halftoner(complete({.method = GetParam(), .engine = Engine::kGpu}), faulty.context);
  faulty.fault->set(3);
  run(*on_gpu.halftoner, plane.band, gpu.band, team);
  EXPECT_TRUE(same_bits(cpu.band, gpu.band));
}

}  // namespace
}  // namespace mezzo::test::search_halftoner_test
