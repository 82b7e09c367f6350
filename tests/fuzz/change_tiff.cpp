#include "tests/fuzz/change_tiff.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

constexpr uint16_t kTags[] = {254, 255, 256, 257, 258, 259, 262, 266,   269,   270,   273,
                              274, 277, 278, 279, 282, 283, 284, 285,   292,   293,   296,
                              297, 305, 317, 320, 322, 323, 324, 325,   332,   333,   334,
                              336, 338, 339, 347, 512, 530, 532, 33432, 34377, 34675, 42113};
constexpr uint16_t kCompressions[] = {1,     2,     3,     4,     5,     6,     7,
                                      8,     9,     10,    32766, 32771, 32773, 32809,
                                      32946, 34661, 34676, 34925, 50000, 50001};
constexpr uint64_t kOddValues[] = {0,
                                   1,
                                   2,
                                   3,
                                   4,
                                   8,
                                   12,
                                   15,
                                   16,
                                   17,
                                   32,
                                   64,
                                   255,
                                   256,
                                   4096,
                                   32768,
                                   65535,
                                   65536,
                                   100'000,
                                   100'001,
                                   0x7FFFFFFF,
                                   0x80000000,
                                   0xFFFFFFFF,
                                   0x100000000,
                                   0x7FFFFFFFFFFFFFFF,
                                   0xFFFFFFFFFFFFFFFF};
constexpr size_t kMostDirectories = 16, kMostEntries = 256;

/// The directories of a file, as far as they can be followed.
class TiffFile {
 public:
  struct Entry {
    size_t at;
    uint64_t count;
    size_t values;  ///< where its first one stands
    size_t width;   ///< of a value, bytes
    uint64_t tag;
  };
  struct Directory {
    size_t at, link;
    std::vector<Entry> entries;
  };

  explicit TiffFile(Bytes& bytes) : bytes_(bytes) {
    if (bytes.size() < 16) return;
    is_big_endian_ = bytes[0] == std::byte{'M'};
    is_big_ = number(2, 2) == 43;
    size_t at = number(is_big_ ? 8 : 4, word());
    while (directories_.size() < kMostDirectories && is_new(at)) {
      directories_.push_back(directory(at));
      at = number(directories_.back().link, word());
    }
  }

  const std::vector<Directory>& directories() const { return directories_; }
  size_t word() const { return is_big_ ? 8 : 4; }
  size_t count_width() const { return is_big_ ? 8 : 2; }
  size_t entry_bytes() const { return is_big_ ? 20 : 12; }

  uint64_t number(size_t at, size_t width) const {
    uint64_t value = 0;
    for (size_t i = 0; i < width; ++i) {
      const size_t place = at + (is_big_endian_ ? i : width - 1 - i);
      value = value << 8 | (place < bytes_.size() ? static_cast<uint64_t>(bytes_[place]) : 0);
    }
    return value;
  }
  void put(size_t at, size_t width, uint64_t value) {
    for (size_t i = 0; i < width; ++i) {
      const size_t place = at + (is_big_endian_ ? width - 1 - i : i);
      if (place < bytes_.size()) bytes_[place] = static_cast<std::byte>(value >> 8 * i);
    }
  }

 private:
  bool is_new(size_t at) const {
    return at >= 8 && at < bytes_.size() &&
           std::ranges::none_of(directories_, [at](const Directory& one) { return one.at == at; });
  }

  Directory directory(size_t at) const {
    Directory found{.at = at, .link = 0, .entries = {}};
    const size_t count = std::min<size_t>(number(at, count_width()), kMostEntries);
    for (size_t i = 0; i < count; ++i)
      found.entries.push_back(entry(at + count_width() + i * entry_bytes()));
    found.link = at + count_width() + count * entry_bytes();
    return found;
  }

  Entry entry(size_t at) const {
    constexpr size_t kWidths[] = {1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 1, 1, 8, 8, 8};
    const uint64_t type = number(at + 2, 2), count = number(at + 4, word());
    const size_t width = type < std::size(kWidths) ? kWidths[type] : 1, inside = at + 4 + word();
    const bool fits = count <= word() && count * width <= word();
    return {at, count, fits ? inside : number(inside, word()), width, number(at, 2)};
  }

  Bytes& bytes_;
  bool is_big_endian_ = false, is_big_ = false;
  std::vector<Directory> directories_;
};

uint64_t odd_value(const Bytes& input, Random& random) {
  return random.one_in(3) ? random.below(input.size() + 16) : random.of(kOddValues);
}

/// One of the values of an entry.
void change_value(TiffFile& file, const TiffFile::Entry& entry, Bytes& input, Random& random) {
  const size_t count = std::clamp<uint64_t>(entry.count, 1, input.size());
  const size_t at = entry.values + random.below(count) * entry.width;
  const uint64_t value = file.number(at, entry.width);
  switch (random.below(4)) {
    case 0:
      return file.put(at, entry.width, value + random.below(9) - 4);
    case 1:
      return file.put(at, entry.width, random.below(300));
    case 2:
      return file.put(at,
                      entry.width,
                      file.number(entry.values + random.below(count) * entry.width, entry.width));
    default:
      return file.put(at, entry.width, odd_value(input, random));
  }
}

void change_entry(TiffFile& file,
                  const TiffFile::Directory& directory,
                  Bytes& input,
                  Random& random) {
  const TiffFile::Entry& entry = random.of(directory.entries);
  const TiffFile::Entry& other = random.of(directory.entries);
  switch (random.below(8)) {
    case 0:
      return file.put(entry.at, 2, random.of(kTags));
    case 1:
      return file.put(entry.at + 2, 2, random.below(19));
    case 2:
      return file.put(entry.at + 4, file.word(), odd_value(input, random));
    case 3:
      return file.put(entry.at + 4 + file.word(), file.word(), odd_value(input, random));
    case 4: {  // has what another has
      const Bytes copy(
          input.begin() + static_cast<std::ptrdiff_t>(std::min(other.at, input.size())),
          input.begin() +
              static_cast<std::ptrdiff_t>(std::min(other.at + file.entry_bytes(), input.size())));
      const size_t room = input.size() - std::min(entry.at, input.size());
      std::copy_n(copy.begin(),
                  static_cast<std::ptrdiff_t>(std::min(copy.size(), room)),
                  input.begin() + static_cast<std::ptrdiff_t>(std::min(entry.at, input.size())));
      return;
    }
    case 5:
      for (const TiffFile::Entry& one : directory.entries) {
        if (one.tag == 259) file.put(one.values, one.width, random.of(kCompressions));
      }
      return;
    default:
      return change_value(file, entry, input, random);
  }
}

}  // namespace

void change_tiff(Bytes& input, Random& random) {
  for (size_t i = 1 + random.below(3); i > 0; --i) {
    TiffFile file(input);
    if (file.directories().empty() || random.one_in(5)) {
      change_bytes(input, random);
      continue;
    }
    const TiffFile::Directory& directory = random.of(file.directories());
    if (directory.entries.empty() || random.one_in(12)) {
      const uint64_t to =
          random.one_in(2) ? random.of(file.directories()).at : odd_value(input, random);
      file.put(directory.link, file.word(), to);
    } else if (random.one_in(20)) {
      file.put(directory.at, file.count_width(), odd_value(input, random));
    } else {
      change_entry(file, directory, input, random);
    }
  }
}

}  // namespace mezzo::fuzz
