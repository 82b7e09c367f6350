// Tiles of thresholds: files that a job or a press names. What was read makes a screen, which is written and
// read again.

#include <algorithm>
#include <sstream>

#include "stages/screen/postscript_halftone.h"
#include "stages/screen/tile_file.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/fuzz/change_tiff.h"
#include "tests/fuzz/support.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::fuzz {
namespace {

Bytes tile_of(uint32_t bits, tiff::Compression compression, const std::string& description) {
  constexpr uint32_t kSide = 12;
  const std::string path = scratch() / "seed.tif";
  Bytes rows(kSide * kSide * bits / 8);
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::byte>(i * 7);
  tiff::ContoneWriter writer(path,
                             {.width_px = kSide,
                              .height_px = kSide,
                              .bits = bits,
                              .compression = compression,
                              .rows_per_strip = 5,
                              .description = description});
  writer.write_rows(rows.data(), kSide);
  writer.finish();
  return bytes_of(test::content_of(path));
}

void check(const screen::ThresholdTile& tile) {
  demand(tile.thresholds.size() == size_t{tile.width} * tile.height, "a tile of another size");
  demand(tile.shift < tile.width, "a shift beyond the tile");
  demand(std::ranges::all_of(tile.thresholds, [](uint16_t one) { return one < kSolid; }),
         "a threshold that a solid does not exceed");
  screen::figures_of(tile);
  std::ostringstream postscript;
  passes([&] { screen::write_postscript(tile, postscript); });
  const std::string path = scratch() / "anew.tif";
  screen::write_tile(path, tile);
  const TileFile again = screen::read_tile(path);
  demand(screen::tile_of_thresholds(*again.values, again.values->shift) == tile,
         "a tile that was written is read as another");
}

}  // namespace

std::vector<Bytes> seeds() {
  return {tile_of(8, tiff::Compression::kNone, ""),
          tile_of(16, tiff::Compression::kDeflate, "mezzotint tile; shift=5"),
          tile_of(8, tiff::Compression::kLzw, "mezzotint tile; shift=0"),
          tile_of(16, tiff::Compression::kZstd, "of another program")};
}

void change(Bytes& input, Random& random) {
  change_tiff(input, random);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::string path = scratch_file("in.tif", input);
  TileFile file;
  if (!passes([&] { file = screen::read_tile(path); })) return false;
  const screen::TileValues& values = *file.values;
  demand(values.values.size() == size_t{values.width} * values.height, "values of another number");
  demand(values.shift < values.width, "a shift beyond the tile");
  if (values.values.size() > 20'000) return true;
  check(screen::tile_of_thresholds(values, values.shift));
  check(screen::tile_of_ranks(values, values.width / 2));
  return true;
}

}  // namespace mezzo::fuzz
