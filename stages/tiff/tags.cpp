#include "stages/tiff/tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>

#include "kernels/base/error.h"
#include "stages/tiff/damaged.h"

namespace mezzo::tiff {
namespace {

constexpr uint64_t kMostEntries = 4'096;  // libtiff's own limit
constexpr uint64_t kMostText = 1ULL << 20;
constexpr uint64_t kPieceBytes = 64ULL << 10;

/// What the values of a type are.
enum class Kind { kNone, kBytes, kWhole, kFraction, kOther };

/// A type of values, TIFF 6.0, section 2, and BigTIFF.
struct Type {
  std::string_view name = "unknown";
  uint64_t bytes = 0;  ///< of one value; 0 for types that do not exist
  Kind kind = Kind::kNone;
};

constexpr Type kTypes[] = {{},
                           {"BYTE", 1, Kind::kWhole},
                           {"ASCII", 1, Kind::kBytes},
                           {"SHORT", 2, Kind::kWhole},
                           {"LONG", 4, Kind::kWhole},
                           {"RATIONAL", 8, Kind::kFraction},
                           {"SBYTE", 1, Kind::kOther},
                           {"UNDEFINED", 1, Kind::kBytes},
                           {"SSHORT", 2, Kind::kOther},
                           {"SLONG", 4, Kind::kOther},
                           {"SRATIONAL", 8, Kind::kOther},
                           {"FLOAT", 4, Kind::kOther},
                           {"DOUBLE", 8, Kind::kOther},
                           {"IFD", 4, Kind::kWhole},
                           {},
                           {},
                           {"LONG8", 8, Kind::kWhole},
                           {"SLONG8", 8, Kind::kOther},
                           {"IFD8", 8, Kind::kWhole}};
constexpr size_t kClassicTypes = 16;  // the later ones are those of BigTIFF

const Type& type_of(const TagEntry& entry, FileFormat format) {
  const size_t known = format.is_big_tiff ? std::size(kTypes) : kClassicTypes;
  return kTypes[entry.type < known ? entry.type : 0];
}

struct NamedTag {
  uint16_t tag;
  std::string_view name;
};

constexpr NamedTag kTagNames[] = {{254, "NewSubfileType"},
                                  {255, "SubfileType"},
                                  {256, "ImageWidth"},
                                  {257, "ImageLength"},
                                  {258, "BitsPerSample"},
                                  {259, "Compression"},
                                  {262, "PhotometricInterpretation"},
                                  {266, "FillOrder"},
                                  {269, "DocumentName"},
                                  {270, "ImageDescription"},
                                  {273, "StripOffsets"},
                                  {274, "Orientation"},
                                  {277, "SamplesPerPixel"},
                                  {278, "RowsPerStrip"},
                                  {279, "StripByteCounts"},
                                  {282, "XResolution"},
                                  {283, "YResolution"},
                                  {284, "PlanarConfiguration"},
                                  {285, "PageName"},
                                  {292, "T4Options"},
                                  {293, "T6Options"},
                                  {296, "ResolutionUnit"},
                                  {305, "Software"},
                                  {306, "DateTime"},
                                  {315, "Artist"},
                                  {317, "Predictor"},
                                  {320, "ColorMap"},
                                  {322, "TileWidth"},
                                  {323, "TileLength"},
                                  {324, "TileOffsets"},
                                  {325, "TileByteCounts"},
                                  {332, "InkSet"},
                                  {333, "InkNames"},
                                  {334, "NumberOfInks"},
                                  {336, "DotRange"},
                                  {338, "ExtraSamples"},
                                  {339, "SampleFormat"},
                                  {347, "JPEGTables"},
                                  {530, "YCbCrSubSampling"},
                                  {700, "XMP"},
                                  {32997, "ImageDepth"},
                                  {33723, "IPTC"},
                                  {34377, "ImageResources (Photoshop)"},
                                  {34665, "Exif"},
                                  {34675, "ICC profile"},
                                  {34853, "GPS"}};

/// "1 value", "768 values".
std::string values_text(uint64_t count) {
  return fmt::format("{} value{}", count, count == 1 ? "" : "s");
}

}  // namespace

uint64_t FileFormat::number(std::span<const std::byte> bytes) const {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    const std::byte byte = bytes[is_big_endian ? i : bytes.size() - 1 - i];
    value = value << 8 | std::to_integer<uint64_t>(byte);
  }
  return value;
}

void FileFormat::put(std::span<std::byte> bytes, uint64_t value) const {
  for (size_t i = 0; i < bytes.size(); ++i, value >>= 8) {
    bytes[is_big_endian ? bytes.size() - 1 - i : i] = static_cast<std::byte>(value & 0xFF);
  }
}

std::string tag_name(uint16_t tag) {
  const auto* found = std::ranges::find(kTagNames, tag, &NamedTag::tag);
  return found != std::end(kTagNames) ? std::string(found->name) : std::to_string(tag);
}

Tags::Tags(const files::ByteStore& store,
           FileFormat format,
           uint64_t offset,
           std::string where,
           const std::string& name)
    : store_(store), format_(format), offset_(offset), where_(std::move(where)) {
  const std::string of_file = fmt::format(
      "the end of the file, which has {} bytes; it is truncated or damaged", store.size());
  const uint64_t head = offset + format.count_bytes();
  if (offset >= store.size() || head > store.size()) fail(name + " lies beyond " + of_file);
  std::array<std::byte, 8> count_field{};
  read(offset, std::span(count_field).first(format.count_bytes()));
  const uint64_t count = format.number(std::span(count_field).first(format.count_bytes()));
  if (count == 0 || count > kMostEntries) {
    fail(fmt::format("{} has {} entries, expected 1 .. {}", name, count, kMostEntries));
  }
  std::vector<std::byte> bytes(count * format.entry_bytes() + format.word_bytes());
  if (bytes.size() > store.size() - head) fail(name + " ends beyond " + of_file);
  read(head, bytes);
  std::span<const std::byte> left(bytes);
  const size_t word = format.word_bytes();
  entries_.reserve(count);
  for (; left.size() > word; left = left.subspan(format.entry_bytes())) {
    TagEntry& entry = entries_.emplace_back();
    entry.tag = static_cast<uint16_t>(format.number(left.first(2)));
    entry.type = static_cast<uint16_t>(format.number(left.subspan(2, 2)));
    entry.count = format.number(left.subspan(4, word));
    std::ranges::copy(left.subspan(4 + word, word), entry.field.begin());
  }
  next_ = format.number(left);
}

void Tags::fail(const std::string& why) const {
  throw damaged_page(where_ + ": " + why);
}

void Tags::fail(const TagEntry& entry, const std::string& why) const {
  fail("tag " + tag_name(entry.tag) + " " + why);
}

const TagEntry* Tags::find(uint16_t tag) const {
  const auto found = std::ranges::find(entries_, tag, &TagEntry::tag);
  return found != entries_.end() ? &*found : nullptr;
}

const TagEntry* Tags::checked(uint16_t tag) const {
  const TagEntry* first = find(tag);
  if (first == nullptr) return nullptr;
  for (const TagEntry& entry : entries_) {
    if (entry.tag == tag && entry != *first)
      fail(entry, "is there twice, with two entries that differ");
  }
  return first;
}

uint64_t Tags::end_offset() const {
  return offset_ + format_.count_bytes() + entries_.size() * format_.entry_bytes() +
         format_.word_bytes();
}

uint64_t Tags::offset_of_values(const TagEntry& entry) const {
  return format_.number(std::span(entry.field).first(format_.word_bytes()));
}

bool Tags::is_inside(const TagEntry& entry) const {
  const uint64_t width = type_of(entry, format_).bytes;
  if (width == 0 || entry.count <= format_.word_bytes() / width) return true;
  const uint64_t offset = offset_of_values(entry);
  return offset >= format_.header_bytes() && offset <= store_.size() &&
         entry.count <= (store_.size() - offset) / width;
}

void Tags::check_inside(const TagEntry& entry) const {
  if (entry.count == 0) fail(entry, "has no value");
  if (is_inside(entry)) return;
  fail(entry,
       fmt::format("has {} at byte {}, outside of the file's data ({} bytes): it is truncated or "
                   "damaged",
                   values_text(entry.count),
                   offset_of_values(entry),
                   store_.size()));
}

void Tags::read(uint64_t offset, std::span<std::byte> to) const {
  int error_number = 0;
  const size_t got = store_.read_at(offset, to, error_number);
  if (error_number != 0) {
    throw Error(ErrorKind::kIo,
                where_ + ": reading failed: " + std::generic_category().message(error_number));
  }
  if (got != to.size()) {
    throw Error(
        ErrorKind::kIo,
        fmt::format("{}: reading failed: the file ends before byte {}, which it had when it was "
                    "opened",
                    where_,
                    offset + to.size()));
  }
}

std::vector<std::byte> Tags::values(const TagEntry& entry, uint64_t first, uint64_t count) const {
  const uint64_t width = type_of(entry, format_).bytes;
  std::vector<std::byte> bytes(count * width);
  if (entry.count <= format_.word_bytes() / width) {
    std::ranges::copy(std::span(entry.field).subspan(first * width, bytes.size()), bytes.begin());
  } else {
    read(offset_of_values(entry) + first * width, bytes);
  }
  return bytes;
}

void Tags::refuse_type(const TagEntry& entry, std::string_view expected) const {
  fail(entry,
       fmt::format("has values of type {} ({}), expected {}",
                   entry.type,
                   type_of(entry, format_).name,
                   expected));
}

void Tags::check_whole_numbers(const TagEntry& entry) const {
  if (type_of(entry, format_).kind != Kind::kWhole) {
    refuse_type(entry, "whole numbers (BYTE, SHORT, LONG)");
  }
  check_inside(entry);
}

void Tags::check_single(const TagEntry& entry) const {
  if (entry.count != 1) fail(entry, "has " + values_text(entry.count) + ", expected 1");
}

std::optional<uint64_t> Tags::number(uint16_t tag) const {
  const TagEntry* entry = checked(tag);
  if (entry == nullptr) return std::nullopt;
  check_whole_numbers(*entry);
  check_single(*entry);
  return format_.number(values(*entry, 0, 1));
}

std::vector<uint64_t> Tags::numbers(uint16_t tag, uint64_t most) const {
  const TagEntry* entry = checked(tag);
  if (entry == nullptr) return {};
  check_whole_numbers(*entry);
  if (entry->count > most) {
    fail(*entry, fmt::format("has {}, expected at most {}", values_text(entry->count), most));
  }
  const std::vector<std::byte> bytes = values(*entry, 0, entry->count);
  const size_t width = type_of(*entry, format_).bytes;
  std::vector<uint64_t> numbers;
  numbers.reserve(entry->count);
  for (size_t at = 0; at < bytes.size(); at += width) {
    numbers.push_back(format_.number(std::span(bytes).subspan(at, width)));
  }
  return numbers;
}

std::optional<float> Tags::fraction(uint16_t tag) const {
  const TagEntry* entry = checked(tag);
  if (entry == nullptr) return std::nullopt;
  if (type_of(*entry, format_).kind != Kind::kFraction) {
    refuse_type(*entry, "fractions (RATIONAL)");
  }
  check_inside(*entry);
  check_single(*entry);
  const std::vector<std::byte> bytes = values(*entry, 0, 1);
  const auto part = [&](size_t at) {
    return static_cast<float>(format_.number(std::span(bytes).subspan(at, 4)));
  };
  return part(0) == 0 ? 0 : part(0) / part(4);
}

uint64_t Tags::byte_count(uint16_t tag) const {
  const TagEntry* entry = checked(tag);
  if (entry == nullptr) return 0;
  if (type_of(*entry, format_).bytes != 1) refuse_type(*entry, "bytes");
  check_inside(*entry);
  return entry->count;
}

std::vector<std::byte> Tags::bytes(uint16_t tag) const {
  const uint64_t count = byte_count(tag);
  return count == 0 ? std::vector<std::byte>() : values(*find(tag), 0, count);
}

std::string Tags::text(uint16_t tag) const {
  const uint64_t count = byte_count(tag);
  if (count == 0) return {};
  const TagEntry& entry = *find(tag);
  if (count > kMostText) {
    fail(entry, fmt::format("has {} bytes, expected at most {}", count, kMostText));
  }
  const std::vector<std::byte> text = values(entry, 0, count);
  const auto end = std::ranges::find(text, std::byte{0});
  return {reinterpret_cast<const char*>(text.data()),
          static_cast<size_t>(std::distance(text.begin(), end))};
}

std::string Tags::text_if_readable(uint16_t tag) const {
  try {
    return text(tag);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
    return {};
  }
}

std::vector<uint16_t> Tags::broken() const {
  std::vector<uint16_t> tags;
  for (const TagEntry& entry : entries_) {
    if (type_of(entry, format_).bytes == 0 || entry.count == 0 || !is_inside(entry))
      tags.push_back(entry.tag);
  }
  return tags;
}

TagNumbers::TagNumbers(const Tags& tags, uint16_t tag, uint64_t least)
    : tags_(tags), entry_([&]() -> const TagEntry& {
        const TagEntry* entry = tags.checked(tag);
        if (entry == nullptr) tags.fail("tag " + tag_name(tag) + " is missing");
        return *entry;
      }()) {
  tags.check_whole_numbers(entry_);
  if (entry_.count < least) {
    tags.fail(entry_, fmt::format("has {}, expected {}", values_text(entry_.count), least));
  }
}

uint64_t TagNumbers::at(uint64_t index) {
  const uint64_t width = type_of(entry_, tags_.format_).bytes;
  if (index < first_ || index >= first_ + piece_.size() / width) {
    first_ = index;
    piece_ = tags_.values(entry_, index, std::min(kPieceBytes / width, entry_.count - index));
  }
  return tags_.format_.number(std::span(piece_).subspan((index - first_) * width, width));
}

}  // namespace mezzo::tiff
