#include "stages/tiff/read/photoshop.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace mezzo::tiff {
namespace {

using Bytes = std::span<const std::byte>;

// Numbers of resources. The later two, where they are there, say the same without a limit of bytes.
constexpr uint32_t kNames = 1006, kDisplay = 1007, kUnicodeNames = 1045, kDisplayOfAll = 1077;

constexpr uint32_t kMostResources = 1000;
constexpr size_t kMostNameUnits = 255;

/// Takes big-endian numbers and bytes off the front. A piece that is not there whole is nothing.
class Cursor {
 public:
  explicit Cursor(Bytes bytes) : left_(bytes) {}

  bool is_at_end() const { return left_.empty(); }

  std::optional<Bytes> take(size_t size) {
    if (size > left_.size()) return std::nullopt;
    const Bytes taken = left_.first(size);
    left_ = left_.subspan(size);
    return taken;
  }

  /// Of 1 to 4 bytes.
  std::optional<uint32_t> number(size_t size) {
    const auto bytes = take(size);
    if (!bytes) return std::nullopt;
    uint32_t value = 0;
    for (const std::byte byte : *bytes) value = value << 8 | std::to_integer<uint32_t>(byte);
    return value;
  }

  /// A length in a byte, and so many bytes.
  std::optional<std::string> pascal_text() {
    const auto size = number(1);
    const auto bytes = size ? take(*size) : std::nullopt;
    if (!bytes) return std::nullopt;
    return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }

 private:
  Bytes left_;
};

struct Resources {
  std::optional<Bytes> names, display, unicode_names, display_of_all;

  void keep(uint32_t number, Bytes data) {
    const auto keep_first = [&](std::optional<Bytes>& place) {
      if (!place) place = data;
    };
    if (number == kNames) keep_first(names);
    if (number == kDisplay) keep_first(display);
    if (number == kUnicodeNames) keep_first(unicode_names);
    if (number == kDisplayOfAll) keep_first(display_of_all);
  }
};

/// One block: a signature of four letters, a number, a name, and data. False at one that is damaged.
bool take_resource(Cursor& cursor, Resources& resources) {
  const auto signature = cursor.take(4);
  const auto number = cursor.number(2);
  const auto name = cursor.pascal_text();
  if (!signature || !number || !name) return false;
  if (name->size() % 2 == 0 && !cursor.take(1)) return false;  // padded to even with its length
  const auto size = cursor.number(4);
  const auto data = size ? cursor.take(*size) : std::nullopt;
  if (!data) return false;
  if (*size % 2 == 1) cursor.take(1);  // the last one may lack its padding
  // Programs related to Photoshop write the other signatures. Their blocks are skipped.
  constexpr std::string_view kSignatures[] = {"8BIM", "MeSa", "AgHg", "PHUT", "DCSR"};
  const std::string_view found(reinterpret_cast<const char*>(signature->data()), signature->size());
  if (found == kSignatures[0]) resources.keep(*number, *data);
  return std::ranges::find(kSignatures, found) != std::end(kSignatures);
}

/// Nothing when a block is damaged.
std::optional<Resources> resources_in(Bytes bytes) {
  Resources resources;
  Cursor cursor(bytes);
  for (uint32_t i = 0; i < kMostResources && !cursor.is_at_end(); ++i) {
    if (!take_resource(cursor, resources)) return std::nullopt;
  }
  return resources;
}

void append_utf8(std::string& text, uint32_t character) {
  const auto put = [&](uint32_t byte) { text += static_cast<char>(byte); };
  if (character < 0x80) return put(character);
  if (character < 0x800) {
    put(0xC0 | character >> 6);
  } else {
    if (character < 0x10000) {
      put(0xE0 | character >> 12);
    } else {
      put(0xF0 | character >> 18);
      put(0x80 | (character >> 12 & 0x3F));
    }
    put(0x80 | (character >> 6 & 0x3F));
  }
  put(0x80 | (character & 0x3F));
}

/// Half of a pair of surrogates becomes U+FFFD; a NUL ends the text.
std::string utf8_of(const std::vector<uint32_t>& units) {
  constexpr uint32_t kReplacement = 0xFFFD;
  std::string text;
  for (size_t i = 0; i < units.size() && units[i] != 0; ++i) {
    uint32_t character = units[i];
    const bool is_first = character >= 0xD800 && character < 0xDC00;
    const bool has_second = i + 1 < units.size() && units[i + 1] >= 0xDC00 && units[i + 1] < 0xE000;
    if (is_first && has_second) {
      character = 0x10000 + ((character - 0xD800) << 10) + (units[++i] - 0xDC00);
    } else if (character >= 0xD800 && character < 0xE000) {
      character = kReplacement;
    }
    append_utf8(text, character);
  }
  return text;
}

/// A number of UTF-16 units in four bytes, and the units.
std::optional<std::string> unicode_text(Cursor& cursor) {
  const auto count = cursor.number(4);
  if (!count || *count > kMostNameUnits) return std::nullopt;
  std::vector<uint32_t> units;
  for (uint32_t i = 0; i < *count; ++i) {
    const auto unit = cursor.number(2);
    if (!unit) return std::nullopt;
    units.push_back(*unit);
  }
  return utf8_of(units);
}

using Texts = std::vector<std::string>;

/// The texts of a resource: an empty list when there are not `count` of them, nothing when one is damaged.
template <typename Take>
std::optional<Texts> texts_in(const std::optional<Bytes>& data, uint32_t count, const Take& take) {
  Texts texts;
  if (!data) return texts;
  Cursor cursor(*data);
  while (!cursor.is_at_end() && texts.size() <= count) {
    const auto text = take(cursor);
    if (!text) return std::nullopt;
    texts.push_back(*text);
  }
  if (texts.size() != count) texts.clear();
  return texts;
}

std::optional<Texts> names_in(const Resources& resources, uint32_t count) {
  const std::optional<Texts> names = texts_in(resources.unicode_names, count, unicode_text);
  if (!names || !names->empty()) return names;
  return texts_in(resources.names, count, [](Cursor& cursor) { return cursor.pascal_text(); });
}

ExtraChannel::Kind kind_of(uint32_t number) {
  // 0: alpha whose colour marks what is selected; 1: what is not.
  if (number <= 1) return ExtraChannel::Kind::kAlpha;
  return number == 2 ? ExtraChannel::Kind::kSpot : ExtraChannel::Kind::kUnknown;
}

/// Each has a colour space and a colour (10 bytes), a solidity (2) and a kind (1), and in the older
/// resource a byte more; none when they are not `count`.
std::vector<ExtraChannel::Kind> kinds_in(Bytes data, size_t entry_bytes, uint32_t count) {
  constexpr size_t kKindAt = 12;
  std::vector<ExtraChannel::Kind> kinds;
  if (data.size() != entry_bytes * count) return kinds;
  for (size_t at = kKindAt; at < data.size(); at += entry_bytes) {
    kinds.push_back(kind_of(std::to_integer<uint32_t>(data[at])));
  }
  return kinds;
}

std::vector<ExtraChannel::Kind> kinds_in(const Resources& resources, uint32_t count) {
  if (resources.display_of_all) {
    Cursor cursor(*resources.display_of_all);
    if (cursor.number(4) != 1U) return {};  // its version
    return kinds_in(resources.display_of_all->subspan(4), 13, count);
  }
  if (resources.display) return kinds_in(*resources.display, 14, count);
  return {};
}

}  // namespace

std::optional<std::vector<ExtraChannel>> photoshop_channels(std::span<const std::byte> resources,
                                                            uint32_t count) {
  const std::optional<Resources> found = resources_in(resources);
  if (!found) return std::nullopt;
  const std::optional<Texts> names = names_in(*found, count);
  if (!names) return std::nullopt;
  std::vector<ExtraChannel> channels(count);
  const std::vector<ExtraChannel::Kind> kinds = kinds_in(*found, count);
  if (kinds.empty()) return channels;
  for (uint32_t i = 0; i < count; ++i) {
    channels[i].kind = kinds[i];
    if (!names->empty()) channels[i].name = (*names)[i];
  }
  return channels;
}

}  // namespace mezzo::tiff
