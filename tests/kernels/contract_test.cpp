// The contract of every method in the registry, so that a method is covered the day it is listed.
// Methods that search keep it on small planes, in the bands that they ask for; a toy keeps it where
// no other does.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "kernels/band/ink15.h"
#include "kernels/band/ink_texture.h"
#include "tests/kernels/planes.h"
#include "tests/support/effort.h"
#include "tests/support/extra_method.h"
#include "tests/support/shared_oracle.h"
#include "tests/support/toy_search.h"

namespace mezzo::test::contract_test {
namespace {

struct Case {
  const MethodInfo* method;
  const ScheduleInfo* schedule;
  Parameters parameters;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.method->name << ", " << to_string(value.schedule->engine) << ", "
       << value.schedule->name;
  for (const auto& [name, number] : value.parameters) *out << ", " << name << " " << number;
}

/// The toy, where it can run.
MethodInfo toy_on_cpu() {
  MethodInfo toy = kToySearch;
  toy.schedules = toy.schedules.first(1);
  return toy;
}
const ExtraMethod kToyIsListed(toy_on_cpu());

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MethodInfo& method : methods()) {
    for (const ScheduleInfo& schedule : method.schedules) {
      for (const Parameters& parameters : tested_parameters(method)) {
        // Dots of several pixels are the same with all schedules, which do not know of them.
        const bool is_end =
            &schedule == &method.schedules.front() || &schedule == &method.schedules.back();
        if (parameters.contains("dot") && !is_end) continue;
        cases.push_back({&method, &schedule, parameters});
      }
    }
  }
  return cases;
}

class Contract : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!is_runnable(*GetParam().schedule)) GTEST_SKIP() << "no GPU on this machine";
    halftoner_ = make(*GetParam().method, *GetParam().schedule, GetParam().parameters);
  }

  /// True for a case that has to do with small planes and few of them.
  bool slow() const { return reference_->traits().band_rows != 0; }

  /// What the reference makes of the test's next page, which is the same for all schedules.
  const BitPlane& expected(const SampleBand& in, const ToneCurve& curve) {
    return *oracle_.next([&] { return made_by(*reference_, in, curve); });
  }

  /// Runs the schedule on the test's next page and compares. The schedule that is the reference is run once:
  /// AnyNumberOfThreadsGivesTheSameBits compares its runs.
  void check_page(const SampleBand& in, const ToneCurve& curve) {
    auto found = made_by(*halftoner_, in, curve);
    ASSERT_TRUE(found->guards_intact()) << in.width_px << " x " << in.rows;
    const auto& expected = oracle_.next(
        [&] { return is_reference() ? std::move(found) : made_by(*reference_, in, curve); });
    if (found == nullptr) return;
    ASSERT_TRUE(same_bits(expected->band, found->band));
  }

  std::unique_ptr<Halftoner> halftoner_;
  const std::unique_ptr<Halftoner> reference_ =
      reference_of(*GetParam().method, GetParam().parameters);
  const ToneCurve grey_{255, Polarity::kMaxIsPaper};

 private:
  static std::unique_ptr<BitPlane> made_by(const Halftoner& halftoner,
                                           const SampleBand& in,
                                           const ToneCurve& curve) {
    auto made = std::make_unique<BitPlane>(in.width_px, in.rows);
    run_whole(halftoner, in, curve, made->band);
    return made;
  }

  bool is_reference() const { return GetParam().schedule == &GetParam().method->schedules.front(); }

  SharedOracle<std::unique_ptr<BitPlane>> oracle_{std::string(GetParam().method->name) +
                                                  ::testing::PrintToString(GetParam().parameters)};
};

INSTANTIATE_TEST_SUITE_P(Registry,
                         Contract,
                         ::testing::ValuesIn(all_cases()),
                         [](const auto& test) {
                           std::string name = std::string(test.param.method->name) + "_" +
                                              std::string(to_string(test.param.schedule->engine)) +
                                              "_" + std::string(test.param.schedule->name);
                           for (const auto& parameter : test.param.parameters) {
                             name += "_" + parameter.first;
                           }
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(Contract, SaysTheSameOfItsBandsOnEveryEngine) {
  const HalftonerTraits expected = reference_->traits(), found = halftoner_->traits();
  EXPECT_EQ(found.band_rows, expected.band_rows);
  EXPECT_EQ(found.context_rows, expected.context_rows);
  EXPECT_FALSE(found.by_the_clock) << "by default the bits must be the same every time";
  const auto rows = GetParam().parameters.find("slab_rows");
  if (rows != GetParam().parameters.end()) {
    const bool has_dots = GetParam().parameters.contains("dot");
    EXPECT_EQ(found.band_rows, rows->second * (has_dots ? 2 : 1));
  }
}

TEST_P(Contract, EqualsTheReferenceAtEveryWidthTo66) {
  const uint32_t slow_side = effort::choose(23U, kSlowSide);
  for (uint32_t width = 1; width <= (slow() ? slow_side : 66);
       width += slow() && width > 9 ? 7 : 1) {
    for (const uint32_t rows : {1U, 2U, 7U, 8U, 9U, 31U, 33U, 65U}) {
      if (slow() && rows != 1 && rows != 9 && rows != 33) continue;
      SamplePlane in(width, rows, 1);
      fill(in, Fill::kNoise, 255, width * 1000 + rows);
      ASSERT_NO_FATAL_FAILURE(check_page(in.band, grey_));
    }
  }
}

TEST_P(Contract, EqualsTheReferenceOnEveryKindOfPage) {
  const std::vector<std::pair<uint32_t, uint32_t>> large = {
      {1000, 77}, {4096, 64}, {257, 300}, {1, 2000}, {20000, 3}};
  // Three slabs of 16 rows, with a part of one; a column, and rows that a window does not fit in.
  const auto small =
      effort::choose(std::vector<std::pair<uint32_t, uint32_t>>{{23, 37}, {1, 60}, {100, 3}},
                     {{kSlowSide, 37}, {1, 200}, {200, 3}});
  for (const Fill kind :
       {Fill::kNoise, Fill::kRamp, Fill::kPaper, Fill::kSolid, Fill::kExtremes, Fill::kMidtone}) {
    for (const auto& [width, rows] : slow() ? small : large) {
      SamplePlane in(width, rows, 1);
      fill(in, kind, 255, 42);
      ASSERT_NO_FATAL_FAILURE(check_page(in.band, grey_)) << "fill " << static_cast<int>(kind);
    }
  }
}

TEST_P(Contract, EqualsTheReferenceForEveryKindOfSample) {
  const ToneSettings curved{.gamma = 0.8, .points = {{0, 0}, {50, 54}, {100, 100}}};
  for (const Polarity polarity : {Polarity::kMaxIsPaper, Polarity::kMaxIsInk}) {
    for (const uint32_t max_sample : {255U, 4095U, kInk15, 65535U}) {
      for (const ToneSettings& tone : {ToneSettings{}, curved}) {
        const ToneCurve curve(max_sample, polarity, tone);
        const uint32_t width = slow() ? effort::choose(13U, 27U) : 517, rows = slow() ? 20 : 70;
        SamplePlane in(width, rows, max_sample > 255 ? 2 : 1);
        fill(in, Fill::kRamp, max_sample, 0);
        ASSERT_NO_FATAL_FAILURE(check_page(in.band, curve)) << max_sample;
      }
    }
  }
}

TEST_P(Contract, EqualsTheReferenceForEveryInk) {
  for (const auto& [width, rows] : std::vector<std::pair<uint32_t, uint32_t>>{
           {kSlowSide, 37}, {300, 150}, {64, 65}, {1, 70}, {1023, 33}}) {
    if (slow() && width * rows > kSlowSide * kSlowSide) continue;
    for (const uint32_t bytes : {1U, 2U}) {
      SamplePlane in(width, rows, bytes);
      fill(in, Fill::kRamp, bytes == 1 ? 255 : 4095, 0);
      in.band.plane = 2;
      in.band.texture = texture_of_ink("yellow");
      const ToneCurve curve(bytes == 1 ? 255 : 4095, Polarity::kMaxIsInk);
      ASSERT_NO_FATAL_FAILURE(check_page(in.band, curve));
    }
  }
}

TEST_P(Contract, AnySplitIntoBandsIsTheWholePage) {
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 20260801ULL;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  SoloTeam solo;
  if (slow()) GTEST_SKIP() << "the method asks for its own bands: it is never split otherwise";
  for (int round = 0; round < 40; ++round) {
    const auto width = static_cast<uint32_t>(1 + random() % 700);
    const auto rows = static_cast<uint32_t>(1 + random() % 200);
    std::vector<uint32_t> heights;
    for (int i = 0; i < 5; ++i) heights.push_back(static_cast<uint32_t>(1 + random() % 80));
    SamplePlane in(width, rows, 1);
    fill(in, Fill::kNoise, 255, random());
    in.band.texture = round % 2 == 0 ? 0 : static_cast<uint32_t>(random());
    BitPlane expected(width, rows), found(width, rows);
    run_whole(*halftoner_, in.band, grey_, expected.band);
    run_in_bands(*halftoner_, in.band, grey_, found.band, heights, solo);
    ASSERT_TRUE(same_bits(expected.band, found.band));
  }
}

TEST_P(Contract, AnyNumberOfThreadsGivesTheSameBits) {
  const uint32_t width = slow() ? kSlowSide : 1501, rows = slow() ? kSlowSide : 333;
  SamplePlane in(width, rows, 1);
  fill(in, Fill::kNoise, 255, 7);
  const BitPlane& expected = this->expected(in.band, grey_);
  const std::vector<uint32_t> heights =
      slow() ? std::vector<uint32_t>{rows} : std::vector<uint32_t>{333, 100, 32};
  // The other pages have shown one thread already.
  const auto few = slow() ? std::vector<uint32_t>{2, 8} : std::vector<uint32_t>{1, 2, 3, 8};
  const auto sizes = effort::choose(few, {1, 2, 3, 4, 5, 6, 7, 8});
  for (const uint32_t members : sizes) {
    ThreadTeam team(members);
    for (const uint32_t height : heights) {
      BitPlane found(width, rows);
      run_in_bands(*halftoner_, in.band, grey_, found.band, {height}, team);
      ASSERT_TRUE(same_bits(expected.band, found.band)) << members << " threads";
    }
  }
}

TEST_P(Contract, PaperStaysPaperAndSolidStaysSolid) {
  for (const uint32_t width : {1U, 8U, 13U, 200U}) {
    if (slow() && width > kSlowSide) continue;
    SamplePlane in(width, 50, 1);
    BitPlane out(width, 50);
    fill(in, Fill::kPaper, 255, 0);
    run_whole(*halftoner_, in.band, grey_, out.band);
    for (uint32_t y = 0; y < 50; ++y) {
      for (uint32_t x = 0; x < width; ++x) ASSERT_FALSE(out.band.ink(x, y)) << x << " " << y;
    }
    fill(in, Fill::kSolid, 255, 0);
    run_whole(*halftoner_, in.band, grey_, out.band);
    for (uint32_t y = 0; y < 50; ++y) {
      for (uint32_t x = 0; x < width; ++x) ASSERT_TRUE(out.band.ink(x, y)) << x << " " << y;
    }
  }
}

TEST_P(Contract, PaddingBitsAreZero) {
  const uint32_t rows = slow() ? 3 : 35;
  for (uint32_t width = 1; width <= 40; ++width) {
    SamplePlane in(width, rows, 1);
    fill(in, Fill::kSolid, 255, 0);
    BitPlane out(width, rows);
    run_whole(*halftoner_, in.band, grey_, out.band);
    const uint32_t padding = static_cast<uint32_t>(bit_row_bytes(width) * 8) - width;
    for (uint32_t y = 0; y < rows; ++y) {
      const uint8_t last = out.band.row(y)[bit_row_bytes(width) - 1];
      ASSERT_EQ(last & ((1U << padding) - 1), 0U) << "width " << width << " row " << y;
    }
  }
}

/// The rows of the bands that a toy with these parameters was fed by run_in_bands().
std::vector<uint32_t> fed_rows(const Parameters& parameters) {
  SamplePlane in(20, 40, 1);
  fill(in, Fill::kRamp, 255, 0);
  BitPlane out(20, 40);
  SoloTeam solo;
  toy_log().clear();
  run_in_bands(*make(kToySearch, kToySchedules[0], parameters),
               in.band,
               ToneCurve(255, Polarity::kMaxIsPaper),
               out.band,
               {7, 9},
               solo);
  std::vector<uint32_t> rows;
  for (const ToyLog::Run& run : toy_log().runs) rows.push_back(run.rows);
  return rows;
}

TEST(RunInBands, FeedsAMethodItsOwn) {
  EXPECT_EQ(fed_rows({}), std::vector<uint32_t>({40}));
  EXPECT_EQ(fed_rows({{"slab_rows", 16}}), std::vector<uint32_t>({16, 16, 8}));
}

TEST(Registry, NamesAreUniqueAndSchedulesExist) {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods()) {
    names.push_back(method.name);
    EXPECT_FALSE(method.summary.empty()) << method.name;
    ASSERT_FALSE(method.schedules.empty()) << method.name;
    EXPECT_EQ(method.schedules.front().engine, Engine::kCpu) << "the reference runs anywhere";
    for (const ParameterInfo& parameter : method.parameters) {
      EXPECT_LE(parameter.minimum, parameter.default_value) << parameter.name;
      EXPECT_GE(parameter.maximum, parameter.default_value) << parameter.name;
    }
  }
  std::ranges::sort(names);
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

/// A word that no reader of YAML takes for a number or a boolean.
bool is_name(std::string_view text) {
  const bool is_word = std::ranges::all_of(
      text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
  return is_word && !text.empty() && text[0] >= 'a' && text != "true" && text != "false" &&
         text != "null";
}

TEST(Registry, ChoicesAreNamesAndCoverTheRange) {
  size_t found = 0;
  for (const MethodInfo& method : methods()) {
    for (const ParameterInfo& parameter : method.parameters) {
      if (parameter.choices.empty()) continue;
      ++found;
      SCOPED_TRACE(std::string(method.name) + ", " + std::string(parameter.name));
      EXPECT_TRUE(parameter.integer && !parameter.percent);
      EXPECT_EQ(parameter.minimum, 0);
      EXPECT_EQ(parameter.maximum, static_cast<double>(parameter.choices.size()) - 1);
      EXPECT_TRUE(std::ranges::all_of(parameter.choices, is_name));
      std::vector<std::string_view> names(parameter.choices.begin(), parameter.choices.end());
      std::ranges::sort(names);
      EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << "a name is there twice";
      EXPECT_EQ(choice_name(parameter, 0), parameter.choices.front());
      EXPECT_EQ(choice_name(parameter, parameter.maximum), parameter.choices.back());
    }
  }
  EXPECT_GT(found, 0U);
}

/// The text of the Error that `make_halftoner` throws, or empty.
std::string refusal(const HalftoneSettings& settings) {
  try {
    make_halftoner(complete(settings));
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(Registry, RefusesWhatItDoesNotHave) {
  EXPECT_EQ(refusal({.method = "floyd-steinburg"}),
            "there is no halftoning method 'floyd-steinburg', did you mean 'floyd-steinberg'?");
  EXPECT_EQ(refusal({.method = "floyd-steinberg", .schedule = "wavefrnt"}),
            "method 'floyd-steinberg' has no schedule 'wavefrnt', did you mean 'wavefront'?");
  EXPECT_EQ(refusal({.method = "threshold", .parameters = {{"levle", 50}}}),
            "method 'threshold' has no parameter 'levle', did you mean 'level'?");
  EXPECT_EQ(refusal({.method = "floyd-steinberg", .parameters = {{"ruling", 175}}}),
            "method 'floyd-steinberg' has no parameter 'ruling'; it is a parameter of am");
  EXPECT_EQ(refusal({.method = "threshold", .parameters = {{"level", 101}}}),
            "parameter 'level' must be in 0.1 .. 100, found 101");
  EXPECT_EQ(refusal({.method = "bayer", .parameters = {{"order", 2.5}}}),
            "parameter 'order' must be a whole number in 1 .. 6, found 2.5");
  for (const double path : {-1.0, 0.5, 2.0}) {
    EXPECT_TRUE(refusal({.method = "pinwheel", .parameters = {{"path", path}}})
                    .starts_with("parameter 'path' must be 0 (spiral) or 1 (serpentine), found "));
  }
  EXPECT_EQ(refusal({.method = "pinwheel", .parameters = {{"path", 1.0}}}), "");
  EXPECT_EQ(refusal({.method = "bayer", .engine = Engine::kHandover}),
            "method 'bayer' has no schedule for engine 'handover'; use engine 'auto' or 'cpu'");
  EXPECT_EQ(refusal({.method = "floyd-steinberg", .engine = Engine::kGpu, .schedule = "ec"}),
            "schedule 'ec' runs on engine 'cpu', not on 'gpu'");
}

}  // namespace
}  // namespace mezzo::test::contract_test
