// The expected content of a plate file, strip by strip, and its check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/base/error.h"
#include "kernels/codec/row_sum.h"
#include "stages/files/file_system.h"
#include "stages/tiff/plate/plate.h"
#include "stages/tiff/verify_level.h"

namespace mezzo::tiff {

/// The digests of a strip, each taken as soon as there was something to take it of.
struct StripSums {
  codec::RowSum rows;    ///< row_sum()
  codec::RowSum coded;   ///< byte_sum() of its coded bytes; unused for pages without compression
  bool decodes = false;  ///< bytes with that sum were decoded to such rows already
};

/// A page as it was given to the writer.
struct PlateRecord {
  PlatePage page;
  Compression compression = Compression::kNone;
  std::string software;
  std::string description;
  std::vector<StripSums> strips;
  uint64_t coded_bytes = 0;
  uint64_t raw_bytes = 0;
};

/// The reader blames the file; here it is the writing that failed. Throws Error(kIo).
[[noreturn]] void cannot_read_back(const std::string& shown_path, const Error& error);

/// What `reading` returns, which reads a plate that is not published yet; its errors are passed on as
/// those of the plate.
template <typename Reading>
auto read_back(const std::string& shown_path, const Reading& reading) {
  try {
    return reading();
  } catch (const Error& error) {
    cannot_read_back(shown_path, error);
  }
}

/// A plate that is written, and not published yet.
struct WrittenPlate {
  const std::string& path;
  const std::string& shown_path;  ///< for messages
  uint64_t file_bytes;
  const std::vector<PlateRecord>& records;  ///< one a page
};

/// How a plate is verified.
struct PlateCheck {
  VerifyLevel level;
  /// Of the strips that all threads together hold, about; one of them holds a strip at least.
  uint64_t room_bytes;
  bool digests;  ///< the digest of the file is asked for
};

/// Opens the file anew, reads every strip of every page, spread over the team, and compares its size, tags and
/// digests with the records: of coded bytes, and of the rows that they decode to unless the level is kBytes or they
/// were decoded before. The bytes of pages without compression are compared as the rows that they are. Throws
/// Error(kIo), which names the file as `shown_path`, at the first difference. Returns what digest_of_file() would,
/// where it is asked for: of the bytes that were compared, which are not read again unless a thread read them far
/// ahead of the others.
std::string verify_plate(const WrittenPlate& plate,
                         const PlateCheck& how,
                         Team& team,
                         files::FileSystem& files);

}  // namespace mezzo::tiff
