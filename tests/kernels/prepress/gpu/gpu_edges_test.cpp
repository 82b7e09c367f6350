// Planes of type that a GPU scales by edges, on their way to rows, against the scaling of the CPU. Skipped without a
// GPU.

#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <memory>
#include <vector>

#include "kernels/band/ink15.h"
#include "kernels/device_chain/plane.h"
#include "kernels/gpu/context.h"
#include "kernels/prepress/scale.h"
#include "tests/kernels/planes.h"
#include "tests/kernels/prepress/edge_pages.h"
#include "tests/kernels/prepress/scale_planes.h"

namespace mezzo::test::gpu_edges_test {
namespace {

using device_chain::PlaneSettings;
using prepress::Ratio;
using prepress::ScaleFilter;
using prepress::Scaling;

const ToneCurve kInks(kInk15, Polarity::kMaxIsInk);

class GpuEdges : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  }
};

/// Error diffusion: each sample that differs moves the dots after it.
std::unique_ptr<Halftoner> diffusion(Engine engine) {
  return make_halftoner(complete({.method = "floyd-steinberg", .engine = engine})).halftoner;
}

PlaneSettings settings_of(const std::vector<Plane>& page, const Scaling& scaling, uint32_t rows) {
  const Plane& first = page.front();
  return {.page_width_px = first.width_px,
          .page_height_px = first.height_px,
          .bytes_per_sample = 2,
          .scaling = scaling,
          .planes = static_cast<uint32_t>(page.size()),
          .width_px = prepress::scaled_size(first.width_px, scaling.x),
          .height_px = prepress::scaled_size(first.height_px, scaling.y),
          .band_rows = rows,
          .rows_per_strip = rows};
}

/// Sends a plane band by band, each with the rows of the page that it needs and no others; `page` has ink15, or
/// one-byte samples if the settings have levels.
void run_on_gpu(const PlaneSettings& settings,
                const std::vector<SampleBand>& page,
                const BitBand& plate) {
  const auto halftoner = diffusion(Engine::kGpu);
  const auto plane = device_chain::make_plane(*halftoner, settings);
  ASSERT_NE(plane, nullptr);
  const auto scaler =
      prepress::make_scaler(settings.page_width_px, settings.page_height_px, *settings.scaling);
  for (uint32_t first = 0; first < settings.height_px; first += settings.band_rows) {
    const uint32_t rows = std::min(settings.band_rows, settings.height_px - first);
    const prepress::SampleRange needed = scaler->rows_needed(first, rows);
    std::vector<std::unique_ptr<SamplePlane>> copies;
    std::vector<SampleBand> planes;
    for (const SampleBand& of_page : page) {
      copies.push_back(
          std::make_unique<SamplePlane>(of_page.width_px, needed.count, of_page.bytes_per_sample));
      MutableSampleBand& copy = copies.back()->band;
      std::memcpy(copy.data, of_page.row(needed.first), needed.count * copy.stride_bytes);
      copy.first_row = needed.first;
      planes.push_back(copy);
    }
    const gpu::PinnedMemory memory(plane->memory_bytes());
    device_chain::Strips strips;
    std::promise<void> done;
    plane->start({.first = first, .rows = rows, .page = planes[settings.plane], .planes = planes},
                 kInks,
                 {memory.data(), memory.size()},
                 strips,
                 [&](const std::exception_ptr& error) {
                   error ? done.set_exception(error) : done.set_value();
                 });
    done.get_future().get();
    for (uint32_t i = 0; i < rows; ++i) {
      std::memcpy(plate.row(first + i), strips.rows.row(i), bit_row_bytes(plate.width_px));
    }
  }
}

std::vector<SampleBand> bands_of(std::vector<Plane>& page) {
  std::vector<SampleBand> bands;
  for (Plane& plane : page) bands.push_back(plane.rows(0, plane.height_px));
  return bands;
}

/// Checks the plates of all planes.
void expect_the_plates_of_the_cpu(std::vector<Plane> page, const Scaling& scaling, uint32_t rows) {
  PlaneSettings settings = settings_of(page, scaling, rows);
  SCOPED_TRACE(testing::Message() << settings.page_width_px << " x " << settings.page_height_px
                                  << " px, plate " << settings.width_px << " x "
                                  << settings.height_px << ", bands of " << rows);
  const auto scaler =
      prepress::make_scaler(settings.page_width_px, settings.page_height_px, scaling);
  std::vector<Plane> scaled = scaled_in_bands(page, *scaler, settings.height_px, 1);
  for (uint32_t plane = 0; plane < page.size(); ++plane) {
    settings.plane = plane;
    BitPlane expected(settings.width_px, settings.height_px);
    run_whole(
        *diffusion(Engine::kCpu), scaled[plane].rows(0, settings.height_px), kInks, expected.band);
    BitPlane found(settings.width_px, settings.height_px);
    run_on_gpu(settings, bands_of(page), found.band);
    EXPECT_TRUE(same_bits(expected.band, found.band)) << "plane " << plane;
  }
}

constexpr Ratio kRatios[] = {{8, 1}, {127, 15}, {3, 2}, {5, 2}, {32, 1}, {9, 8}};

TEST_F(GpuEdges, AreThoseOfTheCpu) {
  constexpr uint32_t kSizes[][2] = {{1, 1}, {2, 3}, {40, 37}, {300, 150}};
  size_t turn = 0;
  for (const auto& [width, height] : kSizes) {
    for (const Plane& page : edge_pages::pages(width, height)) {
      const Ratio x = kRatios[turn % 6], y = turn % 4 == 1 ? Ratio{} : kRatios[turn / 2 % 6];
      expect_the_plates_of_the_cpu({page}, {x, y, ScaleFilter::kEdges}, turn % 3 == 0 ? 24 : 4096);
      ++turn;
    }
  }
}

TEST_F(GpuEdges, AreThoseOfTheCpuForPlanesThatBelongTogether) {
  for (uint32_t turn = 0; turn < 4; ++turn) {
    const Scaling scaling{kRatios[turn], kRatios[(turn + 1) % 4], ScaleFilter::kEdges};
    expect_the_plates_of_the_cpu(edge_pages::planes_of(190 + turn, 130, turn), scaling, 96);
  }
}

TEST_F(GpuEdges, AreThoseOfTheCpuForPlanesThatAProfileSeparated) {
  for (uint32_t turn = 0; turn < 8; ++turn) {
    const Scaling scaling{kRatios[turn % 4], kRatios[(turn + 1) % 4], ScaleFilter::kEdges};
    expect_the_plates_of_the_cpu(
        edge_pages::curved_planes_of(190 + turn, 130, turn), scaling, turn < 4 ? 96 : 7);
  }
}

TEST_F(GpuEdges, LeaveAPageOfItsSizeAsItIs) {
  expect_the_plates_of_the_cpu(
      edge_pages::planes_of(90, 50, 1), {{}, {}, ScaleFilter::kEdges}, 4096);
}

TEST_F(GpuEdges, TakeLevelsInThePlaceOfBytes) {
  std::vector<Plane> page = edge_pages::planes_of(97, 60, 3);
  page.pop_back();  // its inks are not those of bytes
  page.erase(page.begin() + 3, page.end());
  std::vector<std::unique_ptr<SamplePlane>> bytes;
  std::vector<SampleBand> bands;
  for (const Plane& plane : page) {
    auto& copy = *bytes.emplace_back(std::make_unique<SamplePlane>(97, 60, 1));
    for (uint32_t y = 0; y < 60; ++y) {
      for (uint32_t x = 0; x < 97; ++x) copy.set(x, y, 255U - plane.at(x, y) / 128U);
    }
    bands.push_back(copy.band);
  }
  PlaneSettings settings = settings_of(page, {{8, 1}, {8, 1}, ScaleFilter::kEdges}, 120);
  for (settings.plane = 0; settings.plane < 3; ++settings.plane) {
    BitPlane expected(settings.width_px, settings.height_px);
    settings.bytes_per_sample = 2;
    settings.levels = {};
    run_on_gpu(settings, bands_of(page), expected.band);
    settings.bytes_per_sample = 1;
    for (uint32_t sample = 0; sample < 256; ++sample) {
      settings.levels.push_back(ink15(255 - sample, 255));
    }
    BitPlane found(settings.width_px, settings.height_px);
    run_on_gpu(settings, bands, found.band);
    EXPECT_TRUE(same_bits(expected.band, found.band)) << "plane " << settings.plane;
  }
}

}  // namespace
}  // namespace mezzo::test::gpu_edges_test
