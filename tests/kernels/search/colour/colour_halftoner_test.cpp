// Colour direct binary search as a method of inks together: starts, ends and settings.
#include "kernels/search/colour/colour_halftoner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "kernels/diffusion/together/inks_wavefront.h"
#include "kernels/gpu/context.h"
#include "kernels/quality/colour/colour_judge.h"
#include "kernels/quality/memory_pair.h"
#include "kernels/search/colour/cpu/colour_search.h"
#include "kernels/search/random.h"
#include "tests/kernels/diffusion/together/ink_planes.h"
#include "tests/kernels/search/colour/naive_colour_dbs.h"
#include "tests/kernels/search/search_pages.h"

namespace mezzo::test::colour_halftoner_test {
namespace {

using ::testing::HasSubstr;
using Parameters = std::map<std::string, double, std::less<>>;

HalftoneSettings settings_of(Parameters parameters, Engine engine = Engine::kCpu) {
  parameters["inks"] = 1;
  return {.method = "dbs", .engine = engine, .parameters = std::move(parameters)};
}

std::unique_ptr<mezzo::together::InksHalftoner> make(uint32_t inks,
                                                     const Parameters& parameters,
                                                     Engine engine = Engine::kCpu) {
  return make_inks_halftoner(complete(settings_of(parameters, engine)),
                             some_colours(static_cast<int>(inks)),
                             gpu::Context::of_process())
      .halftoner;
}

/// Planes that rise to the right and down, with noise.
void draw(InkPlanes& inks) {
  const uint32_t most = inks.curve.max_sample();
  for (size_t k = 0; k < inks.samples.size(); ++k) {
    fill(*inks.samples[k], Fill::kRamp, most, k);
    for (int y = 0; y < inks.rows(); ++y) {
      const auto row = static_cast<uint32_t>(y);
      for (uint32_t x = 0; x < static_cast<uint32_t>(inks.width());
           x += static_cast<uint32_t>(k) + 2) {
        inks.samples[k]->set(x, row, most - inks.samples[k]->get(x, row) / 2);
      }
    }
  }
}

std::vector<RoundReport> run(const mezzo::together::InksHalftoner& halftoner,
                             InkPlanes& inks,
                             Team& team) {
  std::vector<RoundReport> reports;
  const auto state = halftoner.make_state(static_cast<uint32_t>(inks.width()),
                                          static_cast<uint32_t>(inks.samples.size()));
  state->on_round = [&](const RoundReport& report) { reports.push_back(report); };
  halftoner.run(inks.band(0, static_cast<uint32_t>(inks.rows())), state.get(), team);
  return reports;
}

/// The tones and start of `inks`, by its bits or at random, as a search takes them.
void begin(ColourPage& page, const InkPlanes& inks, std::optional<uint32_t> seed) {
  for (int y = 0; y < page.height; ++y) {
    for (int x = 0; x < page.width; ++x) {
      const auto pixel = static_cast<size_t>(y * page.width + x);
      const auto ux = static_cast<uint32_t>(x), uy = static_cast<uint32_t>(y);
      uint32_t state = 0;
      for (size_t k = 0; k < inks.samples.size(); ++k) {
        const auto tone = static_cast<uint16_t>(inks.tone(k, x, y));
        const SampleBand& in = inks.samples[k]->band;
        const bool ink = seed ? search::random_ink(*seed, in.plane, in.first_row + uy, ux, tone)
                              : inks.bits[k]->band.ink(ux, uy);
        page.tones[k][pixel] = tone;
        if (ink) state |= 1U << k;
      }
      page.states[pixel] = static_cast<uint8_t>(state);
    }
  }
}

void expect_states(const InkPlanes& found, const ColourPage& page) {
  for (size_t k = 0; k < found.bits.size(); ++k) {
    ASSERT_TRUE(found.bits[k]->guards_intact());
    for (int y = 0; y < page.height; ++y) {
      for (int x = 0; x < page.width; ++x) {
        const bool ink = (page.states[static_cast<size_t>(y * page.width + x)] >> k & 1) != 0;
        ASSERT_EQ(found.bits[k]->band.ink(static_cast<uint32_t>(x), static_cast<uint32_t>(y)), ink);
      }
    }
  }
}

TEST(ColourHalftoner, SearchesFromOverlapAccountsOrNoise) {
  ThreadTeam team(2);
  for (const uint32_t bytes : {1U, 2U}) {
    for (const bool random : {false, true}) {
      InkPlanes expected(4, 61, 40, bytes), found(4, 61, 40, bytes);
      draw(expected);
      draw(found);
      const diffusion::together::InksWavefront accounts(diffusion::together::LightTones::kAsIs);
      run_in_bands(accounts, expected, {40}, team);
      ColourPage page(61, 40, 4);
      begin(page, expected, random ? std::optional<uint32_t>(5) : std::nullopt);
      const auto search = search::colour::make_search(some_colours(4), page.page(), team);
      for (int round = 0; round < 3; ++round) search->round(team, kNoPause);
      search->finish();
      const auto dbs = make(4, {{"start", random ? 1 : 0}, {"seed", 5}, {"rounds", 3}});
      const std::vector<RoundReport> reports = run(*dbs, found, team);
      expect_states(found, page);
      ASSERT_EQ(reports.size(), 4U);
      EXPECT_EQ(reports.back().average_error, search->of_255(search->error()));
    }
  }
}

TEST(ColourHalftoner, EndsWhenSettledOrConverged) {
  SoloTeam team;
  InkPlanes inks(3, 70, 50, 1);
  draw(inks);
  const std::vector<RoundReport> settled = run(*make(3, {{"until", 1}}), inks, team);
  EXPECT_GT(settled.back().changed, 0U);
  EXPECT_LT(settled.back().average_error, 0.6 * settled.front().average_error);
  const std::vector<RoundReport> converged = run(*make(3, {}), inks, team);
  EXPECT_EQ(converged.back().changed, 0U);
  EXPECT_GT(converged.size(), settled.size());
}

/// Mean CIELAB error of the bits.
double colour_error(const InkPlanes& inks, Team& team) {
  std::vector<std::unique_ptr<quality::MemoryPair>> pairs;
  std::vector<quality::PagePair*> pages;
  for (size_t k = 0; k < inks.samples.size(); ++k) {
    pairs.push_back(std::make_unique<quality::MemoryPair>(
        inks.samples[k]->band, 255, Polarity::kMaxIsPaper, inks.bits[k]->band));
    pages.push_back(pairs.back().get());
  }
  return quality::judge_colour(pages,
                               {.colours = some_print(static_cast<int>(pages.size()))},
                               {300, 3500.0 / 300},
                               quality::RegisterError::kSkipped,
                               team)
      .delta_e;
}

/// How much more of an ink than asked for, of 255.
double tone_error(const InkPlanes& inks, size_t k) {
  double sum = 0;
  for (int y = 0; y < inks.rows(); ++y) {
    for (int x = 0; x < inks.width(); ++x) {
      const bool ink = inks.bits[k]->band.ink(static_cast<uint32_t>(x), static_cast<uint32_t>(y));
      sum += (ink ? 4096 : 0) - inks.tone(k, x, y);
    }
  }
  return 255 * sum / 4096 / inks.width() / inks.rows();
}

/// Black, magenta, cyan and yellow in four tints: flesh, grey, dark and all inks alike.
TEST(ColourHalftoner, HalvesTheColourErrorOfItsStartAndKeepsTones) {
  ThreadTeam team(2);
  constexpr uint32_t kSide = 192;
  constexpr uint32_t kPercent[4][4] = {
      {0, 25, 10, 28}, {0, 30, 30, 30}, {25, 70, 60, 66}, {20, 20, 20, 20}};
  InkPlanes start(4, kSide, kSide, 1), found(4, kSide, kSide, 1);
  for (InkPlanes* const inks : {&start, &found}) {
    for (size_t k = 0; k < 4; ++k) {
      for (uint32_t y = 0; y < kSide; ++y) {
        for (uint32_t x = 0; x < kSide; ++x) {
          const uint32_t percent = kPercent[2 * (2 * y / kSide) + 2 * x / kSide][k];
          inks->samples[k]->set(x, y, 255 - percent * 255 / 100);
        }
      }
    }
  }
  const diffusion::together::InksWavefront accounts(diffusion::together::LightTones::kAsIs);
  run_in_bands(accounts, start, {kSide}, team);
  run(*make(4, {{"until", 1}}), found, team);
  EXPECT_LT(colour_error(found, team), 0.4 * colour_error(start, team));
  for (size_t k = 0; k < 4; ++k) EXPECT_NEAR(tone_error(found, k), 0, 0.5) << k;
}

TEST(ColourHalftoner, TakesWholePlanesAndUpToSixInks) {
  const auto dbs = make(6, {{"budget", 5}});
  EXPECT_EQ(dbs->traits().band_rows, kWholePlane);
  EXPECT_TRUE(dbs->traits().by_the_clock);
  EXPECT_FALSE(make(2, {})->traits().by_the_clock);
  // c of 9 channels, tones of 6 inks, and states.
  EXPECT_GE(dbs->working_bytes(1000, 1000, 6), 1'000'000U * (9 * 4 + 6 * 2 + 2));
  together::InkColours many = some_colours(6);
  many.inks = 7;
  many.states.resize(128);
  try {
    make_inks_halftoner(complete(settings_of({})), many, gpu::Context::of_process());
    FAIL() << "seven inks";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    EXPECT_THAT(error.what(), HasSubstr("at most 6 inks together, and there are 7"));
  }
}

TEST(ColourHalftoner, RefusesSettingsOfInksApart) {
  for (const auto& [name, value] : Parameters{{"eye", 1},
                                              {"scale", 2000},
                                              {"radius", 5},
                                              {"target", 1},
                                              {"cell", 20},
                                              {"slab_rows", 64}}) {
    try {
      make(4, {{name, value}});
      FAIL() << name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("'" + name + "' is for inks apart"));
    }
  }
}

TEST(ColourHalftoner, GivesTheSameBitsOnAGpu) {
  if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  SoloTeam team;
  InkPlanes expected(5, 90, 75, 1), found(5, 90, 75, 1);
  draw(expected);
  draw(found);
  const auto on_gpu = make(5, {}, Engine::kGpu);
  EXPECT_TRUE(on_gpu->traits().on_device);
  const auto cpu = run(*make(5, {}), expected, team), gpu = run(*on_gpu, found, team);
  EXPECT_TRUE(same_bits(expected, found));
  ASSERT_EQ(gpu.size(), cpu.size());
  EXPECT_EQ(gpu.back().average_error, cpu.back().average_error);
}

}  // namespace
}  // namespace mezzo::test::colour_halftoner_test
