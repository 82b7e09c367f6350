#include "stages/tiff/read/chain.h"

#include <array>
#include <span>
#include <string>
#include <system_error>
#include <unordered_set>

#include "kernels/base/error.h"
#include "stages/files/content_kind.h"

namespace mezzo::tiff {
namespace {

constexpr uint64_t kMaxEntries = 4'096;  // libtiff's own limit

/// The layout of numbers and directories in this file.
struct Format {
  bool big_endian = false;
  bool big_tiff = false;

  size_t count_bytes() const { return big_tiff ? 8 : 2; }  // number of entries
  size_t entry_bytes() const { return big_tiff ? 20 : 12; }
  size_t offset_bytes() const { return big_tiff ? 8 : 4; }
};

uint64_t number_at(const std::byte* bytes, size_t size, bool big_endian) {
  uint64_t value = 0;
  for (size_t i = 0; i < size; ++i) {
    value = value << 8 | std::to_integer<uint64_t>(bytes[big_endian ? i : size - 1 - i]);
  }
  return value;
}

class Walker {
 public:
  explicit Walker(const files::InputFile& file) : file_(file) {}

  /// Reads the header; returns the offset of the first directory.
  uint64_t read_header();

  /// Reads the directory at `offset`; `next` receives the offset of the one after, or 0.
  RawDirectory read_directory(uint64_t offset, size_t number, uint64_t& next);

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::kData, file_.path() + ": " + why);
  }
  size_t fetch(uint64_t offset, std::span<std::byte> to) const;
  void take_entry(const std::byte* entry, RawDirectory& directory) const;
  std::optional<uint64_t> single_value(const std::byte* entry) const;
  std::vector<uint64_t> short_values(const std::byte* entry) const;

  const files::InputFile& file_;
  Format format_;
  std::vector<std::byte> entries_;
};

size_t Walker::fetch(uint64_t offset, std::span<std::byte> to) const {
  int error_number = 0;
  const size_t got = file_.read_at(offset, to, error_number);
  if (error_number != 0) {
    throw Error(
        ErrorKind::kIo,
        file_.path() + ": reading failed: " + std::generic_category().message(error_number));
  }
  return got;
}

uint64_t Walker::read_header() {
  std::array<std::byte, 16> header{};
  const size_t got = fetch(0, header);
  const auto letter = [&](size_t i) { return std::to_integer<char>(header[i]); };
  const bool little = letter(0) == 'I' && letter(1) == 'I';
  const bool big = letter(0) == 'M' && letter(1) == 'M';
  if (got < 8 || (!little && !big)) {
    const std::string_view kind = files::kind_of_content({header.data(), got});
    if (!kind.empty()) {
      fail("this is " + std::string(kind) + ", not a TIFF; export the page as TIFF");
    }
    fail("expected a TIFF file, which begins with II or MM and has at least 8 bytes, found " +
         std::string(got < 8 ? std::to_string(got) + " bytes" : "something else"));
  }
  format_.big_endian = big;
  const uint64_t version = number_at(&header[2], 2, big);
  if (version == 42) return number_at(&header[4], 4, big);
  if (version != 43 || got < 16) {
    fail("expected version 42 or 43 in the TIFF header, found " + std::to_string(version));
  }
  format_.big_tiff = true;
  if (number_at(&header[4], 2, big) != 8 || number_at(&header[6], 2, big) != 0) {
    fail("the BigTIFF header is damaged: expected offsets of 8 bytes");
  }
  return number_at(&header[8], 8, big);
}

/// The value of an entry that is one unsigned integer.
std::optional<uint64_t> Walker::single_value(const std::byte* entry) const {
  const bool big = format_.big_endian;
  const uint64_t type = number_at(entry + 2, 2, big);
  const uint64_t count = number_at(entry + 4, format_.offset_bytes(), big);
  const std::byte* value = entry + 4 + format_.offset_bytes();
  if (count != 1) return std::nullopt;
  switch (type) {
    case 1:
      return number_at(value, 1, big);  // BYTE
    case 3:
      return number_at(value, 2, big);  // SHORT
    case 4:
      return number_at(value, 4, big);  // LONG
    case 16:                            // LONG8, which a classic entry has no room for
      return format_.big_tiff ? std::optional(number_at(value, 8, big)) : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// The values of an entry of BYTE or SHORT; none where it is another, or has more than pairs for all
/// inks that a page may have.
std::vector<uint64_t> Walker::short_values(const std::byte* entry) const {
  constexpr uint64_t kMostValues = 128;
  const bool big = format_.big_endian;
  const uint64_t type = number_at(entry + 2, 2, big);
  const uint64_t count = number_at(entry + 4, format_.offset_bytes(), big);
  if ((type != 1 && type != 3) || count > kMostValues) return {};
  const size_t width = type == 1 ? 1 : 2;
  const std::byte* value = entry + 4 + format_.offset_bytes();
  std::vector<std::byte> bytes(value, value + format_.offset_bytes());
  if (count * width > bytes.size()) {
    bytes.resize(count * width);
    const uint64_t offset = number_at(value, format_.offset_bytes(), big);
    if (fetch(offset, bytes) != bytes.size()) return {};
  }
  std::vector<uint64_t> values;
  for (size_t i = 0; i < count; ++i) values.push_back(number_at(&bytes[i * width], width, big));
  return values;
}

void Walker::take_entry(const std::byte* entry, RawDirectory& directory) const {
  const auto keep_first = [&](std::optional<uint64_t>& field) {
    if (!field) field = single_value(entry);
  };
  switch (number_at(entry, 2, format_.big_endian)) {
    case 254: {  // NewSubfileType: bit 0 reduced resolution, bit 2 transparency mask
      const uint64_t kind = single_value(entry).value_or(0);
      if ((kind & 5U) != 0) directory.is_page = false;
      break;
    }
    case 255:  // SubfileType: 2 is reduced resolution
      if (single_value(entry) == 2U) directory.is_page = false;
      break;
    case 256:
      keep_first(directory.width);
      break;
    case 257:
      keep_first(directory.height);
      break;
    case 259:
      keep_first(directory.compression);
      break;
    case 277:
      keep_first(directory.samples);
      break;
    case 279:
      keep_first(directory.strip_bytes);
      break;
    case 336:
      directory.dot_range = short_values(entry);
      break;
    case 338:
      directory.extra_samples = number_at(entry + 4, format_.offset_bytes(), format_.big_endian);
      break;
    case 34675:
      directory.profile_bytes = number_at(entry + 4, format_.offset_bytes(), format_.big_endian);
      break;
    default:
      break;
  }
}

RawDirectory Walker::read_directory(uint64_t offset, size_t number, uint64_t& next) {
  const std::string name =
      "directory " + std::to_string(number) + " at byte " + std::to_string(offset);
  const uint64_t head = offset + format_.count_bytes();
  if (offset >= file_.size() || head > file_.size()) {
    fail(name + " lies beyond the end of the file, which has " + std::to_string(file_.size()) +
         " bytes; it is truncated or damaged");
  }
  std::array<std::byte, 8> count_field{};
  fetch(offset, std::span(count_field).first(format_.count_bytes()));
  const uint64_t count = number_at(count_field.data(), format_.count_bytes(), format_.big_endian);
  if (count == 0 || count > kMaxEntries) {
    fail(name + " has " + std::to_string(count) + " entries, expected 1 .. " +
         std::to_string(kMaxEntries));
  }
  const uint64_t size = count * format_.entry_bytes() + format_.offset_bytes();
  entries_.resize(size);
  if (fetch(head, entries_) != size) {
    fail(name + " ends beyond the end of the file, which has " + std::to_string(file_.size()) +
         " bytes; it is truncated or damaged");
  }
  RawDirectory directory;
  directory.offset = offset;
  for (uint64_t i = 0; i < count; ++i) {
    take_entry(entries_.data() + i * format_.entry_bytes(), directory);
  }
  next = number_at(
      entries_.data() + count * format_.entry_bytes(), format_.offset_bytes(), format_.big_endian);
  return directory;
}

}  // namespace

std::vector<RawDirectory> walk_directories(const files::InputFile& file, uint32_t max_directories) {
  Walker walker(file);
  std::vector<RawDirectory> directories;
  std::unordered_set<uint64_t> seen;
  uint64_t offset = walker.read_header();
  if (offset == 0) throw Error(ErrorKind::kData, file.path() + ": the file has no directory");
  while (offset != 0) {
    const size_t number = directories.size() + 1;
    if (number > max_directories) {
      throw Error(ErrorKind::kLimit,
                  file.path() + ": the file has more than " + std::to_string(max_directories) +
                      " directories, which is the limit");
    }
    if (!seen.insert(offset).second) {
      throw Error(ErrorKind::kData,
                  file.path() + ": the directories form a loop: directory " +
                      std::to_string(number - 1) + " is followed by the one at byte " +
                      std::to_string(offset) + " again");
    }
    uint64_t next = 0;
    directories.push_back(walker.read_directory(offset, number, next));
    offset = next;
  }
  return directories;
}

}  // namespace mezzo::tiff
