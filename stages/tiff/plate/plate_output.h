// The TIFF file of a plate while it is written: tags, strips in order, directories, into a
// PendingFile. Not a public header: it includes libtiff's. PlateFile adds digests, verification and
// publication.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "stages/files/publish.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// Whether a file of at most this many bytes needs BigTIFF: offsets of classic TIFF end at 4 GiB,
/// and 16 MiB are left for directories.
constexpr bool needs_big_tiff(uint64_t worst_case_bytes) {
  return worst_case_bytes > (uint64_t{4} << 30) - (uint64_t{16} << 20);
}

/// Every call throws Error after any failure. Destroyed unfinished, it writes nothing more.
class TiffPlateOutput {
 public:
  TiffPlateOutput(const std::string& path,
                  bool is_big,
                  files::ExistingFile existing,
                  files::FileSystem& files);

  void begin_page(const PlatePage& page, Compression compression);
  void write_strip(std::span<const std::byte> encoded);
  void end_page(const std::string& software, const std::string& description);

  /// Ends a page with the strips that it has, in a file that is not to be finished, for those who read
  /// it at file().temporary_path().
  void give_up_page();

  /// Completes the TIFF and brings it to the disk.
  void finish();

  files::PendingFile& file() { return file_; }

 private:
  void check(std::string_view doing);
  void flush();

  files::PendingFile file_;
  Handle handle_;
  uint32_t next_strip_ = 0;
  uint32_t strips_ = 0;  // of the page being written; 0 between pages
};

}  // namespace mezzo::tiff
