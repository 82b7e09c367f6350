// Writes bilevel TIFF plates: strips are encoded in parallel into memory, and written raw in order
// to a temporary file, which is published under its final name only when it is known to be good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/bands.h"
#include "kernels/core/team.h"
#include "stages/page_info.h"

namespace mezzo {

enum class Compression { kAutomatic, kNone, kPackBits, kLzw, kDeflate, kZstd, kG3, kG4 };

struct CompressionInfo {
  Compression compression;
  std::string_view name;  ///< as it is written in a manifest: auto, none, packbits, ...
  std::string_view summary;
};
std::span<const CompressionInfo> compressions();
std::string_view to_string(Compression compression);

/// One page of a plate: geometry and what its tags say.
struct PlatePage {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  uint32_t rows_per_strip = 0;  ///< see plate_rows_per_strip()
  Resolution resolution;
  std::string ink;            ///< tag InkNames and PageName; empty: none
  std::string document_name;  ///< tag DocumentName; empty: none
  uint32_t page_index = 0;    ///< tag PageNumber, when page_count > 1
  uint32_t page_count = 1;
};

/// Rows of a strip of a plate of this width: about 64 KiB of packed rows, a multiple of 8. It
/// depends on the width alone, so that a plate is the same file however it was computed.
uint32_t plate_rows_per_strip(uint32_t width_px);

/// Number of strips of the page.
uint32_t strip_count(const PlatePage& page);

/// Encodes rows (a whole strip; the last of a page may be shorter) as libtiff would write them.
/// Thread-safe. `compression` is not kAutomatic. Throws Error(kBug) when libtiff refuses.
std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression);

/// The compression that makes these sample strips smallest, raw included; a tie goes to the simpler
/// one. Considers what every print workflow reads: none, PackBits, LZW, Deflate, G4.
Compression choose_compression(std::span<const BitBand> samples, Team& team);

/// What to do with a file that already has the plate's name.
enum class ExistingFile { kReplace, kRefuse };

/// A plate being written. Until publish() returns nothing stands under the final name; a PlateFile
/// that is destroyed unpublished removes its temporary file. One thread at a time.
class PlateFile {
 public:
  /// Creates the temporary file beside `path` (missing folders are made). `worst_case_bytes` is the
  /// most that all pages can come to, and decides between classic TIFF and BigTIFF.
  /// Throws Error: kCannotCreate, kDiskFull, kIo.
  static std::unique_ptr<PlateFile> create(const std::string& path,
                                           uint64_t worst_case_bytes,
                                           ExistingFile existing = ExistingFile::kReplace);
  virtual ~PlateFile() = default;

  /// Starts a page. `compression` is not kAutomatic. The page before must have ended.
  virtual void begin_page(const PlatePage& page, Compression compression) = 0;

  /// Appends the next strip of the page, top to bottom. `raw` are the rows that `encoded` stands
  /// for; their digest is what publish() verifies against.
  virtual void write_strip(std::span<const std::byte> encoded, const BitBand& raw) = 0;

  /// Ends the page; all its strips are written. `software` and `description` are the tags Software
  /// and ImageDescription, where the provenance goes.
  virtual void end_page(const std::string& software, const std::string& description) = 0;

  /// Flushes, syncs, reopens and decodes the temporary file, compares it with what was given, gives
  /// it its final name and syncs the folder. When a page came out larger than raw and
  /// `never_larger` is set, the file is first rewritten uncompressed. Throws Error (kIo, kDiskFull,
  /// kCannotCreate); nothing is published then.
  virtual void publish(bool never_larger, Team& team) = 0;

  /// After publish(): size of the file, and a hash (XXH3, 16 hexadecimal digits) of the decoded
  /// rows of all pages, which does not depend on compression or strips.
  virtual uint64_t file_bytes() const = 0;
  virtual std::string content_hash() const = 0;
};

/// Reads back a bilevel plate, for tests and for --verify. Throws Error.
struct Plate {
  PlatePage page;
  Compression compression = Compression::kNone;
  std::string software;
  std::string description;
  uint64_t file_bytes = 0;
  std::vector<uint8_t> bits;  ///< rows of bit_row_bytes(width_px), 1 is ink
};
Plate read_plate(const std::string& path, uint32_t page_index = 0);

}  // namespace mezzo
