// The program that wrote a TIFF file, by its tag Software.
#pragma once

#include <cstdint>
#include <string>

#include "stages/files/input_file.h"

namespace mezzo::tiff {

/// Tags of the first page of a file.
struct SoftwareTag {
  bool is_readable = false;  ///< the file is a TIFF whose tags can be read
  std::string software;      ///< empty without the tag
  uint16_t bits_per_sample = 1;
};

/// Reads the tags with libtiff. Throws Error as Handle does.
SoftwareTag software_tag_of(const files::InputFile& file);

}  // namespace mezzo::tiff
