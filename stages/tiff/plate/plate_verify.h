// The expected content of a plate file, strip by strip, and its check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/codec/row_sum.h"
#include "stages/files/file_system.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// A page as it was given to the writer.
struct PlateRecord {
  PlatePage page;
  Compression compression = Compression::kNone;
  std::string software;
  std::string description;
  std::vector<codec::RowSum> strip_sums;  ///< of the rows of each strip
  uint64_t coded_bytes = 0;
  uint64_t raw_bytes = 0;
};

/// Opens the file at `path` anew, decodes every strip of every page, spread over the team, and
/// compares tags and digests with the records. Throws Error(kIo), which names the file as
/// `shown_path`, at the first difference.
void verify_plate(const std::string& path,
                  const std::string& shown_path,
                  const std::vector<PlateRecord>& records,
                  Team& team,
                  files::FileSystem& files);

}  // namespace mezzo::tiff
