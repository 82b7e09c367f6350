// Reads contone TIFF pages, of any layout and any size, as upright bands of samples.
//
// A file is opened once and checked whole: directory loops, absurd sizes and features that we do
// not read are refused by name before a pixel is decoded, and so is a tag that decides something and
// cannot be read (stages/tiff/tags.h). Decoding is strict: every error of
// libtiff, and every warning while it decodes, fails the page, since a page that is half right must
// not be printed. Input is read with our own positioned reads, never mapped, so that a producer who
// truncates a file cannot kill the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "stages/files/input_file.h"
#include "stages/page_info.h"
#include "stages/tiff/read/limits.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo::tiff {

class StoredRows;        // stored_rows.h
class Tags;              // tags.h
struct PageDescription;  // directory.h
struct PageLayout;       // layout.h

/// A page whose samples are one channel of grey.
struct StoredGrey {
  uint32_t bits = 8;             ///< of a sample: from 8 on they are handed out as they are stored
  std::string description = {};  ///< tag ImageDescription on one line, or empty
};

/// What is handed out of a page beside the usual.
struct ReadAs {
  /// Its extra channels as inks, whose largest sample stands for this.
  std::optional<Polarity> spots = {};
  /// Samples of RGB (which palettes become) and CIELAB, and not their grey. L* is 0 .. 100 over all
  /// of the range; a* and b* have 128 added in 8 bits, and are 256 for each, with 32768 added, in 16.
  bool colours = false;

  bool operator==(const ReadAs&) const = default;
};

/// A TIFF file, open for reading: its pages and, one at a time or several at once, their pixels.
class TiffFile {
 public:
  /// Opens and checks `path` and all its directories. Throws Error: kMissing, kIo, kData,
  /// kUnsupported, kLimit.
  TiffFile(const std::string& path, const InputLimits& limits, files::FileSystem& files);
  static std::unique_ptr<TiffFile> open(const std::string& path,
                                        const InputLimits& limits = {},
                                        files::FileSystem& files = files::FileSystem::real()) {
    return std::make_unique<TiffFile>(path, limits, files);
  }
  ~TiffFile();
  TiffFile(const TiffFile&) = delete;
  TiffFile& operator=(const TiffFile&) = delete;

  const std::string& path() const { return file_.path(); }

  /// The pages of the file, in order, thumbnails and other reduced images left out.
  uint32_t page_count() const;

  /// The page, 0 <= index < page_count(). Throws Error (kUnsupported, kData, kLimit) when this page
  /// cannot be read; other pages of the file may still be good.
  const PageInfo& page(uint32_t index) const;

  /// The page in that form. Throws likewise.
  PageInfo page(uint32_t index, const ReadAs& form) const;

  /// The bytes of its ICC profile; empty without one. Throws as page().
  std::vector<std::byte> profile(uint32_t index) const;

  /// The page where it is such a one, of either polarity; nothing for any other. Throws as page(), and
  /// kData when tag ImageDescription cannot be read.
  std::optional<StoredGrey> stored_grey(uint32_t index) const;

  /// `memory_bytes` bounds the reader's own memory (which matters for pages that lie on their
  /// side); `form` as in page(). The reader hands out the page upright and then turned, as rotated()
  /// does its description. Throws like page(), and kLimit when the page cannot be read within that
  /// memory.
  std::unique_ptr<PageReader> open_page(uint32_t index,
                                        uint64_t memory_bytes,
                                        const ReadAs& form = {},
                                        Rotation rotation = Rotation::kNone) const;

  /// The least memory that open_page() can do with in reasonable time. Throws like page().
  uint64_t least_memory(uint32_t index,
                        const ReadAs& form = {},
                        Rotation rotation = Rotation::kNone) const;

  /// SHA-256 of the file's bytes, 64 lower-case hexadecimal digits. Reads the whole file.
  std::string sha256() const { return file_.sha256(); }

  /// XXH3 of the file's bytes, 32 hexadecimal digits. Reads the whole file, or the bytes that remain
  /// after digest_along_reads().
  std::string xxh3() const { return file_.xxh3(); }

  /// Takes the digest of xxh3() while pages are read, and spares the second reading. Call before.
  void digest_along_reads() { file_.digest_along_reads(); }

  /// The mark of the file when it was opened.
  const files::FileMark& mark() const { return file_.mark(); }

  /// Throws Error(kData) when the file was changed (size, modification time) since it was opened.
  void check_unchanged() const { file_.check_unchanged(); }

  /// See files::InputFile.
  bool is_touched() const { return file_.is_touched(); }

 private:
  struct Page;

  PageDescription described_as(uint32_t index, const ReadAs& form) const;
  PageLayout layout_of(uint32_t index, const ReadAs& form, Rotation rotation) const;
  std::unique_ptr<StoredRows> stored_rows(uint32_t index,
                                          const PageLayout& layout,
                                          uint64_t memory_bytes) const;
  Tags tags_of(const Page& page) const;
  void find_pages();
  void check_pages();

  files::InputFile file_;
  const InputLimits limits_;
  std::vector<Page> pages_;
  bool has_mask_ = false;  ///< beside its pages
};

/// Removes the environment variable that raises the limits of libtiff's JPEG decoder. For programs:
/// call before threads start.
void clear_codec_environment();

}  // namespace mezzo::tiff
