#include "stages/tiff/lean_directory.h"

#include <algorithm>
#include <utility>

namespace mezzo::tiff {
namespace {

constexpr uint16_t kShort = 3, kLong = 4;

TagEntry entry_of(const ShownNumber& number, FileFormat format) {
  const bool is_short = number.value <= 0xFFFF;
  TagEntry entry{.tag = number.tag, .type = is_short ? kShort : kLong, .count = 1};
  format.put(std::span(entry.field).first(is_short ? 2 : 4), number.value);
  return entry;
}

void append(std::vector<std::byte>& bytes, FileFormat format, size_t width, uint64_t value) {
  bytes.resize(bytes.size() + width);
  format.put(std::span(bytes).last(width), value);
}

}  // namespace

LeanDirectory::LeanDirectory(const Tags& tags,
                             std::vector<ShownNumber> numbers,
                             std::span<const uint16_t> tables)
    : offset_(tags.offset()), numbers_(std::move(numbers)) {
  std::erase_if(numbers_, [&](const ShownNumber& number) { return !tags.has(number.tag); });
  const FileFormat format = tags.format();
  std::vector<TagEntry> entries;
  for (const ShownNumber& number : numbers_) entries.push_back(entry_of(number, format));
  for (const uint16_t table : tables) {
    if (const TagEntry* entry = tags.find(table)) entries.push_back(*entry);
  }
  std::ranges::sort(entries, {}, &TagEntry::tag);
  append(bytes_, format, format.count_bytes(), entries.size());
  for (const TagEntry& entry : entries) {
    append(bytes_, format, 2, entry.tag);
    append(bytes_, format, 2, entry.type);
    append(bytes_, format, format.word_bytes(), entry.count);
    bytes_.insert(bytes_.end(),
                  entry.field.begin(),
                  entry.field.begin() + static_cast<std::ptrdiff_t>(format.word_bytes()));
  }
  append(bytes_, format, format.word_bytes(), 0);  // no directory follows
}

void LeanDirectory::overlay(uint64_t at, std::span<std::byte> to) const {
  const uint64_t begin = std::max(at, offset_);
  const uint64_t end = std::min(at + to.size(), offset_ + bytes_.size());
  if (begin >= end) return;
  std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(begin - offset_),
              end - begin,
              to.begin() + static_cast<std::ptrdiff_t>(begin - at));
}

}  // namespace mezzo::tiff
