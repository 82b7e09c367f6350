// Files that appear whole or not at all: written under a temporary name beside their final one,
// synced, and only then renamed. After any failure, no half-written file has the final name, and an
// older file of that name is unchanged.
//
// The program must ignore SIGXFSZ, so that a file-size limit is an error (EFBIG) and not the end of
// the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "kernels/base/error.h"
#include "stages/files/byte_store.h"
#include "stages/files/file_mark.h"
#include "stages/files/file_system.h"
#include "stages/files/written_sums.h"

namespace mezzo::files {

class PublishedFiles;

/// The treatment of a file that already has the final name.
enum class ExistingFile { kReplace, kRefuse };

/// The Error for a system call on `path` that failed with errno `error_number` while `doing` (as in
/// "writing a strip"). No space, no quota and the file-size limit are kDiskFull, everything else is
/// `otherwise`; the text names file, activity, reason (as `files` gives it) and advice.
Error file_error(const std::string& path,
                 std::string_view doing,
                 int error_number,
                 ErrorKind otherwise = ErrorKind::kIo,
                 const FileSystem& files = FileSystem::real());

/// Brings the names in a folder to the disk, where its file system can. An Error names `path`,
/// the file that was created or renamed there.
void sync_folder(FileSystem& files, const std::string& folder, const std::string& path);

/// A file being written. Destroyed unpublished, it removes its temporary file. One thread at a
/// time.
class PendingFile final : public ByteStore {
 public:
  /// Creates `.NAME.<pid>-<machine>-<random>.part` (temporary_name.h) beside `path`, and the folder
  /// when it is missing. With kRefuse, an existing `path` is refused at once, and again by
  /// publish().
  /// Throws Error: kCannotCreate, kDiskFull, kIo.
  explicit PendingFile(const std::string& path,
                       ExistingFile existing = ExistingFile::kReplace,
                       FileSystem& files = FileSystem::real());
  ~PendingFile() override;
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& temporary_path() const { return temporary_path_; }
  FileSystem& files() const { return files_; }
  uint64_t size() const noexcept override { return size_; }

  /// Writes all of `bytes`. Returns 0 or the errno; the first failure sticks, and every later call
  /// returns it without trying.
  int write_at(uint64_t offset, std::span<const std::byte> bytes) noexcept override;

  size_t read_at(uint64_t offset,
                 std::span<std::byte> to,
                 int& error_number) const noexcept override;

  /// The errno that sticks, or 0.
  int error_number() const { return error_number_; }

  /// Makes sync() read the file back and compare it with what was written. Call it before the first write. Plates
  /// do not need it: they are verified by tiff::verify_plate().
  void verify_at_sync() { sums_.emplace(); }

  /// Brings the content to the disk, verifies it after verify_at_sync(), and closes the file; no write
  /// may follow. A failure is final: the kernel may have dropped the data, so it is never tried again.
  /// Throws Error: kDiskFull; kIo, also when the file read back is not what was written.
  void sync();

  /// The file's mark after sync(); nothing when it is not known.
  const std::optional<FileMark>& mark() const { return mark_; }

  /// Gives the file its final name and syncs the folder; an older file of that name is kept aside.
  /// A symbolic link under the final name is replaced, never followed. A failure, here or in
  /// commit(), or destruction before commit() takes all of it back. So files that belong together
  /// are published one by one, and then committed. Call sync() first. `of_run`, which may be null and
  /// must outlive this file, gets it; a file that is in it already is not replaced under another name.
  /// Throws Error: kCannotCreate, kDiskFull, kIo.
  void publish(PublishedFiles* of_run = nullptr);

  /// Makes publication final: removes the older file. Throws Error: kIo.
  void commit();

 private:
  enum class Renamed { kNot, kNew, kSwapped, kReplaced };

  void create_temporary();
  [[noreturn]] void refuse_name(const std::string& name, int error_number) const;
  int note_write(uint64_t offset, std::span<const std::byte> bytes) noexcept;
  void verify_content();
  void close_quietly() noexcept;
  void rename_into_place();
  [[noreturn]] void refuse_rename(int error_number) const;
  Renamed rename_replacing();
  Renamed rename_refusing();
  void keep_others_of_run(const std::string& at);
  void undo() noexcept;

  FileSystem& files_;
  std::string path_;
  std::string folder_;
  std::string temporary_path_;  ///< empty: nothing to remove
  ExistingFile existing_;
  int fd_ = -1;
  int error_number_ = 0;
  std::optional<WrittenSums> sums_;
  bool synced_ = false;
  std::optional<FileMark> mark_;
  Renamed renamed_ = Renamed::kNot;    ///< step that undo() takes back
  std::optional<FileMark> published_;  ///< our file: undo() takes back no other
  PublishedFiles* of_run_ = nullptr;
  uint64_t size_ = 0;
  uint64_t writeback_begin_ = 0;
};

/// Writes a file with this content, whole or not at all, and reads it back. Replaces an older file. Throws Error as
/// PendingFile does.
void write_whole_file(const std::string& path,
                      std::string_view content,
                      FileSystem& files = FileSystem::real());

}  // namespace mezzo::files
