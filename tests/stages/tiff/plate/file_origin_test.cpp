#include "stages/tiff/plate/file_origin.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "stages/files/temporary_name.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::file_origin_test {
namespace {

void write(const std::string& path, std::string_view content) {
  std::ofstream(path, std::ios::binary) << content;
}

void write_contone(const std::string& path) {
  tiff::ContoneOptions options;
  options.width_px = options.height_px = 8;
  tiff::ContoneWriter writer(path, options);
  const std::vector<std::byte> rows(64);
  writer.write_rows(rows.data(), 8);
  writer.finish();
}

/// Gives the file another tag Software, of the same length.
void change_software(const std::string& path) {
  std::string bytes = content_of(path);
  for (size_t at = bytes.find("mezzotint"); at != std::string::npos;
       at = bytes.find("mezzotint", at)) {
    bytes.replace(at, 9, "scanner-9");
  }
  write(path, bytes);
}

TEST(FileOrigin, OfTiffsIsTheTagSoftware) {
  const TempFolder folder;
  Bits bits(40, 30);
  SoloTeam solo;
  const auto file = tiff::PlateFile::create(folder / "plate.tif", 1 << 20);
  write_page(*file, page_of(bits.band()), bits.band(), tiff::Compression::kG4, "mezzotint 0.1");
  publish(*file, solo);
  EXPECT_EQ(tiff::origin_of_file(folder / "plate.tif"), tiff::FileOrigin::kPlate);
  change_software(folder / "plate.tif");
  EXPECT_EQ(tiff::origin_of_file(folder / "plate.tif"), tiff::FileOrigin::kForeign);
  write_contone(folder / "page.tif");
  EXPECT_EQ(tiff::origin_of_file(folder / "page.tif"), tiff::FileOrigin::kOther);
  change_software(folder / "page.tif");
  EXPECT_EQ(tiff::origin_of_file(folder / "page.tif"), tiff::FileOrigin::kForeign);
  for (const size_t bytes : {0, 8, 20}) {
    write(folder / "cut.tif", content_of(folder / "page.tif").substr(0, bytes));
    EXPECT_EQ(tiff::origin_of_file(folder / "cut.tif"), tiff::FileOrigin::kUnreadable) << bytes;
  }
}

TEST(FileOrigin, OfOtherFilesIsAMark) {
  const TempFolder folder;
  const std::string path = folder / "file";
  for (const char* own : {"<svg><!-- mezzotint --></svg>",
                          "%!PS-Adobe-3.0\n/CIP3AdmSoftware (mezzotint 0.1.0) def\n",
                          "zone,left_mm,right_mm,cyan\n",
                          "# Made by mezzotint wedge\n"}) {
    write(path, own);
    EXPECT_EQ(tiff::origin_of_file(path), tiff::FileOrigin::kOther) << own;
  }
  for (const char* foreign : {"II*", "mine", "a text on mezzotint\n", "zone,cyan\n"}) {
    write(path, foreign);
    EXPECT_EQ(tiff::origin_of_file(path), tiff::FileOrigin::kForeign) << foreign;
  }
  std::string late(5000, ' ');
  late += "<!-- mezzotint -->";
  write(path, late);
  EXPECT_EQ(tiff::origin_of_file(path), tiff::FileOrigin::kForeign);
}

TEST(FileOrigin, OfALinkIsThatOfItsFile) {
  const TempFolder folder;
  write(folder / "mine", "mine");
  std::filesystem::create_symlink("mine", folder / "link");
  EXPECT_EQ(tiff::origin_of_file(folder / "link"), tiff::FileOrigin::kForeign);
  std::filesystem::create_symlink("nothing", folder / "dangling");
  for (const char* name : {"dangling", "missing", "."}) {
    EXPECT_EQ(tiff::origin_of_file(folder / name), tiff::FileOrigin::kNone) << name;
  }
}

/// A rename_new() that is under way holds the lock of its placeholder; one that was stopped does not.
TEST(FileOrigin, OfAPlaceholderThatWasLeftIsNone) {
  const TempFolder folder;
  const std::string path = folder / "plate.tif";
  write(path,
        "Placeholder of mezzotint for a file that is renamed: 1" +
            files::temporary_tail(files::this_process(), 7) + "\n");
  const int held = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  EXPECT_EQ(tiff::origin_of_file(path), tiff::FileOrigin::kForeign);
  ::close(held);
  EXPECT_EQ(tiff::origin_of_file(path), tiff::FileOrigin::kNone);
}

}  // namespace
}  // namespace mezzo::test::file_origin_test
