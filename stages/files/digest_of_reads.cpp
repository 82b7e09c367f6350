#include "stages/files/digest_of_reads.h"

#include <algorithm>
#include <cerrno>
#include <limits>

namespace mezzo::files {
namespace {

/// The largest gap that follow() reads itself: pieces of a band arrive in any order.
constexpr uint64_t kMostBetween = uint64_t{2} << 20;

}  // namespace

DigestOfReads::DigestOfReads(FileSystem& files, int fd)
    : files_(files), fd_(fd), buffer_(size_t{128} << 10) {}

/// Returns false at the end of the file, and when reading fails.
bool DigestOfReads::read_up_to(uint64_t end, int& error_number) noexcept {
  error_number = 0;
  while (end_ < end) {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(buffer_.size(), end - end_));
    const size_t got =
        read_fully(files_, fd_, end_, std::span(buffer_).first(wanted), error_number);
    digest_.add(buffer_.data(), got);
    end_ += got;
    if (got < wanted) return false;
  }
  return true;
}

void DigestOfReads::follow(uint64_t offset, std::span<const std::byte> bytes) noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || offset + bytes.size() <= end_ || offset > end_ + kMostBetween) return;
  const int saved = errno;
  int error_number = 0;
  // A failure is met again by finish(), which can say so.
  if (read_up_to(offset, error_number)) {
    const std::span<const std::byte> more = bytes.subspan(static_cast<size_t>(end_ - offset));
    digest_.add(more.data(), more.size());
    end_ += more.size();
  }
  errno = saved;
}

const Xxh3& DigestOfReads::finish(int& error_number) {
  const std::lock_guard lock(mutex_);
  read_up_to(std::numeric_limits<uint64_t>::max(), error_number);
  return digest_;
}

}  // namespace mezzo::files
