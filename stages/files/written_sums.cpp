#include "stages/files/written_sums.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <vector>

#include "stages/files/xxh3.h"

namespace mezzo::files {
namespace {

uint64_t sum_of(std::span<const std::byte> bytes) {
  Xxh3 sum;
  sum.add(bytes.data(), bytes.size());
  return sum.value64();
}

}  // namespace

// Earlier pieces that overlap the write are read back and merged with it. The header of a TIFF is one: the offset of
// the directory is written into it last.
int WrittenSums::note(uint64_t offset, std::span<const std::byte> bytes, const ByteStore& file) {
  if (bytes.empty()) return 0;
  const uint64_t end = offset + bytes.size();
  auto first = pieces_.upper_bound(offset);
  if (first != pieces_.begin() &&
      std::prev(first)->first + std::prev(first)->second.bytes > offset) {
    --first;
  }
  std::vector<std::byte> joined;
  uint64_t begin = offset;
  while (first != pieces_.end() && first->first < end) {
    const auto& [at, piece] = *first;
    std::vector<std::byte> old(piece.bytes);
    int error_number = 0;
    const size_t got = file.read_at(at, old, error_number);
    if (error_number != 0) return error_number;
    if (got != old.size() || sum_of(old) != piece.sum) return EIO;
    begin = std::min(begin, at);
    joined.resize(std::max<uint64_t>(joined.size(), std::max(end, at + piece.bytes) - begin));
    std::ranges::copy(old, joined.begin() + static_cast<ptrdiff_t>(at - begin));
    first = pieces_.erase(first);
  }
  if (!joined.empty()) {
    std::ranges::copy(bytes, joined.begin() + static_cast<ptrdiff_t>(offset - begin));
    bytes = joined;
  }
  pieces_[begin] = {bytes.size(), sum_of(bytes)};
  return 0;
}

bool WrittenSums::is_in(const ByteStore& file, int& error_number) const {
  std::vector<std::byte> bytes;
  for (const auto& [at, piece] : pieces_) {
    bytes.resize(piece.bytes);
    const size_t got = file.read_at(at, bytes, error_number);
    if (error_number != 0 || got != bytes.size() || sum_of(bytes) != piece.sum) return false;
  }
  return true;
}

}  // namespace mezzo::files
