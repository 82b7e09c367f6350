#include "stages/tiff/plate/stream.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>

namespace mezzo::tiff {
namespace {

/// The most that libtiff may allocate at once: its tables of strips, and its buffer for one coded
/// strip.
constexpr tmsize_t kMaxSingleAllocation = tmsize_t{512} << 20;

TiffStream& stream_of(thandle_t client) {
  return *static_cast<TiffStream*>(client);
}

tmsize_t read_proc(thandle_t client, void* data, tmsize_t bytes) {
  TiffStream& stream = stream_of(client);
  if (bytes < 0) return -1;
  const size_t n =
      stream.read_at(stream.position, {static_cast<std::byte*>(data), static_cast<size_t>(bytes)});
  stream.position += n;
  return static_cast<tmsize_t>(n);
}

tmsize_t write_proc(thandle_t client, void* data, tmsize_t bytes) {
  TiffStream& stream = stream_of(client);
  if (bytes < 0) return -1;
  const std::span<const std::byte> span(static_cast<const std::byte*>(data),
                                        static_cast<size_t>(bytes));
  if (!stream.discarding() && !stream.write_at(stream.position, span)) return -1;
  stream.position += span.size();
  return bytes;
}

toff_t seek_proc(thandle_t client, toff_t offset, int whence) {
  TiffStream& stream = stream_of(client);
  switch (whence) {
    case SEEK_SET:
      stream.position = offset;
      break;
    case SEEK_CUR:
      stream.position += offset;
      break;
    case SEEK_END:
      stream.position = stream.size() + offset;
      break;
    default:
      return static_cast<toff_t>(-1);
  }
  return stream.position;
}

int close_proc(thandle_t) {
  return 0;
}

toff_t size_proc(thandle_t client) {
  return stream_of(client).size();
}

int map_proc(thandle_t, void**, toff_t*) {
  return 0;
}

void unmap_proc(thandle_t, void*, toff_t) {}

__attribute__((format(printf, 4, 0))) int on_error(
    TIFF*, void* user, const char* module, const char* format, va_list arguments) {
  char text[512];
  std::vsnprintf(text, sizeof text, format, arguments);
  static_cast<TiffStream*>(user)->note_error(module, text);
  return 1;  // keeps it from the handlers that the whole process shares
}

// What matters of a warning shows when the decoded rows are compared.
int on_warning(TIFF*, void*, const char*, const char*, va_list) {
  return 1;
}

}  // namespace

void TiffStream::note_error(const char* module, const char* text) noexcept {
  if (!error_.empty()) return;
  try {
    error_ = module != nullptr ? std::string(module) + ": " + text : std::string(text);
  } catch (const std::bad_alloc&) {
    error_ = "no memory";  // fits the string itself
  }
}

ReadFileStream::ReadFileStream(const std::string& path, files::FileSystem& files) : files_(files) {
  do {
    fd_ = files_.open(path, O_RDONLY | O_CLOEXEC);
  } while (fd_ < 0 && errno == EINTR);
  if (fd_ < 0) {
    throw files::file_error(
        path, "opening it", errno, errno == ENOENT ? ErrorKind::kMissing : ErrorKind::kIo, files_);
  }
  struct stat found {};
  if (::fstat(fd_, &found) == 0) size_ = static_cast<uint64_t>(found.st_size);
}

ReadFileStream::~ReadFileStream() {
  files_.close(fd_);
}

size_t ReadFileStream::read_at(uint64_t offset, std::span<std::byte> bytes) noexcept {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = files_.pread(fd_, bytes.data() + done, bytes.size() - done, offset + done);
    if (n > 0) {
      done += static_cast<size_t>(n);
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else {
      // libtiff goes on without some things that it cannot read; a plate must be whole.
      const bool missing = n < 0 || offset + done < size_;
      if (missing && error_number_ == 0) error_number_ = n < 0 ? errno : EIO;
      break;
    }
  }
  return done;
}

size_t MemoryStream::read_at(uint64_t offset, std::span<std::byte> bytes) noexcept {
  if (offset >= bytes_.size()) return 0;
  const size_t n = std::min<size_t>(bytes.size(), bytes_.size() - static_cast<size_t>(offset));
  std::memcpy(bytes.data(), bytes_.data() + offset, n);
  return n;
}

bool MemoryStream::write_at(uint64_t offset, std::span<const std::byte> bytes) noexcept {
  const size_t begin = static_cast<size_t>(offset);
  try {
    if (begin + bytes.size() > bytes_.size()) bytes_.resize(begin + bytes.size());
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (!bytes.empty()) std::memcpy(bytes_.data() + begin, bytes.data(), bytes.size());
  return true;
}

OwnedTiff open_tiff(const std::string& name, const char* mode, TiffStream& stream) {
  const std::unique_ptr<TIFFOpenOptions, void (*)(TIFFOpenOptions*)> options(TIFFOpenOptionsAlloc(),
                                                                             TIFFOpenOptionsFree);
  if (!options) return nullptr;
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), kMaxSingleAllocation);
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), on_error, &stream);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), on_warning, &stream);
  stream.position = 0;
  return OwnedTiff(TIFFClientOpenExt(name.c_str(),
                                     mode,
                                     &stream,
                                     read_proc,
                                     write_proc,
                                     seek_proc,
                                     close_proc,
                                     size_proc,
                                     map_proc,
                                     unmap_proc,
                                     options.get()));
}

}  // namespace mezzo::tiff
