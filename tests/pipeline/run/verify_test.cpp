// Plates that are not what the reference makes of their page, and what is said of them.
#include "pipeline/run/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/base/error.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::verify_test {
namespace {

using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr uint32_t kWidth = 400, kHeight = 300;

class Verify : public ::testing::Test {
 protected:
  Verify() {
    tiff::ContoneOptions options;
    options.width_px = kWidth;
    options.height_px = kHeight;
    const auto writer = tiff::ContoneWriter::create(folder_ / "page.tif", options);
    const std::vector<std::byte> row(kWidth, std::byte{100});
    for (uint32_t y = 0; y < kHeight; ++y) writer->write_rows(row.data(), 1);
    writer->finish();
    Bits bits = Bits::bars(kWidth, kHeight);
    write_plate(plate_, page_of(bits.band()), bits.band(), tiff::Compression::kG4);
  }

  /// What is wrong with the plate.
  std::string fault() {
    const auto page = tiff::TiffFile::open(folder_ / "page.tif");
    const std::vector<manifests::PlateSettings> settings(1);
    try {
      run::verify_page({.settings = settings,
                        .finish = {},
                        .info = page->page(0),
                        .band_rows = kHeight,
                        .plates = {plate_},
                        .names = {"plate.tif"},
                        .textures = {{}},
                        .together = {},
                        .overlays = {},
                        .files = files::FileSystem::real(),
                        .on_band = [] {}},
                       *page->open_page(0, 1 << 30));
    } catch (const Error& error) {
      return error.what();
    }
    return "nothing";
  }

  TempFolder folder_;
  const std::string plate_ = folder_ / ".plate.tif.1-0123456789abcdef-00000000.part";
};

TEST_F(Verify, NamesThePlateThatDiffers) {
  EXPECT_THAT(fault(), MatchesRegex("plate.tif: page 1 of the plate differs from the reference.*"));
}

TEST_F(Verify, NamesThePlateThatCannotBeRead) {
  const std::string why = "plate.tif: reading it back failed, so nothing was published: ";
  std::fstream(plate_, std::ios::in | std::ios::out).seekp(8) << std::string(64, '\0');
  EXPECT_THAT(fault(), StartsWith(why)) << "a strip";
  std::filesystem::resize_file(plate_, 4);
  EXPECT_THAT(fault(), StartsWith(why)) << "the whole file";
}

}  // namespace
}  // namespace mezzo::test::verify_test
