// A regular file, open for positioned reads by any number of threads.
//
// The file is opened once; all reads use that descriptor, so a file renamed into its place in the
// meantime is not mixed in. Nothing is mapped: a producer who truncates the file makes a read fall
// short, which is an error, and not a signal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "stages/files/byte_store.h"
#include "stages/files/descriptor.h"
#include "stages/files/digest_of_reads.h"
#include "stages/files/file_mark.h"
#include "stages/files/file_system.h"

namespace mezzo::files {

/// The advice about a file that changed while it was read.
inline constexpr std::string_view kWaitForWriter = "wait until it is complete, then try again";

class InputFile final : public ByteStore {
 public:
  /// Opens a regular file without ever blocking. Throws Error: kMissing, kIo, kUnsupported (a FIFO,
  /// a folder, a device, or what `files` refuses), kLimit (larger than `max_bytes`).
  InputFile(std::string path, uint64_t max_bytes, FileSystem& files = FileSystem::real());

  const std::string& path() const { return path_; }

  /// Size when the file was opened.
  uint64_t size() const noexcept override { return mark_.bytes; }

  /// Interrupted reads go on.
  size_t read_at(uint64_t offset,
                 std::span<std::byte> to,
                 int& error_number) const noexcept override;

  /// Reads all of `to`, or throws Error: kIo, or kData when the file ends before. The message does
  /// not name the file: the caller adds it.
  void read(uint64_t offset, std::span<std::byte> to) const;

  /// Reads `rows` rows that lie packed in the file to `to`, `stride` bytes apart. Throws as read().
  void read_rows(
      uint64_t offset, std::byte* to, size_t row_bytes, size_t stride, uint32_t rows) const;

  /// SHA-256 of the whole file, 64 lower-case hexadecimal digits.
  std::string sha256() const;

  /// XXH3 of the whole file, 32 hexadecimal digits: quick, and no defence against forgery.
  std::string xxh3() const;

  /// For a file that is read from its beginning to its end and digested by xxh3() then: the digest is
  /// taken along with the reads. Call before other threads read.
  void digest_along_reads();
  /// The same for one of several readers of one file, whose digest `first` keeps, and which outlives this.
  void digest_along_reads(const InputFile& first) { digest_ = first.digest_; }

  /// As it was when it was opened.
  const FileMark& mark() const { return mark_; }

  /// Throws Error(kData) when size or modification time are not those at opening.
  void check_unchanged() const;

  /// Whether the file's change time (ctime) is not that at opening. This finds changes that check_unchanged() does
  /// not: of the name or the permissions, or of the content if the modification time was set back. Throws Error(kIo).
  bool is_touched() const;

 private:
  FileMark mark_now() const;
  template <typename Take>
  void for_each_piece(const Take& take) const;

  std::string path_;
  FileSystem& files_;
  Descriptor file_;
  FileMark mark_;
  std::shared_ptr<DigestOfReads> digest_;  ///< null: not along reads
};

/// "xxh3:" and the XXH3 of a whole file, as journals keep it. Throws as InputFile does, and Error(kData)
/// when the file changes meanwhile.
std::string digest_of_file(const std::string& path, FileSystem& files);

/// All of a small file, as a manifest is. Throws as InputFile does.
std::string read_text(const std::string& path, uint64_t max_bytes, FileSystem& files);

}  // namespace mezzo::files
