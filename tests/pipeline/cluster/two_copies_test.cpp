// Two attempts at one unit give a plate its name at the same time.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "stages/files/publish.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::two_copies_test {
namespace {

void write(files::PendingFile& file, const std::string& text) {
  ASSERT_EQ(file.write_at(0, std::as_bytes(std::span(text))), 0);
  file.sync();
}

std::string text_in(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(TwoCopies, OneThatFailsLeavesThePlateOfTheOther) {
  for (const bool was_there : {false, true}) {
    const test::TempFolder folder;
    const std::string plate = folder / "plate.tif";
    if (was_there) std::ofstream(plate) << "older";
    files::PendingFile good(plate);
    write(good, "good");
    {
      files::PendingFile bad(plate);
      write(bad, "bad");
      bad.publish();
      good.publish();
    }  // its next plate could not be published
    good.commit();
    EXPECT_EQ(text_in(plate), "good") << was_there;
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
}

}  // namespace
}  // namespace mezzo::test::two_copies_test
