// Writes TIFF plates, bilevel or of levels: strips are encoded in parallel into memory, and written raw in order
// to a temporary file, which is published under its final name only when it is known to be good.
//
// A plate is the same file on any engine: little-endian, no date, strips that depend on the width
// alone.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/codec/row_sum.h"
#include "stages/files/file_mark.h"
#include "stages/files/publish.h"
#include "stages/tiff/plate/plate.h"
#include "stages/tiff/plate/plate_verify.h"

namespace mezzo::tiff {

class TiffPlateOutput;

/// A strip on its way into a plate.
struct PlateStrip {
  BitBand rows;  ///< without gaps between them; no data where a GPU sends the coded bytes alone
  std::span<const std::byte> coded = {};  ///< by encode_strip() or a GPU; empty: the rows alone
  StripSums sums = {};
};

/// A strip with its sums.
inline PlateStrip summed(const BitBand& rows, std::span<const std::byte> coded) {
  return {rows, coded, {codec::row_sum(rows), codec::byte_sum(coded)}};
}

/// Takes the strips of a page, from the top.
class StripWriter {
 public:
  virtual ~StripWriter() = default;

  /// Whether strips need no coded bytes: from here to the end of the page only their rows are written.
  /// For any thread.
  virtual bool takes_rows() const { return false; }

  /// Appends the next strip of the page. Throws Error.
  virtual void write_strip(const PlateStrip& strip) = 0;
};

/// Memory enough for some threads to read a plate back at full speed.
inline constexpr uint64_t kSealBytes = 64ULL << 20;

/// A plate being written. Until publish() returns, no file has the final name; a PlateFile
/// destroyed unpublished removes its temporary file. One thread at a time. After a call has thrown,
/// only destruction is allowed.
class PlateFile final : public StripWriter {
 public:
  /// Creates the temporary file beside `path` (missing folders are made). `worst_case_bytes`, the
  /// most bytes of all pages (see stages/tiff/plate/plate.h), decides between classic TIFF and
  /// BigTIFF. Throws Error: kCannotCreate, kDiskFull, kIo.
  PlateFile(const std::string& path,
            uint64_t worst_case_bytes,
            files::ExistingFile existing,
            files::FileSystem& files);
  static std::unique_ptr<PlateFile> create(
      const std::string& path,
      uint64_t worst_case_bytes,
      files::ExistingFile existing = files::ExistingFile::kReplace,
      files::FileSystem& files = files::FileSystem::real()) {
    return std::make_unique<PlateFile>(path, worst_case_bytes, existing, files);
  }
  ~PlateFile() override;
  PlateFile(const PlateFile&) = delete;
  PlateFile& operator=(const PlateFile&) = delete;

  /// Starts a page. `compression` is not kAutomatic. The page before must have ended. With `never_larger`,
  /// the page is written without compression as soon as its coded strips take more than all of its rows.
  /// Which strip that is depends on the page alone.
  void begin_page(const PlatePage& page, Compression compression, bool never_larger = false);

  bool takes_rows() const override { return takes_rows_; }

  /// seal() verifies against the sums. Throws Error: kDiskFull, kIo.
  void write_strip(const PlateStrip& strip) override;

  /// Ends the page; all its strips are written. `software` and `description` are the tags Software
  /// and ImageDescription, for the provenance; empty: none.
  void end_page(const std::string& software, const std::string& description);

  /// Flushes, syncs and reopens the temporary file, and compares it with the strips written: see
  /// verify_plate(). Throws Error (kIo, kDiskFull).
  void seal(VerifyLevel level, Team& team, uint64_t room_bytes = kSealBytes, bool digests = false);

  /// After seal() with `digests`: that of verify_plate().
  const std::string& file_digest() const { return file_digest_; }

  /// After seal(): the path of the finished plate until it is published.
  const std::string& temporary_path() const;

  /// After seal(): gives the plate its final name, if the file is still the one that was verified;
  /// destruction takes the name back until commit() has made it final. See PendingFile. Throws Error
  /// (kCannotCreate, kDiskFull, kIo).
  void publish(files::PublishedFiles* of_run = nullptr);
  void commit();

  /// After seal(): size of the file, the digest of the decoded rows of all pages (ContentSum), and
  /// the compression that a page has.
  uint64_t file_bytes() const;
  std::string content_sum() const;
  Compression page_compression(uint32_t page_index) const;

 private:
  void check_unchanged() const;
  void stop_coding();
  void write_rows(const PlateStrip& strip);

  const bool is_big_;  ///< BigTIFF
  const files::ExistingFile existing_;
  files::FileSystem& files_;
  std::unique_ptr<TiffPlateOutput> output_;
  std::vector<PlateRecord> records_;
  std::optional<files::FileMark> sealed_;  ///< of the file that was verified
  std::string file_digest_;
  bool never_larger_ = false;  ///< the page being written
  std::atomic<bool> takes_rows_{false};
};

}  // namespace mezzo::tiff
