#include "stages/tiff/lean_directory.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace mezzo::tiff {
namespace {

constexpr uint64_t kMostEntries = 4'096;      // libtiff's own limit
constexpr uint64_t kMostOther = 256;          // of a tag that nothing here asks for
constexpr uint64_t kMostUsual = 64ULL << 10;  // of texts and of a value for each sample
constexpr uint64_t kMostColourMap = 3 * 65'536 * 2;

/// The most bytes that the values of a tag may have and be read. Tables of strips and tiles have no
/// limit here: libtiff reads them piece by piece.
uint64_t most_bytes(uint64_t tag, TagUse use) {
  constexpr uint64_t kUsual[] = {258, 269, 270, 285, 305, 333, 338, 339, 347};
  const bool describes = use == TagUse::kDescription;
  switch (tag) {
    case 273:  // StripOffsets, StripByteCounts, TileOffsets, TileByteCounts
    case 279:
    case 324:
    case 325:
      return std::numeric_limits<uint64_t>::max();
    case 320:
      return kMostColourMap;
    case 34675:
      return describes ? kMostProfileTagBytes : 0;
    case 34377:
      return describes ? kMostResourceTagBytes : 0;
    default:
      return std::ranges::find(kUsual, tag) != std::end(kUsual) ? kMostUsual : kMostOther;
  }
}

/// Bytes of a value of the type, 0 for types that do not exist.
uint64_t value_bytes(uint64_t type) {
  constexpr uint8_t kBytes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8};
  return type < std::size(kBytes) ? kBytes[type] : 0;
}

/// Reads and writes the entries of a directory.
class Entries {
 public:
  Entries(std::span<std::byte> bytes, bool is_big_tiff, bool is_big_endian)
      : bytes_(bytes), is_big_tiff_(is_big_tiff), is_big_endian_(is_big_endian) {}

  size_t word_bytes() const { return is_big_tiff_ ? 8 : 4; }

  /// Empties the entry unless its values are few or needed.
  void make_lean(size_t at, TagUse use) {
    constexpr uint64_t kByte = 1, kText = 2;
    const uint64_t type = number(at + 2, 2), count = number(at + 4, word_bytes());
    const uint64_t width = value_bytes(type), most = most_bytes(number(at, 2), use);
    const bool is_inside = width == 0 || count <= word_bytes() / width;
    if (is_inside || count <= most / width) return;
    put(at + 2, 2, type == kText ? kText : kByte);
    put(at + 4, word_bytes(), 1);
    put(at + 4 + word_bytes(), word_bytes(), 0);
  }

 private:
  uint64_t number(size_t at, size_t width) const {
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i) {
      value = value << 8 | std::to_integer<uint64_t>(bytes_[place(at, width, i)]);
    }
    return value;
  }
  void put(size_t at, size_t width, uint64_t value) {
    for (size_t i = width; i-- > 0; value >>= 8) {
      bytes_[place(at, width, i)] = static_cast<std::byte>(value & 0xFF);
    }
  }
  /// Of the `i`-th byte of a number, the highest first.
  size_t place(size_t at, size_t width, size_t i) const {
    return at + (is_big_endian_ ? i : width - 1 - i);
  }

  std::span<std::byte> bytes_;
  bool is_big_tiff_, is_big_endian_;
};

/// The number of entries; 0 for a directory that cannot be read.
uint64_t count_entries(const files::ByteStore& store,
                       uint64_t offset,
                       size_t width,
                       bool is_big_endian) {
  std::byte bytes[8] = {};
  int error_number = 0;
  if (store.read_at(offset, std::span(bytes).first(width), error_number) != width) return 0;
  uint64_t count = 0;
  for (size_t i = 0; i < width; ++i) {
    count = count << 8 | std::to_integer<uint64_t>(bytes[is_big_endian ? i : width - 1 - i]);
  }
  return count <= kMostEntries ? count : 0;
}

}  // namespace

void LeanDirectory::overlay(uint64_t at, std::span<std::byte> to) const {
  const uint64_t begin = std::max(at, offset);
  const uint64_t end = std::min(at + to.size(), offset + bytes.size());
  if (begin >= end) return;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(begin - offset),
              end - begin,
              to.begin() + static_cast<std::ptrdiff_t>(begin - at));
}

LeanDirectory lean_directory(const files::ByteStore& store,
                             uint64_t offset,
                             bool is_big_tiff,
                             bool is_big_endian,
                             TagUse use) {
  const size_t head = is_big_tiff ? 8 : 2;
  const uint64_t count = count_entries(store, offset, head, is_big_endian);
  if (count == 0) return {};
  const size_t entry_bytes = is_big_tiff ? 20 : 12;
  LeanDirectory lean{.offset = offset, .bytes = std::vector<std::byte>(head + count * entry_bytes)};
  int error_number = 0;
  if (store.read_at(offset, lean.bytes, error_number) != lean.bytes.size()) return {};
  Entries entries(lean.bytes, is_big_tiff, is_big_endian);
  for (size_t at = head; at < lean.bytes.size(); at += entry_bytes) entries.make_lean(at, use);
  return lean;
}

}  // namespace mezzo::tiff
