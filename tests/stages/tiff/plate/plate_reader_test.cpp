#include "stages/tiff/plate/plate_reader.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {
namespace {

// libtiff begins its messages with the name of the file.
TEST(PlateReader, ShowsNoControlCharacterInWordsOfLibtiff) {
  const TempFolder folder;
  folder.write("a\x1b[2J.tif", "no TIFF, and no plate either");
  try {
    tiff::PlateReader::open(folder / "a\x1b[2J.tif");
    FAIL() << "no error";
  } catch (const Error& error) {
    const std::string text = error.what();
    const size_t words = text.find(" failed: ");
    ASSERT_NE(words, std::string::npos) << text;
    EXPECT_EQ(text.find('\x1b', words), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace mezzo::test
