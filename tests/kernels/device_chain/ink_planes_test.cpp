// Inks that are halftoned together, on a GPU from the samples of their page to coded strips, against the
// stages of the CPU. Skipped without a GPU.

#include <gtest/gtest.h>

#include <future>

#include "kernels/band/ink15.h"
#include "kernels/device_chain/plane.h"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/gpu/gpu_together.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/together/inks_blocks.h"
#include "kernels/gpu/context.h"
#include "kernels/prepress/scale.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::ink_planes_test {
namespace {

using namespace device_chain;
using diffusion::FloydSteinbergRule;
using diffusion::together::InksBlockDiffusion;
using diffusion::together::LightTones;

constexpr uint32_t kInks = 4;

/// The plates of inks by the stages of the CPU.
struct ByCpu {
  ByCpu(const PlaneSettings& settings,
        const std::vector<std::unique_ptr<SamplePlane>>& pages,
        const ToneCurve& curve) {
    SoloTeam solo;
    std::vector<SampleBand> in;
    std::vector<BitBand> out;
    for (uint32_t ink = 0; ink < kInks; ++ink) {
      scaled.push_back(
          std::make_unique<SamplePlane>(settings.width_px, settings.height_px, uint32_t{2}));
      plates.push_back(std::make_unique<BitPlane>(settings.width_px, settings.height_px));
      SampleBand samples = pages[ink]->band;
      if (settings.scaling) {
        prepress::make_scaler(samples.width_px, samples.rows, *settings.scaling)
            ->run(samples, scaled[ink]->band, solo);
        samples = scaled[ink]->band;
      }
      in.push_back(samples);
      out.push_back(plates[ink]->band);
    }
    const std::vector<const ToneCurve*> curves(kInks, &curve);
    const InksBlockDiffusion<FloydSteinbergRule> method({}, LightTones::kAsIs);
    const auto state = method.make_state(settings.width_px, kInks);
    method.run({in, curves, out}, state.get(), solo);
    for (uint32_t ink = 0; ink < kInks; ++ink) {
      prepress::ProtectedSamples(curve, settings.protect).protect(in[ink], out[ink]);
      prepress::finish_rows(out[ink], settings.finish);
    }
  }

  std::vector<std::unique_ptr<SamplePlane>> scaled;
  std::vector<std::unique_ptr<BitPlane>> plates;
};

/// A band of every ink on its way.
struct Started {
  std::vector<gpu::PinnedMemory> memory;
  std::vector<Strips> strips;
  std::promise<void> done;
};

class DeviceInkPlanes : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }

  /// All bands are sent before the first is waited for.
  static std::vector<std::unique_ptr<Started>> run(
      InkPlanes& planes,
      const PlaneSettings& settings,
      const std::vector<std::unique_ptr<SamplePlane>>& pages,
      const ToneCurve& curve) {
    std::vector<std::unique_ptr<Started>> bands;
    for (uint32_t first = 0; first < settings.height_px; first += settings.band_rows) {
      const uint32_t rows = std::min(settings.band_rows, settings.height_px - first);
      Started& band = *bands.emplace_back(std::make_unique<Started>());
      band.strips.resize(kInks);
      std::vector<InkBand> inks;
      for (uint32_t ink = 0; ink < kInks; ++ink) {
        const gpu::PinnedMemory& memory = band.memory.emplace_back(planes.memory_bytes());
        inks.push_back({{first, rows, pages[ink]->band, {}},
                        &curve,
                        {memory.data(), memory.size()},
                        &band.strips[ink]});
      }
      planes.start(inks, [&band](const std::exception_ptr& error) {
        error ? band.done.set_exception(error) : band.done.set_value();
      });
    }
    for (const auto& band : bands) band->done.get_future().get();
    return bands;
  }

  static void compare(const PlaneSettings& settings, const ToneCurve& curve) {
    std::vector<std::unique_ptr<SamplePlane>> pages;
    for (uint32_t ink = 0; ink < kInks; ++ink) {
      pages.push_back(std::make_unique<SamplePlane>(
          settings.page_width_px, settings.page_height_px, settings.bytes_per_sample));
      fill(*pages[ink], ink % 2 == 0 ? Fill::kRamp : Fill::kNoise, curve.max_sample(), ink);
      pages[ink]->band.plane = ink;
    }
    const auto halftoner = diffusion::make_gpu_together(FloydSteinbergRule{},
                                                        LightTones::kAsIs,
                                                        diffusion::kGpuSchedules.back(),
                                                        gpu::Context::of_process(),
                                                        nullptr);
    std::vector<PlaneSettings> of_inks(kInks, settings);
    if (settings.band_rows > settings.height_px) {
      // With one band for all of the plate, higher strips take more memory.
      of_inks.back().rows_per_strip *= 7;
      of_inks.back().band_rows = 2 * of_inks.back().rows_per_strip;
    }
    const auto planes = make_ink_planes(*halftoner, of_inks);
    ASSERT_NE(planes, nullptr);
    const auto bands = run(*planes, settings, pages, curve);
    const ByCpu expected(settings, pages, curve);
    for (uint32_t ink = 0; ink < kInks; ++ink) {
      codec::RowSum sum;
      for (const auto& band : bands) {
        const Strips& strips = band->strips[ink];
        if (settings.coding == Coding::kRaw) {
          const BitBand& plate = expected.plates[ink]->band;
          ASSERT_TRUE(same_bits(plate.slice(strips.rows.first_row, strips.rows.rows), strips.rows));
        }
        for (const StripFacts& strip : strips.strips) {
          EXPECT_EQ(strip.decodes, settings.decodes && !strip.coded.empty());
          sum += strip.sum;
        }
      }
      EXPECT_EQ(sum, codec::row_sum(expected.plates[ink]->band)) << "ink " << ink;
    }
  }
};

TEST_F(DeviceInkPlanes, AreThePlatesOfTheCpuRawAndFinished) {
  const ToneCurve grey(255, Polarity::kMaxIsPaper);
  for (const uint32_t width : {1U, 33U, 517U}) {
    for (const bool mirror : {false, true}) {
      for (const uint32_t band_rows : {64U, 160U}) {
        PlaneSettings settings{.page_width_px = width,
                               .page_height_px = 150,
                               .width_px = width,
                               .height_px = 150,
                               .band_rows = band_rows,
                               .rows_per_strip = 16,
                               .protect = {.paper = true, .solid = true}};
        settings.finish.mirror = mirror;
        compare(settings, grey);
      }
    }
  }
}

TEST_F(DeviceInkPlanes, AreThePlatesOfTheCpuScaledAndCoded) {
  const ToneCurve inks(kInk15, Polarity::kMaxIsInk);
  const prepress::Scaling scaling{{5, 2}, {7, 3}, prepress::ScaleFilter::kCubic};
  PlaneSettings settings{.page_width_px = 311,
                         .page_height_px = 270,
                         .bytes_per_sample = 2,
                         .scaling = scaling,
                         .width_px = prepress::scaled_size(311, scaling.x),
                         .height_px = prepress::scaled_size(270, scaling.y),
                         .band_rows = 64,
                         .rows_per_strip = 16,
                         .coding = Coding::kT6,
                         .decodes = true};
  compare(settings, inks);
}

}  // namespace
}  // namespace mezzo::test::ink_planes_test
