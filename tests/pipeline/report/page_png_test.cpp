#include "pipeline/report/page_png.h"

#include <gtest/gtest.h>
#include <png.h>

#include <vector>

namespace mezzo::test::page_png_test {
namespace {

TEST(Base64, IsThatOfRfc4648) {
  EXPECT_EQ(report::base64(""), "");
  EXPECT_EQ(report::from_base64("Zm9vYg=="), "foob");
  EXPECT_EQ(report::from_base64("/+++AA=="), std::string("\xff\xef\xbe\x00", 4));
  EXPECT_EQ(report::base64("f"), "Zg==");
  EXPECT_EQ(report::base64("fo"), "Zm8=");
  EXPECT_EQ(report::base64("foo"), "Zm9v");
  EXPECT_EQ(report::base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(report::base64(std::string_view("\xff\xef\xbe\x00", 4)), "/+++AA==");
}

/// The pixels as libpng's own reader has them.
std::vector<uint8_t> decoded(const std::string& file, uint32_t width, uint32_t height) {
  png_image reader{};
  reader.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_memory(&reader, file.data(), file.size()), 0);
  EXPECT_EQ(reader.width, width);
  EXPECT_EQ(reader.height, height);
  reader.format = PNG_FORMAT_GRAY;
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(reader));
  EXPECT_NE(png_image_finish_read(&reader, nullptr, pixels.data(), 0, nullptr), 0);
  return pixels;
}

/// Bits a pixel, of the header.
int depth(const std::string& file) {
  return file.at(24);
}

TEST(Png, GreyComesBack) {
  report::GreyImage image{37, 11, {}};
  for (uint32_t i = 0; i < 37 * 11; ++i) image.pixels.push_back(static_cast<uint8_t>(i * 5));
  const std::string file = report::png_file(image);
  EXPECT_EQ(depth(file), 8);
  EXPECT_EQ(decoded(file, 37, 11), image.pixels);
}

TEST(Png, BlackAndWhiteTakesOneBitAPixel) {
  report::GreyImage image{37, 11, {}};
  for (uint32_t i = 0; i < 37 * 11; ++i) image.pixels.push_back(i * i % 7 < 3 ? 255 : 0);
  const std::string file = report::png_file(image);
  EXPECT_EQ(depth(file), 1);
  EXPECT_EQ(decoded(file, 37, 11), image.pixels);
}

TEST(Png, FewColoursComeBack) {
  report::IndexedImage image{
      19, 7, {}, {{255, 255, 255}, {0, 158, 224}, {230, 0, 126}, {255, 237, 0}, {0, 0, 0}}};
  for (uint32_t i = 0; i < 19 * 7; ++i) image.pixels.push_back(static_cast<uint8_t>(i * i % 5));
  const std::string file = report::png_file(image);
  EXPECT_EQ(depth(file), 4);
  png_image reader{};
  reader.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_memory(&reader, file.data(), file.size()), 0);
  reader.format = PNG_FORMAT_RGB;
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(reader));
  ASSERT_NE(png_image_finish_read(&reader, nullptr, pixels.data(), 0, nullptr), 0);
  ASSERT_EQ(pixels.size(), 19 * 7 * 3U);
  for (size_t i = 0; i < image.pixels.size(); ++i) {
    const report::Rgb& expected = image.palette[image.pixels[i]];
    for (size_t k = 0; k < 3; ++k) ASSERT_EQ(pixels[3 * i + k], expected[k]) << i;
  }
}

TEST(Png, TheUriSaysWhatItIs) {
  EXPECT_TRUE(report::png_uri(report::GreyImage{1, 1, {0}})
                  .starts_with("data:image/png;base64,iVBORw0KGgo"));
}

}  // namespace
}  // namespace mezzo::test::page_png_test
