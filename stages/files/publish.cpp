#include "stages/files/publish.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <mutex>
#include <new>
#include <random>

#include "stages/files/mount.h"
#include "stages/files/published_files.h"
#include "stages/files/rename.h"
#include "stages/files/temporary_name.h"

namespace mezzo::files {
namespace {

/// Bytes written before the kernel is asked to start on them: enough for one large request to the
/// disk, little enough that few remain for the fsync at the end.
constexpr uint64_t kWritebackBytes = 4 << 20;

constexpr size_t kMaxNameBytes = 255;  // NAME_MAX of every file system in use

std::string_view advice(int error_number) {
  switch (error_number) {
    case ENOSPC:
      return "free some space on that disk, then run the page again";
    case EDQUOT:
      return "free some space or have the quota raised, then run the page again";
    case EFBIG:
      return "raise the file-size limit (ulimit -f) or use another file system";
    case EEXIST:
      return "remove it, or allow it to be replaced";
    case EISDIR:
    case ENOTDIR:
    case EXDEV:
      return "give the output another name";
    case ELOOP:
      return "put a folder there instead of the link";
    case EACCES:
    case EPERM:
      return "check the permissions of the folder";
    case EROFS:
      return "choose a folder that can be written";
    case ENAMETOOLONG:
      return "choose a shorter name";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return "check the disk, then run the page again";
  }
}

/// Sets the time of the last change, once all is written: servers of SMB change it again when a file
/// is closed, or seconds later, unless somebody has set it. A failure does no harm elsewhere.
void settle_time(int fd) {
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT},
                            {.tv_sec = 0, .tv_nsec = UTIME_NOW}};
  ::futimens(fd, times);
}

/// Makes the folder and those above it, as far as they are missing.
void make_folders(FileSystem& files, const std::string& folder, const std::string& path) {
  struct stat found {};
  if (files.status(folder, found) == 0) {
    if (S_ISDIR(found.st_mode)) return;
    throw file_error(path, "entering its folder", ENOTDIR, ErrorKind::kCannotCreate);
  }
  if (errno != ENOENT) {
    throw file_error(path, "entering its folder", errno, ErrorKind::kCannotCreate, files);
  }
  const std::string parent = folder_of(folder);
  make_folders(files, parent, path);
  if (files.make_folder(folder, 0777) != 0) {
    if (errno == EEXIST) return;  // another page made it meanwhile
    throw file_error(path, "making its folder", errno, ErrorKind::kCannotCreate, files);
  }
  sync_folder(files, parent, path);
}

}  // namespace

Error file_error(const std::string& path,
                 std::string_view doing,
                 int error_number,
                 ErrorKind otherwise,
                 const FileSystem& files) {
  const bool full = error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG;
  const std::string text =
      path + ": " + std::string(doing) + " failed: " + files.reason(error_number);
  if (error_number == EIO) otherwise = ErrorKind::kIo;
  return {full ? ErrorKind::kDiskFull : otherwise, text, advice(error_number)};
}

void sync_folder(FileSystem& files, const std::string& folder, const std::string& path) {
  const int fd = open_file(files, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    throw file_error(path, "opening its folder to sync it", errno, ErrorKind::kIo, files);
  }
  const int error_number = sync_file(files, fd) == 0 ? 0 : errno;
  files.close(fd);
  // Some network file systems cannot sync a folder and say so.
  if (error_number != 0 && error_number != EINVAL && error_number != ENOTSUP) {
    throw file_error(path, "syncing its folder", error_number);
  }
}

PendingFile::PendingFile(const std::string& path, ExistingFile existing, FileSystem& files)
    : files_(files), path_(path), folder_(folder_of(path)), existing_(existing) {
  if (path_.empty() || path_.back() == '/') {
    throw file_error(path_, "creating it", EISDIR, ErrorKind::kCannotCreate);
  }
  make_folders(files_, folder_, path_);
  struct stat found {};
  if (files_.status_of_name(path_, found) == 0) {
    if (S_ISDIR(found.st_mode)) {
      throw file_error(path_, "replacing it", EISDIR, ErrorKind::kCannotCreate);
    }
    // Renaming would replace a device or a pipe by a file.
    if (!S_ISREG(found.st_mode) && !S_ISLNK(found.st_mode)) {
      throw Error(ErrorKind::kCannotCreate,
                  path_ + ": a device, pipe or socket has this name",
                  "give the output another one");
    }
    if (existing_ == ExistingFile::kRefuse && !is_abandoned_placeholder(files_, path_)) {
      throw file_error(path_, "creating it", EEXIST, ErrorKind::kCannotCreate);
    }
  }
  create_temporary();
}

PendingFile::~PendingFile() {
  close_quietly();
  undo();
  if (!temporary_path_.empty()) files_.unlink(temporary_path_);
}

void PendingFile::create_temporary() {
  const size_t slash = path_.rfind('/');
  const std::string parent = slash == std::string::npos ? "" : path_.substr(0, slash + 1);
  std::string name = slash == std::string::npos ? path_ : path_.substr(slash + 1);
  if (name.size() > kMaxNameBytes) {
    throw file_error(path_, "creating it", ENAMETOOLONG, ErrorKind::kCannotCreate);
  }
  std::random_device random;
  for (;;) {
    const std::string tail = temporary_tail(this_process(), random());
    size_t room = kMaxNameBytes - 1 - tail.size();
    if (name.size() > room) {
      // Not in the middle of a UTF-8 character: some file systems would refuse the name.
      while (room > 0 && (static_cast<unsigned char>(name[room]) & 0xC0) == 0x80) --room;
      name.resize(room);
    }
    const std::string candidate = parent + "." + name + tail;
    fd_ = open_file(files_, candidate, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd_ >= 0) {
      temporary_path_ = candidate;
      return;
    }
    if (errno != EEXIST) refuse_name(name, errno);
  }
}

/// A disk may be at fault, or a character that FAT, exFAT and NTFS have in no name.
void PendingFile::refuse_name(const std::string& name, int error_number) const {
  const char few = character_for_few(name);
  const bool is_of_name = error_number == ENOENT || error_number == EINVAL;
  struct stat found {};
  if (few != '\0' && is_of_name && files_.status(folder_, found) == 0) {
    const std::string kind = file_system_of(folder_);
    throw Error(ErrorKind::kCannotCreate,
                path_ + ": its file system" + (kind.empty() ? "" : " (" + kind + ")") +
                    " takes no name with '" + few + "'",
                "give the output another name");
  }
  throw file_error(
      path_, "creating its temporary file", error_number, ErrorKind::kCannotCreate, files_);
}

void PendingFile::close_quietly() noexcept {
  if (fd_ >= 0) files_.close(fd_);
  fd_ = -1;
}

int PendingFile::write_at(uint64_t offset, std::span<const std::byte> bytes) noexcept {
  MZ_ASSERT(!synced_);
  const uint64_t end = offset + bytes.size();
  if (error_number_ == 0 && sums_) error_number_ = note_write(offset, bytes);
  while (error_number_ == 0 && !bytes.empty()) {
    const ssize_t n = files_.pwrite(fd_, bytes.data(), bytes.size(), offset);
    if (n > 0) {
      bytes = bytes.subspan(static_cast<size_t>(n));
      offset += static_cast<uint64_t>(n);
    } else if (n == 0) {
      error_number_ = EIO;  // no progress and no reason: it would never end
    } else if (errno != EINTR) {
      error_number_ = errno;
    }
  }
  if (error_number_ != 0) return error_number_;
  if (end > size_) size_ = end;
  if (size_ - writeback_begin_ >= kWritebackBytes) {
    files_.start_writeback(fd_, writeback_begin_, size_ - writeback_begin_);
    writeback_begin_ = size_;
  }
  return 0;
}

size_t PendingFile::read_at(uint64_t offset,
                            std::span<std::byte> to,
                            int& error_number) const noexcept {
  return read_fully(files_, fd_, offset, to, error_number);
}

int PendingFile::note_write(uint64_t offset, std::span<const std::byte> bytes) noexcept {
  try {
    return sums_->note(offset, bytes, *this);
  } catch (const std::bad_alloc&) {
    return ENOMEM;
  }
}

void PendingFile::verify_content() {
  int error_number = 0;
  if (!sums_ || sums_->is_in(*this, error_number)) return;
  error_number_ = error_number != 0 ? error_number : EIO;
  if (error_number != 0) throw file_error(path_, "reading it back", error_number);
  throw Error(ErrorKind::kIo,
              path_ + ": the file read back is not the file written; nothing was published",
              "check the disk and the memory of the machine");
}

void PendingFile::sync() {
  if (error_number_ != 0) throw file_error(path_, "writing it", error_number_);
  settle_time(fd_);
  if (sync_file(files_, fd_) != 0) {
    error_number_ = errno;
    throw file_error(path_, "syncing it to the disk", error_number_);
  }
  verify_content();
  struct stat status {};
  if (::fstat(fd_, &status) == 0) mark_ = mark_of(status);
  const int fd = fd_;
  fd_ = -1;
  if (files_.close(fd) != 0 && errno != EINTR) {
    error_number_ = errno;
    throw file_error(path_, "closing it", error_number_);
  }
  synced_ = true;
}

void PendingFile::publish(PublishedFiles* of_run) {
  MZ_ASSERT(synced_ && renamed_ == Renamed::kNot && !temporary_path_.empty());
  published_ = mark_of(files_, temporary_path_);
  of_run_ = of_run;
  rename_into_place();
  try {
    sync_folder(files_, folder_, path_);
  } catch (...) {
    undo();
    throw;
  }
}

void PendingFile::commit() {
  MZ_ASSERT(renamed_ != Renamed::kNot);
  if (renamed_ == Renamed::kSwapped && files_.unlink(temporary_path_) != 0) {
    const int error_number = errno;
    undo();
    throw file_error(path_, "removing the older file", error_number, ErrorKind::kIo, files_);
  }
  renamed_ = Renamed::kNot;
  temporary_path_.clear();
}

void PendingFile::rename_into_place() {
  std::unique_lock<std::mutex> lock;
  if (of_run_ != nullptr) lock = std::unique_lock(of_run_->renaming());
  renamed_ = existing_ == ExistingFile::kRefuse ? rename_refusing() : rename_replacing();
  if (of_run_ == nullptr) return;
  if (renamed_ == Renamed::kSwapped) keep_others_of_run(temporary_path_);
  struct stat made {};
  if (files_.status_of_name(path_, made) == 0) of_run_->add(path_, made);
}

/// The older file, at `at`, may be one that this run has just made: it stays.
void PendingFile::keep_others_of_run(const std::string& at) {
  struct stat older {};
  if (of_run_ == nullptr || files_.status_of_name(at, older) != 0) return;
  const std::string owner = of_run_->owner_of(files_, path_, older);
  if (owner.empty()) return;
  of_run_ = nullptr;
  undo();
  throw Error(ErrorKind::kCannotCreate,
              path_ + ": it would replace " + owner +
                  ", which this run has made: the file system takes the two names for one",
              "give one of them another name");
}

// The older file is swapped with the new one, rather than overwritten, so that it can come back
// when the folder cannot be synced. File systems that cannot swap overwrite it.
PendingFile::Renamed PendingFile::rename_replacing() {
  if (files_.rename(temporary_path_, path_, RENAME_EXCHANGE) == 0) return Renamed::kSwapped;
  const bool nothing_there = errno == ENOENT;
  if (!nothing_there && !is_flag_unknown(errno)) {
    refuse_rename(errno);
  }
  struct stat found {};
  const bool is_new = nothing_there || files_.status_of_name(path_, found) != 0;
  if (!is_new) keep_others_of_run(path_);
  if (files_.rename(temporary_path_, path_, 0) != 0) {
    refuse_rename(errno);
  }
  return is_new ? Renamed::kNew : Renamed::kReplaced;
}

PendingFile::Renamed PendingFile::rename_refusing() {
  if (rename_new(files_, temporary_path_, path_) != 0) {
    refuse_rename(errno);
  }
  return Renamed::kNew;
}

void PendingFile::refuse_rename(int error_number) const {
  const bool may_be_of_disk = error_number == EPERM || is_flag_unknown(error_number);
  const std::string kind = may_be_of_disk ? file_system_of(folder_) : "";
  throw file_error(path_,
                   "renaming it into place" + (kind.empty() ? "" : " on " + kind),
                   error_number,
                   ErrorKind::kCannotCreate,
                   files_);
}

void PendingFile::undo() noexcept {
  if (of_run_ != nullptr && renamed_ != Renamed::kNot) of_run_->remove(path_);
  // Another process, on another machine perhaps, may have put its own file there since: it stays.
  if (renamed_ != Renamed::kNot && published_) {
    const auto there = mark_of(files_, path_);
    if (!there || !there->same_content(*published_)) renamed_ = Renamed::kNot;
  }
  switch (renamed_) {
    case Renamed::kNew:
      files_.unlink(path_);
      break;
    case Renamed::kSwapped:
      files_.rename(temporary_path_, path_, RENAME_EXCHANGE);
      break;
    case Renamed::kNot:
    case Renamed::kReplaced:  // the older file is gone; the new one is whole, and stays
      break;
  }
  renamed_ = Renamed::kNot;
}

void write_whole_file(const std::string& path, std::string_view content, FileSystem& files) {
  PendingFile file(path, ExistingFile::kReplace, files);
  file.verify_at_sync();
  file.write_at(0, std::as_bytes(std::span(content)));
  file.sync();  // throws the error of the write
  file.publish();
  file.commit();
}

}  // namespace mezzo::files
