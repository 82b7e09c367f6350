// The bands of pages whose planes become strips on a GPU.

#include "pipeline/run/device_bands.h"

#include <gtest/gtest.h>

#include "kernels/halftoner.h"

namespace mezzo::test::device_bands_test {
namespace {

/// Wants bands, and bytes a pixel for its work; does nothing.
class Wants final : public Halftoner {
 public:
  explicit Wants(uint32_t band_rows, uint64_t bytes_a_pixel = 0)
      : band_rows_(band_rows), bytes_a_pixel_(bytes_a_pixel) {}
  HalftonerTraits traits() const override { return {.band_rows = band_rows_}; }
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows) const override {
    return bytes_a_pixel_ * width_px * band_rows;
  }
  std::unique_ptr<HalftonerState> make_state(uint32_t) const override { return nullptr; }
  void run(
      const SampleBand&, const ToneCurve&, const BitBand&, HalftonerState*, Team&) const override {}

 private:
  uint32_t band_rows_;
  uint64_t bytes_a_pixel_;
};

PageInfo page_of(uint32_t width_px, uint32_t height_px) {
  PageInfo info;
  info.width_px = width_px;
  info.height_px = height_px;
  info.inks = {"cyan", "black"};
  return info;
}

const PageInfo kPlate = page_of(8000, 3000);
const PageInfo kSmall = page_of(1000, 375);

std::optional<uint32_t> rows(const plan::PageHalftoners& halftoners,
                             const PageInfo& page,
                             const plan::BandPlan& bands,
                             uint32_t rows_per_strip = 64) {
  return run::rows_on_device({.plate = kPlate,
                              .page = page,
                              .strip_rows = rows_per_strip,
                              .has_linework = false,
                              .halftoners = halftoners},
                             bands);
}

TEST(DeviceBands, AreWholeStripsAndMoreWhereThePageIsSmall) {
  const Wants any(0);
  EXPECT_EQ(rows(any, kPlate, {.rows = 100, .in_flight = 5}), 64U);
  EXPECT_EQ(rows(any, kPlate, {.rows = 10, .in_flight = 5}), 64U);
  // 9,000 bytes a row of a band of the plate, and 1,125 of the page.
  EXPECT_EQ(rows(any, kSmall, {.rows = 100, .in_flight = 5}), 768U);
  EXPECT_EQ(rows(any, kSmall, {.rows = 1000, .in_flight = 5}), 3008U) << "of 3,000";
}

TEST(DeviceBands, AreWholeSlabsOfSearches) {
  const plan::BandPlan slabs{.rows = 96, .in_flight = 2};
  EXPECT_EQ(rows(Wants(96, 11), kSmall, slabs), 192U);
  EXPECT_EQ(rows(Wants(96, 11), kSmall, slabs, 32), 96U);
  EXPECT_EQ(rows(Wants(96, 100), kSmall, slabs, 3000), 3000U) << "one strip";
  const Wants of_black(0);
  const Wants of_cyan(96, 22);
  EXPECT_EQ(rows(plan::PageHalftoners({&of_cyan, &of_black}), kSmall, slabs), 192U);
}

TEST(DeviceBands, AreThePlateWhereItIsSearchedAsAWhole) {
  EXPECT_EQ(rows(Wants(kWholePlane, 6), kPlate, {.rows = 3000, .in_flight = 1}), 3008U);
  EXPECT_EQ(rows(Wants(4000, 6), kPlate, {.rows = 3000, .in_flight = 1}, 4096), 4096U);
}

TEST(DeviceBands, AreNoneWhereSlabsAndStripsDoNotFit) {
  // 97 slabs, or 64 strips: more than the plate has, which takes its memory.
  const plan::BandPlan slabs{.rows = 97, .in_flight = 2};
  EXPECT_EQ(rows(Wants(97, 11), kPlate, slabs), std::nullopt);
  EXPECT_EQ(rows(Wants(97, 11), kPlate, slabs, 97), 97U);
  EXPECT_EQ(rows(Wants(97, 1000), kPlate, slabs), 3008U);
}

}  // namespace
}  // namespace mezzo::test::device_bands_test
