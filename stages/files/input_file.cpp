#include "stages/files/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

#include "kernels/base/bytes_text.h"
#include "kernels/base/error.h"
#include "stages/files/sha256.h"
#include "stages/files/xxh3.h"

namespace mezzo::files {
namespace {

std::string words_of(int error_number) {
  return std::generic_category().message(error_number);
}

const char* kind_of_file(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

ErrorKind kind_of_refusal(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:  // no file can have that name
      return ErrorKind::kMissing;
    case ENXIO:
    case ELOOP:
    case EXDEV:  // these three by ConfinedFileSystem
    case EMLINK:
    case EISDIR:
      return ErrorKind::kUnsupported;
    default:
      return ErrorKind::kIo;
  }
}

std::string_view advice_on_refusal(int error_number) {
  switch (error_number) {
    case EACCES:
    case EPERM:
      return "let the user who runs the job read it";
    case EMFILE:
    case ENFILE:
      return "raise the limit of open files (ulimit -n)";
    default:
      return "";
  }
}

Descriptor open_without_blocking(const std::string& path, FileSystem& files) {
  // O_NONBLOCK: opening a FIFO without a writer returns at once.
  Descriptor file(open_file(files, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (file) return file;
  const int error_number = errno;
  throw Error(kind_of_refusal(error_number),
              path + ": cannot be opened for reading: " + files.reason(error_number),
              advice_on_refusal(error_number));
}

[[noreturn]] void throw_failed_read(const std::string& path, int error_number) {
  throw Error(ErrorKind::kIo, path + ": reading failed: " + words_of(error_number));
}

[[noreturn]] void throw_short_read(uint64_t offset,
                                   uint64_t expected,
                                   uint64_t found,
                                   int error_number) {
  if (error_number != 0) {
    throw Error(
        ErrorKind::kIo,
        "reading at byte " + std::to_string(offset + found) + " failed: " + words_of(error_number));
  }
  throw Error(ErrorKind::kData,
              "expected " + std::to_string(expected) + " bytes at byte " + std::to_string(offset) +
                  ", found " + std::to_string(found) +
                  ": the file is shorter than its tags say, or was truncated while it was read",
              "export the page again");
}

}  // namespace

InputFile::InputFile(std::string path, uint64_t max_bytes, FileSystem& files)
    : path_(std::move(path)), files_(files), file_(open_without_blocking(path_, files)) {
  struct stat status {};
  const bool known = ::fstat(file_.get(), &status) == 0;
  const int error_number = errno;
  const auto fail = [&](ErrorKind kind, const std::string& why) {
    throw Error(kind, path_ + ": " + why);
  };
  if (!known) fail(ErrorKind::kIo, "cannot be examined: " + words_of(error_number));
  if (!S_ISREG(status.st_mode)) {
    fail(ErrorKind::kUnsupported,
         std::string("expected a regular file, found ") + kind_of_file(status.st_mode));
  }
  mark_ = mark_of(status);
  if (size() > max_bytes) {
    fail(ErrorKind::kLimit, "the file has " + beyond_limit_text(size(), max_bytes));
  }
}

size_t InputFile::read_at(uint64_t offset,
                          std::span<std::byte> to,
                          int& error_number) const noexcept {
  const size_t got = read_fully(files_, file_.get(), offset, to, error_number);
  if (digest_) digest_->follow(offset, to.first(got));
  return got;
}

void InputFile::read(uint64_t offset, std::span<std::byte> to) const {
  int error_number = 0;
  const size_t got = read_at(offset, to, error_number);
  if (got != to.size()) throw_short_read(offset, to.size(), got, error_number);
}

void InputFile::read_rows(
    uint64_t offset, std::byte* to, size_t row_bytes, size_t stride, uint32_t rows) const {
  if (stride == row_bytes) return read(offset, {to, row_bytes * rows});
  constexpr uint32_t kRowsACall = 256;
  std::array<iovec, kRowsACall> pieces;
  for (uint32_t first = 0; first < rows; first += kRowsACall) {
    const uint32_t count = std::min(rows - first, kRowsACall);
    for (uint32_t i = 0; i < count; ++i) pieces[i] = {to + (first + i) * stride, row_bytes};
    const uint64_t at = offset + uint64_t{first} * row_bytes;
    ssize_t got = 0;
    do {
      got = ::preadv(file_.get(), pieces.data(), static_cast<int>(count), static_cast<off_t>(at));
    } while (got < 0 && errno == EINTR);
    if (got >= 0 && static_cast<size_t>(got) == count * row_bytes) continue;
    // Interrupted, at the end, or failed: row by row, which also finds out why.
    for (uint32_t i = 0; i < count; ++i) {
      read(at + uint64_t{i} * row_bytes, {to + (first + i) * stride, row_bytes});
    }
  }
}

template <typename Take>
void InputFile::for_each_piece(const Take& take) const {
  std::vector<std::byte> buffer(size_t{256} << 10);  // stays in the second-level cache
  int error_number = 0;
  for (uint64_t at = 0;;) {
    const size_t got = read_at(at, buffer, error_number);
    if (error_number != 0) throw_failed_read(path_, error_number);
    if (got == 0) return;
    take(buffer.data(), got);
    at += got;
  }
}

std::string InputFile::sha256() const {
  Sha256 digest;
  for_each_piece([&](const std::byte* data, size_t bytes) { digest.add(data, bytes); });
  return digest.hex();
}

void InputFile::digest_along_reads() {
  digest_ = std::make_shared<DigestOfReads>(files_, file_.get());
}

std::string InputFile::xxh3() const {
  if (digest_) {
    int error_number = 0;
    const Xxh3& digest = digest_->finish(error_number);
    if (error_number != 0) throw_failed_read(path_, error_number);
    return digest.hex128();
  }
  Xxh3 digest;
  for_each_piece([&](const std::byte* data, size_t bytes) { digest.add(data, bytes); });
  return digest.hex128();
}

FileMark InputFile::mark_now() const {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) {
    throw Error(ErrorKind::kIo, path_ + ": cannot be examined: " + words_of(errno));
  }
  return mark_of(status);
}

void InputFile::check_unchanged() const {
  const FileMark now = mark_now();
  if (now.bytes != mark_.bytes) {
    throw Error(ErrorKind::kData,
                path_ + ": the file was changed while it was read: it had " +
                    std::to_string(mark_.bytes) + " bytes, now it has " + std::to_string(now.bytes),
                kWaitForWriter);
  }
  if (now.modified_ns != mark_.modified_ns) {
    throw Error(ErrorKind::kData,
                path_ + ": the file was changed while it was read: its modification time moved",
                kWaitForWriter);
  }
}

bool InputFile::is_touched() const {
  return mark_now().changed_ns != mark_.changed_ns;
}

std::string digest_of_file(const std::string& path, FileSystem& files) {
  const InputFile file(path, std::numeric_limits<uint64_t>::max(), files);
  std::string digest = "xxh3:" + file.xxh3();
  file.check_unchanged();
  return digest;
}

std::string read_text(const std::string& path, uint64_t max_bytes, FileSystem& files) {
  const InputFile file(path, max_bytes, files);
  std::string text(static_cast<size_t>(file.size()), '\0');
  try {
    file.read(0, std::as_writable_bytes(std::span(text)));
  } catch (const Error& error) {
    throw error.at(path + ": ");
  }
  return text;
}

}  // namespace mezzo::files
