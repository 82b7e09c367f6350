// The wedge: its patches, its letters, its page and its description.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/tiff/read/page_reader.h"
#include "stages/tiff/read/reader.h"
#include "tests/support/temp_folder.h"
#include "tools/wedge/layout.h"
#include "tools/wedge/lettering.h"
#include "tools/wedge/write_wedge.h"

namespace mezzo::wedge::wedge_test {
namespace {

using testing::HasSubstr;

TEST(WedgeLayout, HasEveryToneFourTimesForEachInk) {
  const Layout layout = make_layout(3, "press");
  std::map<std::pair<size_t, int>, int> counts;
  std::set<uint32_t> ids;
  std::set<std::string> names;
  for (const WedgePatch& patch : layout.patches) {
    ++counts[{patch.ink, patch.percent}];
    ids.insert(patch.id);
    names.insert(patch.name);
  }
  EXPECT_EQ(layout.patches.size(), 3 * kTones.size() * kRepeats);
  EXPECT_EQ(ids.size(), layout.patches.size());
  EXPECT_EQ(names.size(), layout.patches.size());
  EXPECT_EQ(*ids.begin(), 1U);
  EXPECT_EQ(*ids.rbegin(), layout.patches.size());
  for (size_t ink = 0; ink < 3; ++ink) {
    for (const uint8_t tone : kTones) EXPECT_EQ((counts[{ink, tone}]), 4) << int{tone};
  }
}

TEST(WedgeLayout, KeepsPatchesApartAndOnTheSheet) {
  EXPECT_GE(kPatchUm, 6'000U);
  const Layout layout = make_layout(4, "press");
  for (const WedgePatch& one : layout.patches) {
    EXPECT_LE(one.left_um + kPatchUm + kMarginUm, layout.width_um);
    EXPECT_LE(one.top_um + kPatchUm + kMarginUm, layout.height_um);
    for (const WedgePatch& other : layout.patches) {
      if (other.id <= one.id) continue;
      const bool is_apart =
          std::max(one.left_um, other.left_um) - std::min(one.left_um, other.left_um) >=
              kPatchUm + 500 ||
          std::max(one.top_um, other.top_um) - std::min(one.top_um, other.top_um) >=
              kPatchUm + kLabelUm;
      EXPECT_TRUE(is_apart) << one.name << " and " << other.name;
    }
  }
}

/// By rows, columns and quarters: no tone has its four repeats at one side.
TEST(WedgeLayout, ScattersRepeatsByAHashThatItRecords) {
  const Layout layout = make_layout(1, "XL 106"), same = make_layout(1, "XL 106"),
               other = make_layout(1, "XL 75");
  const auto tones = [](const Layout& of) {
    std::vector<int> list;
    for (const WedgePatch& patch : of.patches) list.push_back(patch.percent);
    return list;
  };
  EXPECT_EQ(tones(layout), tones(same));
  EXPECT_EQ(layout.shuffle, same.shuffle);
  EXPECT_EQ(layout.shuffle.size(), 16U);
  EXPECT_NE(tones(layout), tones(other));
  EXPECT_NE(layout.shuffle, other.shuffle);
  std::map<int, std::set<uint32_t>> places;
  for (const WedgePatch& patch : layout.patches) places[patch.percent].insert(patch.left_um);
  size_t spread = 0;
  for (const auto& [tone, columns] : places) spread += columns.size();
  EXPECT_GE(spread, kTones.size() * 3) << "columns of all tones";
}

TEST(WedgeLettering, ShowsLettersAndSkipsOthers) {
  const auto picture = [](std::string_view text) {
    std::string rows;
    for (uint32_t row = 0; row < kLetterRows; ++row) {
      for (uint32_t column = 0; column < text_columns(text); ++column) {
        rows += is_ink(text, column, row) ? '#' : '.';
      }
      rows += '\n';
    }
    return rows;
  };
  EXPECT_EQ(picture("L7"),
            "#.....#####.\n"
            "#.........#.\n"
            "#........#..\n"
            "#.......#...\n"
            "#......#....\n"
            "#......#....\n"
            "#####..#....\n");
  EXPECT_EQ(picture("l"), picture("L"));
  EXPECT_EQ(picture("~"), picture(" "));
  std::set<std::string> all;
  for (const char c : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:-_+=/%()")) {
    EXPECT_TRUE(all.insert(picture(std::string(1, c))).second) << c;
  }
}

TEST(WedgePage, HasItsTonesInTheMiddleOfPatches) {
  const test::TempFolder folder;
  const Layout layout = make_layout(2, "press");
  write_page((folder / "w.tif"), layout, 1, 100, "magenta  press");
  const auto file = tiff::TiffFile::open((folder / "w.tif"));
  const PageInfo& info = file->page(0);
  EXPECT_EQ(info.max_sample, 65535U);
  EXPECT_EQ(info.resolution.x_dpi, 100);
  EXPECT_EQ(info.inks.size(), 1U);
  const auto reader = file->open_page(0, 64 << 20);
  std::vector<uint16_t> samples(size_t{info.width_px} * info.height_px);
  const MutableSampleBand whole{.data = reinterpret_cast<std::byte*>(samples.data()),
                                .width_px = info.width_px,
                                .rows = info.height_px,
                                .stride_bytes = info.width_px * sizeof(uint16_t),
                                .bytes_per_sample = 2};
  SoloTeam team;
  reader->read(std::span(&whole, 1), team);
  for (const WedgePatch& patch : layout.patches) {
    const auto px = [](uint32_t um) { return static_cast<size_t>((um + kPatchUm / 2) / 254.0); };
    const uint16_t sample = samples[px(patch.top_um) * info.width_px + px(patch.left_um)];
    const double wanted = patch.ink == 1 ? 65535.0 * (100 - patch.percent) / 100 : 65535;
    EXPECT_NEAR(sample, wanted, 0.5) << patch.name;
  }
}

TEST(WedgeDescription, SaysHowItIsPrinted) {
  const Layout layout = make_layout(2, "press");
  const Print print{.press = "XL \"106\"",
                    .paper = "GC1",
                    .dpi = 2400,
                    .curves = "plate",
                    .inks = {"cyan", "PANTONE 185 C"},
                    .screens = {"am ruling=175", "fm dot=2"},
                    .measured = {"plate c.yaml (12345678)", ""}};
  const std::string text = description(layout, print, "mezzotint 1");
  EXPECT_TRUE(text.starts_with("CGATS.17\nORIGINATOR \"mezzotint 1\"\n"));
  for (const char* line : {"PRESS \"XL '106'\"\n",
                           "INKS \"cyan, PANTONE 185 C\"\n",
                           "SCREEN_1 \"am ruling=175\"\n",
                           "SCREEN_2 \"fm dot=2\"\n",
                           "DPI \"2400\"\n",
                           "PAPER \"GC1\"\n",
                           "CURVES \"plate\"\n",
                           "CURVES_1 \"plate c.yaml (12345678)\"\n",
                           "SAMPLE_ID SAMPLE_NAME INK NOMINAL X_MM Y_MM\n",
                           "NUMBER_OF_SETS 264\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  const WedgePatch& last = layout.patches.back();
  EXPECT_THAT(text,
              HasSubstr("\n264 \"" + last.name + "\" \"PANTONE 185 C\" " +
                        std::to_string(last.percent) + " 181.5 "));
  EXPECT_TRUE(text.ends_with("END_DATA\n"));
}

}  // namespace
}  // namespace mezzo::wedge::wedge_test
