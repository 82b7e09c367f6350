// Reads bilevel plates back, strip by strip, in memory that does not depend on the size of the
// page.
//
// Reads only plates as we write them: one bit, or levels of 2 or 4, one sample, MinIsWhite, FillOrder 1, upright, in
// strips. Other files are refused with the tag at fault, and so is a plate on which libtiff reports
// an error; a wrong bit that libtiff cannot see is found by comparing hashes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "stages/files/input_file.h"
#include "stages/tiff/plate/codecs.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

class Handle;

/// The tags of a page of a plate file.
struct PlatePageInfo {
  PlatePage page;  ///< page_index and page_count are those of the file, not those of the tag
  PlateNames names;
  Compression compression = Compression::kNone;
  std::string software;
  std::string description;
};

/// A plate file, open for reading. One thread at a time; several readers of one file are fine.
class PlateReader {
 public:
  /// Opens the file and reads the tags of all its pages. Throws Error: kMissing, kIo, kData.
  explicit PlateReader(const std::string& path,
                       files::FileSystem& files = files::FileSystem::real());
  static std::unique_ptr<PlateReader> open(const std::string& path,
                                           files::FileSystem& files = files::FileSystem::real()) {
    return std::make_unique<PlateReader>(path, files);
  }
  /// The same for one of several readers of `digested`, the same file, whose digest is taken along with
  /// the reads.
  PlateReader(const std::string& path, files::FileSystem& files, const files::InputFile& digested);
  ~PlateReader();

  uint32_t page_count() const { return static_cast<uint32_t>(pages_.size()); }
  const PlatePageInfo& page(uint32_t page_index) const { return pages_.at(page_index); }
  uint64_t file_bytes() const { return file_.size(); }
  bool big_tiff() const;

  /// libtiff's warnings of the tags; empty: there is none, as with files that nobody changed.
  std::string warnings() const;

  /// Decodes a strip into `rows`: as wide as the page, strip_rows() high and without gaps between
  /// its rows. Ascending pages and strips are fast. Throws Error: kIo, kData.
  void read_strip(uint32_t page_index, uint32_t strip, const BitBand& rows);

  /// The same for strips [first, first + count) of the page, into all their rows. Strips of G3 and G4
  /// are decoded side by side: strips_at_once() of them are fast.
  void read_strips(uint32_t page_index, uint32_t first, uint32_t count, const BitBand& rows);

  /// The coded bytes of a strip. Throws Error: kIo, kData.
  void read_coded_strip(uint32_t page_index, uint32_t strip, std::vector<std::byte>& bytes);

 private:
  void add_page();
  void check_geometry(const PlatePage& page) const;
  void go_to(uint32_t page_index);
  decltype(Codec::decode) decoder_for(uint32_t page_index, uint32_t strips);
  void decode_by_libtiff(uint32_t page_index, uint32_t strip, const BitBand& rows);
  void check_coded(uint32_t page_index, uint32_t strip) const;
  void check(const std::string& doing) const;
  [[noreturn]] void fail(const std::string& doing) const;

  files::InputFile file_;
  const std::unique_ptr<Handle> handle_;
  std::vector<PlatePageInfo> pages_;
  std::vector<uint64_t> offsets_;              ///< of the directories
  uint32_t current_ = 0;                       ///< page whose directory libtiff has
  std::vector<std::vector<std::byte>> coded_;  ///< of strips; kept for their memory
};

/// A good number of strips to read together: 16, fewer where they would take more than 1 MiB.
uint32_t strips_at_once(const PlatePage& page);

/// The content sum of a plate file, as PlateFile::content_sum() gives it. Decodes the whole file,
/// a strip at a time. Throws Error: kMissing, kIo, kData.
std::string plate_content_sum(const std::string& path);

/// A page of a plate in memory, whole: for tests and small pages. Throws Error as above.
struct Plate {
  PlatePage page;
  Compression compression = Compression::kNone;
  std::string software;
  std::string description;
  uint64_t file_bytes = 0;
  std::vector<uint8_t> bits;  ///< rows of row_bytes_of(page), 1 is ink
};
Plate read_plate(const std::string& path, uint32_t page_index = 0);

}  // namespace mezzo::tiff
