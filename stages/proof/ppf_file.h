// CIP3 Print Production Format 2.1: the text that a console presets its ink keys from.
//
// One sheet, its front, and a preview of each ink, upright as it prints: 8 bits a pixel, 255 is paper,
// rows from the top in hexadecimal. Transfer curves are the identity, as the previews hold nominal
// tones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "stages/files/file_system.h"

namespace mezzo::proof {

struct PpfInk {
  std::string name;
  std::vector<uint8_t> rows;  ///< width_px * height_px, 255 is paper
};

struct PpfSheet {
  std::string job;
  std::string software;
  double width_pt = 0, height_pt = 0;
  uint32_t width_px = 1, height_px = 1;
  double dpi = 50.8;
  std::vector<PpfInk> inks;
};

/// A text in parentheses as PostScript has it: ISO 8859-1 by its octal numbers, other characters as
/// '?'. `text` is UTF-8.
std::string postscript_text(std::string_view text);

/// The name of an ink in PPF: Cyan, Magenta, Yellow and Black, others as they are.
std::string ppf_ink_name(const std::string& ink);

/// Whole or not at all; gives its size. Throws Error: kCannotCreate, kDiskFull, kIo.
uint64_t write_ppf(const std::string& path, const PpfSheet& sheet, files::FileSystem& files);

}  // namespace mezzo::proof
