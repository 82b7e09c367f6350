// Writes bilevel TIFF plates: strips are encoded in parallel into memory, and written raw in order
// to a temporary file, which is published under its final name only when it is known to be good.
//
// A plate is the same file whatever computed it: little-endian, no date, strips that depend on the
// width alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/files/publish.h"
#include "stages/tiff/plate/plate.h"
#include "stages/tiff/plate/plate_reader.h"

namespace mezzo::tiff {

/// Encodes rows (a whole strip; the last of a page may be shorter) as libtiff would write them.
/// Thread-safe. `compression` is not kAutomatic. Throws Error(kBug) when libtiff refuses.
std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression);

/// The compression that makes these sample strips smallest, raw included; a tie goes to the simpler
/// one. Considers what every print workflow reads: none, PackBits, LZW, Deflate, G4.
Compression choose_compression(std::span<const BitBand> samples, Team& team);

/// A plate being written. Until publish() returns nothing stands under the final name; a PlateFile
/// that is destroyed unpublished removes its temporary file. One thread at a time. After a call
/// has thrown, only destruction is left.
class PlateFile {
 public:
  /// Creates the temporary file beside `path` (missing folders are made). `worst_case_bytes` is the
  /// most that all pages can come to (see stages/tiff/plate/plate.h), and decides between classic
  /// TIFF and BigTIFF. Throws Error: kCannotCreate, kDiskFull, kIo.
  static std::unique_ptr<PlateFile> create(
      const std::string& path,
      uint64_t worst_case_bytes,
      files::ExistingFile existing = files::ExistingFile::kReplace,
      files::FileSystem& files = files::FileSystem::real());
  virtual ~PlateFile() = default;

  /// Starts a page. `compression` is not kAutomatic. The page before must have ended.
  virtual void begin_page(const PlatePage& page, Compression compression) = 0;

  /// Appends the next strip of the page, top to bottom. `raw` are the rows that `encoded` stands
  /// for, padding bits 0; their digest is what seal() verifies against.
  /// Throws Error: kDiskFull, kIo; kUnsupported for rows that most readers cannot decode from G3.
  virtual void write_strip(std::span<const std::byte> encoded, const BitBand& raw) = 0;

  /// Ends the page; all its strips are written. `software` and `description` are the tags Software
  /// and ImageDescription, where the provenance goes; empty: none.
  virtual void end_page(const std::string& software, const std::string& description) = 0;

  /// Flushes, syncs, reopens and decodes the temporary file, and compares it with what was given.
  /// With `never_larger`, pages whose strips came out larger than raw are first rewritten without
  /// compression, the others kept as they are. Throws Error (kIo, kDiskFull).
  virtual void seal(bool never_larger, Team& team) = 0;

  /// After seal(): where the finished plate stands until it is published.
  virtual const std::string& temporary_path() const = 0;

  /// After seal(): gives the plate its final name, which destruction takes back until settle() has
  /// made it final. See PendingFile. Throws Error (kCannotCreate, kDiskFull, kIo).
  virtual void publish() = 0;
  virtual void settle() = 0;

  /// After seal(): size of the file, a hash (XXH3, 16 hexadecimal digits) of the decoded rows of
  /// all pages, which does not depend on compression or strips, and the compression that a page
  /// has.
  virtual uint64_t file_bytes() const = 0;
  virtual std::string content_hash() const = 0;
  virtual Compression page_compression(uint32_t page_index) const = 0;

 protected:
  PlateFile() = default;
  PlateFile(const PlateFile&) = delete;
  PlateFile& operator=(const PlateFile&) = delete;
};

}  // namespace mezzo::tiff
