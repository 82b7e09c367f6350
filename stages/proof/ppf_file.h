// CIP3 Print Production Format 2.1: the text that a console presets its ink keys from.
//
// One sheet, its front, and a preview of each ink, upright as it prints: 8 bits a pixel, 255 is paper,
// rows from the top in hexadecimal. Transfer curves are the identity, as the previews hold nominal
// tones.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stages/proof/growing_file.h"

namespace mezzo::proof {

struct PpfSheet {
  std::string job;
  std::string software;
  double width_pt = 0, height_pt = 0;
  uint32_t width_px = 1, height_px = 1;
  double dpi = 50.8;
  std::vector<std::string> inks;
};

/// A text in parentheses as PostScript has it: ISO 8859-1 by its octal numbers, other characters as
/// '?'. `text` is UTF-8.
std::string postscript_text(std::string_view text);

/// The name of an ink in PPF: Cyan, Magenta, Yellow and Black, others as they are.
std::string ppf_ink_name(const std::string& ink);

/// A file that is written whole or not at all. Each row has a place of its own in it, so that the rows of
/// all inks can be written as they are made. One thread at a time.
class PpfFile {
 public:
  /// Throws Error: kCannotCreate, kDiskFull, kIo.
  PpfFile(const std::string& path, const PpfSheet& sheet, files::FileSystem& files);

  /// Row `y` of ink `ink`: width_px bytes, 255 is paper. Throws Error: kDiskFull, kIo.
  void put_row(size_t ink, uint32_t y, std::span<const uint8_t> row);

  /// After all rows; gives the size. Throws Error: kCannotCreate, kDiskFull, kIo.
  uint64_t publish();

 private:
  const uint32_t width_px_, height_px_;
  GrowingFile file_;
  std::vector<uint64_t> rows_at_;  ///< of each ink
};

/// Bytes of the rows of one ink.
uint64_t ppf_bytes_of_ink(uint32_t width_px, uint32_t height_px);

}  // namespace mezzo::proof
