#include "stages/screen/postscript_halftone.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "kernels/base/error.h"

namespace mezzo::screen {
namespace {

/// Rows after which the tile repeats without a shift.
uint64_t whole_height(const ThresholdTile& tile) {
  return uint64_t{tile.height} * (tile.width / std::gcd(tile.width, tile.shift));
}

void check_rectangle(uint64_t width, uint64_t height) {
  const bool fits = std::max(width, height) <= kMostPostscriptSide;
  if (fits && width * height <= kMostPostscript) return;
  throw Error(ErrorKind::kUnsupported,
              fmt::format("the screen repeats after {} x {} px, and PostScript's may have sides of "
                          "up to {} px and {} thresholds",
                          width,
                          height,
                          kMostPostscriptSide,
                          kMostPostscript),
              "export it as TIFF");
}

}  // namespace

uint16_t postscript_threshold(uint16_t threshold) {
  MZ_ASSERT(threshold < kSolid);
  // The lightest grey of 8 bits with ink.
  uint32_t grey = 0;
  while (grey < 254 && identity_tone(255 - (grey + 1)) > threshold) ++grey;
  return static_cast<uint16_t>(257 * grey + 128);
}

void write_postscript(const ThresholdTile& tile, std::ostream& out) {
  const uint64_t height = whole_height(tile);
  check_rectangle(tile.width, height);
  out << fmt::format(
      "%!PS\n"
      "% A screen of {} x {} thresholds; run it before the page.\n"
      "/mezzotint-thresholds currentfile /ASCIIHexDecode filter /ReusableStreamDecode filter\n",
      tile.width,
      height);
  std::string row;
  for (uint32_t y = 0; y < height; ++y) {
    row.clear();
    for (uint32_t x = 0; x < tile.width; ++x) {
      if (x > 0 && x % 16 == 0) row += '\n';
      row += fmt::format("{:04x}", postscript_threshold(tile.at(x, y)));
    }
    out << row << '\n';
  }
  out << fmt::format(
      ">\ndef\n"
      "{{}} settransfer\n"
      "<< /HalftoneType 16 /Width {} /Height {} /Thresholds mezzotint-thresholds >> sethalftone\n",
      tile.width,
      height);
}

}  // namespace mezzo::screen
