// Reads contone TIFF pages, of any layout and any size, as upright bands of samples.
//
// A file is opened once and checked whole: directory loops, absurd sizes and features that we do
// not read are refused by name before a pixel is decoded. Decoding is strict: whatever libtiff
// reports through its error handler, or as a warning while it decodes, fails the page, since a page
// that is half right must not be printed. Input is read with our own positioned reads, never
// mapped, so that a producer who truncates a file cannot kill the process.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/files/file_mark.h"
#include "stages/files/file_system.h"
#include "stages/page_info.h"

namespace mezzo::tiff {

/// What is refused before decoding starts. The message names the limit and its value.
struct InputLimits {
  uint32_t max_side_px = 100'000;
  uint64_t max_pixels = 10'000'000'000;
  uint32_t max_pages = 4'096;  ///< directories of one file
  uint32_t max_inks = 16;
  uint64_t max_file_bytes = 64ULL << 30;
  uint64_t max_strip_bytes = 256ULL << 20;  ///< of one compressed strip or tile, decoded
  uint32_t max_strips = 1'000'000;          ///< strips or tiles of one page
};

/// Decodes one page. Made by TiffFile::open_page(); the TiffFile must outlive it. Not for use by
/// two threads at once; a call spreads its work over the team that it is given.
class PageReader {
 public:
  virtual ~PageReader() = default;

  /// Rows that are decoded together (a strip, a row of tiles): bands of a multiple of this,
  /// starting at a multiple, waste no work. 1 when any height is as good.
  virtual uint32_t row_quantum() const = 0;

  /// False when going back to a row means decoding the page again from its top.
  virtual bool goes_back_cheaply() const = 0;

  /// The most memory that read() holds beside the caller's bands, with a team of `members`.
  virtual size_t working_bytes(uint32_t band_rows, uint32_t members) const = 0;

  /// Reads rows [first_row, first_row + rows) of every plane: planes[i] receives ink i, and all
  /// have the same first_row, rows and width (the page's). Calls may repeat rows or go back, though
  /// ascending order is what is fast. Throws Error (kData, kIo, kLimit), which names file, page and
  /// place.
  virtual void read(std::span<const MutableSampleBand> planes, Team& team) = 0;
};

/// A TIFF file, open for reading: its pages and, one at a time or several at once, their pixels.
class TiffFile {
 public:
  /// Opens and checks `path` and all its directories. Throws Error: kMissing, kIo, kData,
  /// kUnsupported, kLimit.
  static std::unique_ptr<TiffFile> open(const std::string& path,
                                        const InputLimits& limits = {},
                                        files::FileSystem& files = files::FileSystem::real());
  virtual ~TiffFile() = default;

  virtual const std::string& path() const = 0;

  /// The pages of the file, in order, thumbnails and other reduced images left out.
  virtual uint32_t page_count() const = 0;

  /// The page, 0 <= index < page_count(). Throws Error (kUnsupported, kData, kLimit) when this page
  /// is one that we do not read; other pages of the file may still be good.
  virtual const PageInfo& page(uint32_t index) const = 0;

  /// `memory_bytes` bounds what the reader may hold for itself (it matters for pages that lie on
  /// their side). Throws like page(), and kLimit when the page cannot be read within that memory.
  virtual std::unique_ptr<PageReader> open_page(uint32_t index, uint64_t memory_bytes) const = 0;

  /// SHA-256 of the file's bytes, 64 lower-case hexadecimal digits. Reads the whole file.
  virtual std::string sha256() const = 0;

  /// XXH3 of the file's bytes, 32 hexadecimal digits. Reads the whole file.
  virtual std::string xxh3() const = 0;

  /// The file as it was when it was opened.
  virtual const files::FileMark& mark() const = 0;

  /// Throws Error(kData) when the file was changed (size, modification time) since it was opened.
  virtual void check_unchanged() const = 0;
};

}  // namespace mezzo::tiff
