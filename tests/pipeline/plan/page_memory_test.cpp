// Pages that do not fit into the memory of their job: the limit that a refusal names is one that does.
#include "pipeline/plan/page_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "kernels/base/error.h"
#include "pipeline/plan/plan.h"
#include "stages/screen/tile_file.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/icc/written_profile.h"
#include "tests/stages/tiff/read/reader_fixture.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::page_memory_test {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kMiB = 1 << 20;

class PageMemory : public ::testing::Test {
 protected:
  PageMemory() { ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1); }

  void write_page(const tiff::ContoneOptions& options, const std::string& name = "page.tif") {
    const auto writer = tiff::ContoneWriter::create(folder_ / name, options);
    const std::vector<std::byte> row(size_t{options.width_px} * options.planes * options.bits / 8,
                                     std::byte{100});
    for (uint32_t y = 0; y < options.height_px; ++y) writer->write_rows(row.data(), 1);
    writer->finish();
  }

  manifests::PageSettings& add(const std::string& input) {
    manifests::JobPage& page = job_.pages.emplace_back();
    page.input = folder_ / input;
    page.settings.halftone.method = "bayer";
    page.settings.output.path = folder_ / (std::to_string(job_.pages.size()) + "_{ink}.tif");
    return page.settings;
  }

  plan::JobPlan planned(uint64_t mib) {
    job_.limits.memory_bytes = mib * kMiB;
    return plan::make_plan(job_);
  }

  /// The limit in MiB that the refusals of a job of 48 MiB name; 0 for none.
  uint64_t needed() {
    constexpr std::string_view kBegin = "needs at least ";
    uint64_t most = 0;
    for (const plan::SheetPlan& sheet : planned(48).sheets) {
      if (!sheet.failure) continue;
      const std::string text = sheet.failure->text();
      const size_t at = text.find(kBegin);
      EXPECT_NE(at, std::string::npos) << text;
      if (at == std::string::npos) continue;
      most = std::max<uint64_t>(most, std::stoull(text.substr(at + kBegin.size())));
    }
    return most;
  }

  /// Refused in 48 MiB, and planned in what is named.
  void expect_that_what_is_named_does() {
    const uint64_t mib = needed();
    ASSERT_GT(mib, 48U);
    for (const plan::SheetPlan& sheet : planned(mib).sheets) {
      EXPECT_FALSE(sheet.failure) << sheet.failure->text();
    }
  }

  const TempFolder folder_;
  manifests::Job job_;
};

TEST_F(PageMemory, OfWideTiles) {
  for (const uint32_t threads : {1U, 16U}) {
    SCOPED_TRACE(threads);
    job_ = {};
    job_.limits.threads = threads;
    write_page({.width_px = 20'000,
                .height_px = 300,
                .bits = 16,
                .planes = 4,
                .tile_width_px = 512,
                .tile_height_px = 256});
    add("page.tif");
    expect_that_what_is_named_does();
  }
}

TEST_F(PageMemory, OfScaledPagesOnTheirSide) {
  write_page({.width_px = 40, .height_px = 4'000, .planes = 4, .rows_per_strip = 4'000, .dpi = 96});
  manifests::PageSettings& settings = add("page.tif");
  settings.geometry.rotate_degrees = 90;
  settings.output.resolution_dpi = 2400;
  expect_that_what_is_named_does();
}

TEST_F(PageMemory, OfScreensThatTakeMuchToMake) {
  write_page({.width_px = 4'000, .height_px = 20, .planes = 4, .dpi = 2400});
  add("page.tif").halftone = {.method = "am", .parameters = {{"ruling", 175}}};
  expect_that_what_is_named_does();
}

/// The reader takes less than its share where bands need the rest.
TEST_F(PageMemory, LeavesToBandsWhatTheReaderCanDoWithout) {
  write_page({.width_px = 30'000,
              .height_px = 64,
              .bits = 16,
              .planes = 4,
              .tile_width_px = 1024,
              .tile_height_px = 64});
  job_.limits.threads = 16;
  add("page.tif");
  const uint64_t mib = needed();
  const plan::SheetPlan sheet = planned(mib).sheets.at(0);
  ASSERT_FALSE(sheet.failure);
  EXPECT_EQ(sheet.bands.at(0).reader_bytes, sheet.least_readers.at(0).open_bytes);
  EXPECT_LE(sheet.memory_bytes + plan::kProgramBytes, mib * kMiB);
  EXPECT_TRUE(planned(mib - 1).sheets.at(0).failure);
}

/// Each page with a profile of its own has a table of its own.
TEST_F(PageMemory, OfManyTablesOfColours) {
  const PageSpec spec{.samples = 4, .photometric = PHOTOMETRIC_SEPARATED};
  const auto write_bytes = [&](const std::string& name, const ProfileBytes& bytes) {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  };
  write_bytes("press.icc", written_profile({}));
  for (int i = 0; i < 4; ++i) {
    const std::string name = std::to_string(i);
    write_file(folder_ / (name + ".tif"), spec, make_samples(spec));
    write_bytes(name + ".icc", written_profile({.black = 0.3 + 0.1 * i}));
    manifests::ColourSettings& colour = add(name + ".tif").colour;
    colour.profile = folder_ / "press.icc";
    colour.assumed_cmyk = folder_ / (name + ".icc");
  }
  expect_that_what_is_named_does();
  EXPECT_FALSE(planned(48).sheets.at(0).failure);
  EXPECT_TRUE(planned(48).sheets.at(3).failure);
}

/// Of which lcms2 has copies while it makes a table, and not once that is in the cache.
TEST_F(PageMemory, OfLargeProfiles) {
  const PageSpec spec{.samples = 4, .photometric = PHOTOMETRIC_SEPARATED};
  write_file(folder_ / "page.tif", spec, make_samples(spec));
  for (const double black : {0.3, 0.8}) {
    const ProfileBytes bytes = written_profile({.grid = 21, .black = black});
    std::ofstream(folder_ / (black < 0.5 ? "page.icc" : "press.icc"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  }
  manifests::ColourSettings& colour = add("page.tif").colour;
  colour.profile = folder_ / "press.icc";
  colour.assumed_cmyk = folder_ / "page.icc";
  const plan::SheetPlan refused = planned(56).sheets.at(0);
  ASSERT_TRUE(refused.failure);
  EXPECT_THAT(refused.failure->text(),
              HasSubstr("to make tables of the ICC profiles of 4.47 MiB, a job needs at least "));
  expect_that_what_is_named_does();
  EXPECT_FALSE(planned(56).sheets.at(0).failure) << "the table is in the cache";
}

TEST_F(PageMemory, OfMoreTilesThanAJobMayHave) {
  write_page({.width_px = 50, .height_px = 50});
  const std::string first = folder_ / "tile0.tif";
  screen::write_tile(first, {512, 512, 0, std::vector<uint16_t>(size_t{512} * 512)});
  constexpr size_t kMost = 256;  // of half a MiB each
  for (size_t i = 0; i <= kMost; ++i) {
    const std::string name = folder_ / ("tile" + std::to_string(i) + ".tif");
    if (i > 0) std::filesystem::create_hard_link(first, name);
    add("page.tif").halftone = {.method = "tile", .tile = {.path = name}};
  }
  const plan::JobPlan plan = planned(48);
  ASSERT_TRUE(plan.sheets.at(kMost - 1).failure);
  EXPECT_THAT(plan.sheets.at(kMost - 1).failure->text(),
              HasSubstr("needs at least 176 MiB of memory"));
  ASSERT_TRUE(plan.sheets.at(kMost).failure);
  EXPECT_THAT(plan.sheets.at(kMost).failure->text(),
              HasSubstr("has more than 128 MiB of them; split the job"));
  EXPECT_FALSE(planned(176).sheets.at(kMost - 1).failure);
}

TEST_F(PageMemory, OfManyTiles) {
  write_page({.width_px = 50, .height_px = 50});
  screen::ThresholdTile tile{512, 512, 0, std::vector<uint16_t>(512 * 512)};
  for (uint16_t i = 0; i < 20; ++i) {
    tile.thresholds[0] = i;
    const std::string name = folder_ / ("tile" + std::to_string(i) + ".tif");
    screen::write_tile(name, tile);
    add("page.tif").halftone = {.method = "tile", .tile = {.path = name}};
  }
  expect_that_what_is_named_does();
}

}  // namespace
}  // namespace mezzo::test::page_memory_test
