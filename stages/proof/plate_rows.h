// The rows of a plate on disk, from the top, as it prints: positive and unmirrored.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/prepress/finish.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::proof {

/// A page of a plate's file.
struct PlatePageFile {
  std::string path;
  uint32_t page = 0;             ///< of the file, from 0
  prepress::Finish finish = {};  ///< what was done to its bits, and is undone
};

/// One thread at a time; several of one file are fine.
class PlateRows {
 public:
  /// Throws Error: kMissing, kIo, kData.
  PlateRows(const PlatePageFile& plate, files::FileSystem& files);

  const tiff::PlatePage& page() const { return page_; }
  const std::string& path() const { return plate_.path; }

  /// Rows [first, first + count), none above those of the last call; valid until the next one. Throws
  /// Error: kIo, kData.
  BitBand rows(uint32_t first, uint32_t count);

 private:
  void read_strips(uint32_t until_row);

  const PlatePageFile plate_;
  tiff::PlateReader reader_;
  const tiff::PlatePage page_;
  std::vector<uint8_t> held_;
  uint32_t first_held_ = 0, end_held_ = 0;  ///< rows
};

}  // namespace mezzo::proof
