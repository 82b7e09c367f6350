// The program that wrote a TIFF file, by its tag Software.
#pragma once

#include <cstdint>
#include <string>

#include "stages/files/input_file.h"

namespace mezzo::tiff {

/// Of the first page of a file.
struct SoftwareTag {
  bool is_readable = false;  ///< whether the file is a TIFF whose tags can be read
  std::string software;      ///< empty without the tag
  uint16_t bits_per_sample = 1;
};

SoftwareTag software_tag_of(const files::InputFile& file);

}  // namespace mezzo::tiff
