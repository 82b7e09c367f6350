// Planes whose way from samples to coded strips is on a GPU, against the stages of the CPU and libtiff:
// every method that has a schedule there, and those with levels. Skipped without a GPU.

#include "kernels/device_chain/plane.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <numeric>

#include "kernels/band/coverage.h"
#include "kernels/band/ink15.h"
#include "kernels/gpu/context.h"
#include "kernels/methods.h"
#include "kernels/prepress/scale.h"
#include "tests/kernels/level_planes.h"
#include "tests/support/fault_at.h"
#include "tests/support/libtiff_strip.h"

namespace mezzo::test::plane_test {
namespace {

using device_chain::Coding;
using device_chain::PlaneSettings;
using prepress::Overlay;

struct Case {
  const MethodInfo* method;
  const ScheduleInfo* schedule;
  Parameters parameters;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.method->name << ", " << value.schedule->name;
  for (const auto& [name, number] : value.parameters) *out << ", " << name << " " << number;
}

size_t choices_of(const MethodInfo& method, std::string_view parameter) {
  return std::ranges::find(method.parameters, parameter, &ParameterInfo::name)->choices.size();
}

/// Searches with all eyes and from all starts: of the whole plane, of several slabs a band, and of
/// slabs that do not end with bands of 64 rows.
std::vector<Parameters> parameters_of(const MethodInfo& method) {
  if (!is_slow(method)) return {{}};
  std::vector<Parameters> all;
  for (size_t eye = 0; eye < choices_of(method, "eye"); ++eye) {
    for (size_t start = 0; start < choices_of(method, "start"); ++start) {
      for (const double slab_rows : {0, 16, 40}) {
        Parameters parameters = tested_parameters(method).front();
        parameters["eye"] = static_cast<double>(eye);
        parameters["start"] = static_cast<double>(start);
        parameters["slab_rows"] = slab_rows;
        parameters["seed"] = 7;
        all.push_back(std::move(parameters));
      }
    }
  }
  return all;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MethodInfo& method : methods()) {
    for (const ScheduleInfo& schedule : method.schedules) {
      if (schedule.engine != Engine::kGpu) continue;
      for (const Parameters& parameters : parameters_of(method)) {
        cases.push_back({&method, &schedule, parameters});
      }
    }
  }
  const size_t with_single_dots = cases.size();
  for (size_t i = 0; i < with_single_dots; ++i) {
    const bool is_last = i + 1 == with_single_dots || cases[i + 1].method != cases[i].method;
    if (!is_last) continue;  // a schedule of each method; sides in turn
    Case dots = cases[i];
    dots.parameters["dot"] = 2 + static_cast<double>(i % 3);
    cases.push_back(dots);
  }
  return cases;
}

std::vector<Case> cases_with_levels() {
  std::vector<Case> cases = all_cases();
  std::erase_if(cases, [](const Case& one) {
    return one.method->levels == LevelSupport::kNone || !one.schedule->has_levels;
  });
  return cases;
}

/// A plate as it came down.
struct Fetched {
  Fetched(uint32_t row_bits, uint32_t rows) : plate(row_bits, rows) {}
  BitPlane plate;  ///< raw rows, a bit a pixel whatever they hold
  std::vector<std::vector<uint8_t>> coded;
  uint32_t decoded = 0;  ///< of these strips
  codec::RowSum sum;
  uint64_t ink_px = 0;
  std::vector<uint64_t> value_px;
  prepress::Protection protection;
  prepress::OverlayPixels linework;
};

void append(const device_chain::Strips& strips, Fetched& fetched) {
  fetched.protection += strips.protection;
  fetched.linework += strips.linework;
  for (uint32_t i = 0; i < strips.rows.rows; ++i) {
    std::memcpy(fetched.plate.band.row(strips.rows.first_row + i),
                strips.rows.row(i),
                bit_row_bytes(strips.rows.width_px, strips.rows.bits_per_px));
  }
  for (const device_chain::StripFacts& strip : strips.strips) {
    fetched.sum += strip.sum;
    fetched.ink_px += strip.ink_px;
    fetched.value_px.resize(strip.value_px.size());
    for (size_t i = 0; i < strip.value_px.size(); ++i) fetched.value_px[i] += strip.value_px[i];
    EXPECT_TRUE(strip.coded.empty() || strip.coded_sum == codec::byte_sum(strip.coded));
    if (strip.decodes) ++fetched.decoded;
    const auto* bytes = reinterpret_cast<const uint8_t*>(strip.coded.data());
    fetched.coded.emplace_back(bytes, bytes + strip.coded.size());
  }
}

/// Sends a page band by band, all of them before the first is waited for.
void run_on_gpu(device_chain::Plane& plane,
                const PlaneSettings& settings,
                const SampleBand& page,
                const BitBand& linework,
                const ToneCurve& curve,
                Fetched& fetched) {
  struct Band {
    gpu::PinnedMemory memory;
    device_chain::Strips strips;
    std::promise<void> done;
  };
  std::vector<std::unique_ptr<Band>> bands;
  for (uint32_t first = 0; first < settings.height_px; first += settings.band_rows) {
    const uint32_t rows = std::min(settings.band_rows, settings.height_px - first);
    bands.push_back(std::make_unique<Band>());
    Band& band = *bands.back();
    band.memory = gpu::PinnedMemory(plane.memory_bytes());
    plane.start({first, rows, page, linework.slice(first, rows)},
                curve,
                {band.memory.data(), band.memory.size()},
                band.strips,
                [&band](const std::exception_ptr& error) {
                  error ? band.done.set_exception(error) : band.done.set_value();
                });
  }
  for (const auto& band : bands) {
    band->done.get_future().get();
    append(band->strips, fetched);
  }
}

/// The plate by the stages of the CPU; what was mended and laid over.
std::pair<prepress::Protection, prepress::OverlayPixels> run_on_cpu(const Halftoner& halftoner,
                                                                    const PlaneSettings& settings,
                                                                    const SampleBand& page,
                                                                    const BitBand& linework,
                                                                    const ToneCurve& curve,
                                                                    const BitBand& plate) {
  SoloTeam solo;
  SamplePlane scaled(settings.width_px, settings.height_px, 2);
  SampleBand samples = page;
  if (settings.scaling) {
    prepress::make_scaler(page.width_px, page.rows, *settings.scaling)
        ->run(page, scaled.band, solo);
    scaled.band.plane = page.plane;
    scaled.band.texture = page.texture;
    samples = scaled.band;
  }
  run_whole(halftoner, samples, curve, plate);
  const auto protection =
      prepress::ProtectedSamples(curve, settings.protect).protect(samples, plate);
  const auto laid_over = prepress::lay_over(settings.overlay, linework, plate);
  prepress::finish_rows(plate, settings.finish);
  return {protection, laid_over};
}

/// Rules of several widths, and paper between them.
void draw_bars(const BitBand& rows) {
  for (uint32_t y = 0; y < rows.rows; ++y) {
    std::memset(rows.row(y), 0, bit_row_bytes(rows.width_px));
    for (uint32_t x = 0; x < rows.width_px; ++x) {
      if (x * x / 97 % 3 == 0 && y / 5 % 4 != 0) rows.row(y)[x / 8] |= uint8_t(0x80U >> x % 8);
    }
  }
}

uint64_t ink_of(const BitBand& rows) {
  uint64_t ink = 0;
  for (uint32_t y = 0; y < rows.rows; ++y) {
    for (uint32_t x = 0; x < rows.width_px; ++x) ink += rows.ink(x, y);
  }
  return ink;
}

class DevicePlane : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
    halftoner_ = make(*GetParam().method, *GetParam().schedule, GetParam().parameters);
  }

  bool searches() const { return halftoner_->traits().band_rows != 0; }

  /// With bands that suit the method, of about as many rows.
  PlaneSettings fitted(PlaneSettings settings) const {
    const uint32_t own = halftoner_->traits().band_rows, strip = settings.rows_per_strip;
    if (own == 0) return settings;
    const uint32_t whole = (settings.height_px + strip - 1) / strip * strip;
    const uint32_t both = own == kWholePlane ? whole : std::lcm(own, strip);
    settings.band_rows = std::max(settings.band_rows / both, 1U) * both;
    return settings;
  }

  void expect_the_plate_of_the_cpu(const PlaneSettings& asked, const ToneCurve& curve) {
    const PlaneSettings settings = fitted(asked);
    SCOPED_TRACE(std::to_string(settings.width_px) + " x " + std::to_string(settings.height_px));
    SamplePlane page(settings.page_width_px, settings.page_height_px, settings.bytes_per_sample);
    fill(page, Fill::kRamp, curve.max_sample(), settings.width_px);
    page.band.plane = 1;
    page.band.texture = 3;
    const auto plane = device_chain::make_plane(*halftoner_, settings);
    ASSERT_NE(plane, nullptr);
    BitPlane linework(settings.width_px, settings.height_px);
    draw_bars(linework.band);
    Fetched fetched(settings.width_px, settings.height_px);
    run_on_gpu(*plane, settings, page.band, linework.band, curve, fetched);
    BitPlane expected(settings.width_px, settings.height_px);
    const auto [protection, laid_over] =
        run_on_cpu(*reference_of(*GetParam().method, GetParam().parameters),
                   settings,
                   page.band,
                   linework.band,
                   curve,
                   expected.band);
    EXPECT_EQ(fetched.protection, protection);
    EXPECT_EQ(fetched.linework, laid_over);
    EXPECT_EQ(fetched.ink_px, ink_of(expected.band));
    EXPECT_EQ(fetched.sum, codec::row_sum(expected.band));
    const auto libtiff =
        libtiff_strips(expected.band, settings.rows_per_strip, COMPRESSION_CCITTFAX4);
    ASSERT_EQ(fetched.coded.size(), libtiff.size());
    uint32_t coded = 0;
    for (uint32_t i = 0; i < libtiff.size(); ++i) {
      const uint32_t first = i * settings.rows_per_strip;
      const uint32_t rows = std::min(settings.rows_per_strip, settings.height_px - first);
      const bool is_coded = !fetched.coded[i].empty();
      EXPECT_LE(is_coded, settings.coding == Coding::kT6);
      if (is_coded) {
        ++coded;
        EXPECT_EQ(fetched.coded[i], libtiff[i]) << "strip " << i;
      } else {
        EXPECT_TRUE(
            same_bits(expected.band.slice(first, rows), fetched.plate.band.slice(first, rows)));
      }
    }
    EXPECT_EQ(fetched.decoded, settings.decodes ? coded : 0);
  }

  std::unique_ptr<Halftoner> halftoner_;
};

std::string name_of(const ::testing::TestParamInfo<Case>& test) {
  std::string name(test.param.method->name);
  name += "_gpu_" + std::string(test.param.schedule->name);
  std::ranges::replace(name, '-', '_');
  const Parameters& parameters = test.param.parameters;
  const auto value = [&](const char* parameter) {
    return static_cast<int>(parameters.at(parameter));
  };
  if (parameters.contains("start")) {
    constexpr const char* kStarts[] = {"_fs_", "_random_", "_dbs_"};
    name += "_eye_" + std::to_string(value("eye")) + kStarts[value("start")] +
            std::to_string(value("slab_rows"));
  }
  if (parameters.contains("dot")) name += "_dots_of_" + std::to_string(value("dot"));
  return name;
}

INSTANTIATE_TEST_SUITE_P(Gpu, DevicePlane, ::testing::ValuesIn(all_cases()), name_of);

const ToneCurve kGrey(255, Polarity::kMaxIsPaper);
const ToneCurve kInks(kInk15, Polarity::kMaxIsInk);

PlaneSettings plain(uint32_t width_px, uint32_t height_px) {
  return {.page_width_px = width_px,
          .page_height_px = height_px,
          .width_px = width_px,
          .height_px = height_px,
          .band_rows = 64,
          .rows_per_strip = 16,
          .protect = {.paper = true, .solid = true}};
}

PlaneSettings scaled(uint32_t page_width_px,
                     uint32_t page_height_px,
                     const prepress::Scaling& scaling) {
  PlaneSettings settings = plain(prepress::scaled_size(page_width_px, scaling.x),
                                 prepress::scaled_size(page_height_px, scaling.y));
  settings.page_width_px = page_width_px;
  settings.page_height_px = page_height_px;
  settings.bytes_per_sample = 2;
  settings.scaling = scaling;
  settings.coding = Coding::kT6;
  settings.decodes = true;
  return settings;
}

TEST_P(DevicePlane, IsThePlateOfTheCpuRawAndFinished) {
  if (searches()) {  // slow on the CPU
    for (const uint32_t width : {1U, 33U, 97U}) {
      PlaneSettings settings = plain(width, 150);
      settings.finish.mirror = true;
      settings.overlay = Overlay::kPrint;
      expect_the_plate_of_the_cpu(settings, kGrey);
    }
    return;
  }
  for (const uint32_t width : {1U, 31U, 32U, 33U, 200U, 517U}) {
    for (const bool mirror : {false, true}) {
      for (const bool negative : {false, true}) {
        PlaneSettings settings = plain(width, 150);
        settings.finish = {mirror, negative};
        for (const Overlay overlay : {Overlay::kKeep, Overlay::kPrint, Overlay::kKnockOut}) {
          settings.overlay = overlay;
          expect_the_plate_of_the_cpu(settings, kGrey);
        }
      }
    }
  }
}

TEST_P(DevicePlane, IsThePlateOfTheCpuScaledAndCoded) {
  if (searches()) {
    const auto filter = prepress::ScaleFilter::kCubic;
    expect_the_plate_of_the_cpu(scaled(31, 43, {{3, 1}, {5, 1}, filter}), kInks);
    expect_the_plate_of_the_cpu(scaled(200, 260, {{2, 3}, {5, 7}, filter}), kInks);
    return;
  }
  for (const auto& [name, filter] :
       std::initializer_list<std::pair<const char*, prepress::ScaleFilter>>{
           {"nearest", prepress::ScaleFilter::kNearest},
           {"linear", prepress::ScaleFilter::kLinear},
           {"cubic", prepress::ScaleFilter::kCubic},
           {"edges", prepress::ScaleFilter::kEdges},
           {"area", prepress::ScaleFilter::kArea}}) {
    SCOPED_TRACE(name);
    expect_the_plate_of_the_cpu(scaled(61, 43, {{8, 1}, {8, 1}, filter}), kInks);
    if (filter == prepress::ScaleFilter::kEdges) continue;  // makes no smaller plates
    expect_the_plate_of_the_cpu(scaled(300, 260, {{2, 3}, {5, 7}, filter}), kInks);
    expect_the_plate_of_the_cpu(scaled(77, 1, {{4, 3}, {32, 1}, filter}), kInks);
    expect_the_plate_of_the_cpu(scaled(500, 400, {{1, 7}, {2, 13}, filter}), kInks);
  }
}

TEST_P(DevicePlane, TakesLevelsInThePlaceOfBytes) {
  if (searches()) GTEST_SKIP() << "scaling is the same for all methods, and searches take long";
  std::vector<uint16_t> levels;
  for (uint32_t sample = 0; sample < 256; ++sample) levels.push_back(ink15(255 - sample, 255));
  for (const uint32_t width : {1U, 61U, 64U}) {
    SCOPED_TRACE(width);
    PlaneSettings settings =
        fitted(scaled(width, 43, {{8, 1}, {8, 1}, prepress::ScaleFilter::kCubic}));
    SamplePlane bytes(width, 43, 1), words(width, 43, 2);
    fill(bytes, Fill::kRamp, 255, width);
    for (uint32_t y = 0; y < 43; ++y) {
      auto* to = reinterpret_cast<uint16_t*>(words.band.row(y));
      for (uint32_t x = 0; x < width; ++x) to[x] = levels[bytes.band.row8(y)[x]];
    }
    const BitPlane linework(settings.width_px, settings.height_px);
    const auto make_plate = [&](const SampleBand& page, Fetched& plate) {
      const auto plane = device_chain::make_plane(*halftoner_, settings);
      run_on_gpu(*plane, settings, page, linework.band, kInks, plate);
    };
    Fetched expected(settings.width_px, settings.height_px);
    make_plate(words.band, expected);
    settings.bytes_per_sample = 1;
    settings.levels = levels;
    Fetched fetched(settings.width_px, settings.height_px);
    make_plate(bytes.band, fetched);
    EXPECT_EQ(fetched.coded, expected.coded);
    EXPECT_EQ(fetched.sum, expected.sum);
    EXPECT_EQ(fetched.ink_px, expected.ink_px);
    EXPECT_GT(fetched.ink_px, 0U);
  }
}

/// Those at the ends of rounds; there are others within rounds that take long.
std::string text_of(const std::vector<RoundReport>& reports) {
  std::string text;
  for (const RoundReport& report : reports) {
    if (report.part < 1) continue;
    text += std::to_string(report.first_row) + "/" + std::to_string(report.round) + ": " +
            std::to_string(report.changed) + ", " + std::to_string(report.average_error) + "\n";
  }
  return text;
}

TEST_P(DevicePlane, TellsOfTheRoundsOfTheCpu) {
  if (!searches()) GTEST_SKIP() << "has no rounds";
  const PlaneSettings settings = fitted(plain(90, 150));
  SamplePlane page(90, 150, 1);
  fill(page, Fill::kRamp, 255, 1);
  BitPlane linework(90, 150), expected(90, 150);
  Fetched fetched(90, 150);
  std::vector<RoundReport> on_gpu, on_cpu;
  const auto plane = device_chain::make_plane(*halftoner_, settings);
  ASSERT_NE(plane, nullptr);
  plane->on_round = [&](const RoundReport& report) { on_gpu.push_back(report); };
  run_on_gpu(*plane, settings, page.band, linework.band, kGrey, fetched);
  const auto reference = reference_of(*GetParam().method, GetParam().parameters);
  const auto state = reference->make_state(90);
  state->on_round = [&](const RoundReport& report) { on_cpu.push_back(report); };
  const uint32_t rows = std::min(reference->traits().band_rows, 150U);
  SoloTeam solo;
  for (uint32_t row = 0; row < 150; row += rows) {
    const uint32_t now = std::min(rows, 150 - row);
    reference->run(
        page.band.slice(row, now), kGrey, expected.band.slice(row, now), state.get(), solo);
  }
  EXPECT_NE(text_of(on_cpu), "");
  EXPECT_EQ(text_of(on_gpu), text_of(on_cpu));
}

TEST_P(DevicePlane, FailsWhereARoundIsRefused) {
  if (!searches()) GTEST_SKIP() << "has no rounds";
  const PlaneSettings settings = fitted(plain(90, 150));
  SamplePlane page(90, 150, 1);
  fill(page, Fill::kRamp, 255, 1);
  BitPlane linework(90, 150);
  Fetched fetched(90, 150);
  const auto plane = device_chain::make_plane(*halftoner_, settings);
  ASSERT_NE(plane, nullptr);
  plane->on_round = [&](const RoundReport& report) {
    if (report.round == 1) throw std::runtime_error("enough");
  };
  EXPECT_THROW(run_on_gpu(*plane, settings, page.band, linework.band, kGrey, fetched),
               std::runtime_error);
}

/// All memory is taken before the first band: a plane that has begun does not end for want of it.
TEST_P(DevicePlane, OfASearchIsNotMadeWhereTheGpuHasNoRoom) {
  if (!searches()) GTEST_SKIP() << "for searches";
  const HalftoneSettings halftone{.method = std::string(GetParam().method->name),
                                  .engine = Engine::kGpu,
                                  .parameters = GetParam().parameters};
  const PlaneSettings settings = fitted(plain(90, 150));
  uint64_t calls = 0;
  const auto is_made = [&](uint64_t fault) {
    FaultyContext faulty;
    const auto halftoner = make_halftoner(complete(halftone), faulty.context).halftoner;
    faulty.fault->set(fault);
    const bool made = device_chain::make_plane(*halftoner, settings) != nullptr;
    calls = faulty.fault->calls();
    return made;
  };
  EXPECT_TRUE(is_made(0));
  const uint64_t all = calls;
  EXPECT_GT(all, 30U);
  for (uint64_t call = 1; call < all; call += 7) EXPECT_FALSE(is_made(call)) << "call " << call;
}

/// Plates of levels, against those of the method's reference.
class DeviceLevels : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  static HalftoneSettings settings_with(const LevelSettings& levels) {
    HalftoneSettings settings = settings_of(*GetParam().method);
    settings.levels = levels;
    return settings;
  }

  static std::unique_ptr<Halftoner> make_on_gpu(HalftoneSettings settings) {
    settings.engine = Engine::kGpu;
    settings.schedule = GetParam().schedule->name;
    return make_halftoner(complete(settings, kPlate)).halftoner;
  }

  static void expect_the_plate_of_the_cpu(const LevelSettings& levels,
                                          PlaneSettings settings,
                                          const ToneCurve& curve) {
    SCOPED_TRACE(std::to_string(levels.drops.size()) + " levels, " +
                 std::to_string(settings.width_px) + " x " + std::to_string(settings.height_px));
    settings.protect = {};
    settings.coding = Coding::kRaw;
    const HalftoneSettings asked = settings_with(levels);
    const uint32_t bits = bits_per_pixel(asked);
    const auto halftoner = make_on_gpu(asked);
    EXPECT_EQ(halftoner->traits().bits_per_px, bits);
    SamplePlane page(settings.page_width_px, settings.page_height_px, settings.bytes_per_sample);
    fill(page, Fill::kRamp, curve.max_sample(), settings.width_px);
    page.band.plane = 2;
    page.band.texture = 3;
    const auto plane = device_chain::make_plane(*halftoner, settings);
    ASSERT_NE(plane, nullptr);
    BitPlane linework(settings.width_px, settings.height_px);
    draw_bars(linework.band);
    Fetched fetched(settings.width_px * bits, settings.height_px);
    run_on_gpu(*plane, settings, page.band, linework.band, curve, fetched);
    BitPlane memory(settings.width_px * bits, settings.height_px);
    BitBand expected = memory.band;
    expected.width_px = settings.width_px;
    expected.bits_per_px = bits;
    run_on_cpu(*make_reference(complete(asked, kPlate)),
               settings,
               page.band,
               linework.band,
               curve,
               expected);
    EXPECT_TRUE(same_bits(memory.band, fetched.plate.band));
    EXPECT_EQ(fetched.sum, codec::row_sum(expected));
    expect_counts(expected, fetched);
  }

 private:
  static void expect_counts(const BitBand& expected, const Fetched& fetched) {
    if (expected.bits_per_px == 1) {
      EXPECT_EQ(fetched.ink_px, ink_of(expected));
      return;
    }
    std::vector<uint64_t> values(size_t{1} << expected.bits_per_px);
    for (uint32_t y = 0; y < expected.rows; ++y) {
      for (uint32_t x = 0; x < expected.width_px; ++x) ++values[expected.level(x, y)];
    }
    EXPECT_EQ(fetched.value_px, values);
  }
};

INSTANTIATE_TEST_SUITE_P(Gpu, DeviceLevels, ::testing::ValuesIn(cases_with_levels()), name_of);

/// So many levels, with gaps of several widths.
std::vector<double> drops_of(size_t levels) {
  std::vector<double> drops;
  for (size_t i = 0; i < levels; ++i) drops.push_back(static_cast<double>(i * (i + 3)));
  return drops;
}

TEST_P(DeviceLevels, ArePackedAsByTheCpu) {
  for (const size_t levels : {2U, 3U, 4U, 8U, 16U}) {
    for (const uint32_t width : {1U, 7U, 8U, 9U, 16U, 33U, 517U}) {
      for (const bool mirror : {false, true}) {
        PlaneSettings settings = plain(width, 150);
        settings.finish = {mirror, width == 33};
        expect_the_plate_of_the_cpu({.drops = drops_of(levels)}, settings, kGrey);
      }
    }
  }
}

TEST_P(DeviceLevels, ArePlanesAsByTheCpu) {
  for (const size_t levels : {2U, 3U, 8U, 16U}) {
    for (uint32_t bit = 0; bit < drop_bits(levels); ++bit) {
      SCOPED_TRACE("bit " + std::to_string(bit));
      const LevelSettings of_bit{
          .drops = drops_of(levels), .format = LevelFormat::kPlanes, .bit = bit};
      for (const uint32_t width : {1U, 33U, 517U}) {
        PlaneSettings settings = plain(width, 150);
        settings.finish = {width != 517, width == 33};
        settings.overlay = width == 1 ? Overlay::kKeep : Overlay::kKnockOut;
        expect_the_plate_of_the_cpu(of_bit, settings, kGrey);
      }
    }
  }
}

TEST_P(DeviceLevels, AreThoseOfTheCpuScaledAndWithAnyCurve) {
  const ToneCurve steep(kInk15, Polarity::kMaxIsInk, {.gamma = 1.7});
  const ToneCurve twelve(4095, Polarity::kMaxIsPaper, {.gamma = 0.6});
  const prepress::Scaling scaling{{2, 3}, {5, 7}, prepress::ScaleFilter::kLinear};
  for (const size_t levels : {4U, 5U}) {
    expect_the_plate_of_the_cpu({.drops = drops_of(levels)}, scaled(300, 260, scaling), steep);
    PlaneSettings deep = plain(200, 150);
    deep.bytes_per_sample = 2;
    expect_the_plate_of_the_cpu({.drops = drops_of(levels)}, deep, twelve);
  }
}

TEST_P(DeviceLevels, StayOnTheGpuWhereTheirMethodDoes) {
  for (const double dot : {1.0, 2.0}) {
    HalftoneSettings bilevel = settings_of(*GetParam().method);
    if (GetParam().method->square_side({.parameters = {{"dot", 2.0}}}) == 2) {
      bilevel.parameters["dot"] = dot;
    }
    const bool stays = make_on_gpu(bilevel)->on_gpu() != nullptr;
    for (const size_t levels : {2U, 4U, 16U}) {
      HalftoneSettings settings = bilevel;
      settings.levels = {.drops = drops_of(levels)};
      const auto halftoner = make_on_gpu(settings);
      EXPECT_EQ(halftoner->on_gpu() != nullptr, stays) << levels << " levels, dot " << dot;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::plane_test
