// The tags of one directory of a TIFF file, read and checked by our own code.
//
// libtiff takes a tag whose values it cannot read for a tag that is absent, says so in a warning, and
// goes on with a default: a palette becomes grey, a profile is gone, a page loses its size. So the tags that
// decide pixels, inks, sizes and colours are read here, where a tag that is absent and a tag that cannot be
// read are two things: the first has no value, the second throws. A tag that nobody asks for may be as
// broken as it likes. Internal to stages/tiff.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stages/files/byte_store.h"

namespace mezzo::tiff {

/// How numbers and directories are stored in a file: its header says so.
struct FileFormat {
  bool is_big_tiff = false;
  bool is_big_endian = false;

  size_t count_bytes() const { return is_big_tiff ? 8 : 2; }  ///< of the number of entries
  size_t entry_bytes() const { return is_big_tiff ? 20 : 12; }
  size_t word_bytes() const { return is_big_tiff ? 8 : 4; }     ///< of an offset, and of a count
  size_t header_bytes() const { return is_big_tiff ? 16 : 8; }  ///< nothing else lies there

  /// The unsigned number in `bytes`, of at most 8.
  uint64_t number(std::span<const std::byte> bytes) const;

  /// Stores `value` in all of `bytes`.
  void put(std::span<std::byte> bytes, uint64_t value) const;
};

/// One entry of a directory, as stored.
struct TagEntry {
  uint16_t tag = 0;
  uint16_t type = 0;  ///< 1 BYTE, 2 ASCII, 3 SHORT, 4 LONG, 5 RATIONAL and so on
  uint64_t count = 0;
  std::array<std::byte, 8> field{};  ///< the values where they fit into a word, else their offset

  bool operator==(const TagEntry&) const = default;
};

/// The name of a tag, as the specification has it: "ColorMap"; "40000" of one without a name.
std::string tag_name(uint16_t tag);

/// The tags of a directory. The store must outlive it. All methods that read a value throw Error(kData) that
/// names the tag when the file has it and its value cannot be read: it is of another type or count,
/// lies beyond the end of the file, or is there twice with different entries; and Error(kIo) when reading fails, or
/// the file has become shorter.
class Tags {
 public:
  /// Reads the entries of the directory at `offset`. Messages begin with `where`; `name` says which
  /// directory it is. Throws Error: kData when the directory does not lie in the file, kIo.
  Tags(const files::ByteStore& store,
       FileFormat format,
       uint64_t offset,
       std::string where,
       const std::string& name);

  FileFormat format() const { return format_; }
  uint64_t offset() const { return offset_; }
  uint64_t end_offset() const;                    ///< behind the last byte of the directory
  uint64_t next_offset() const { return next_; }  ///< of the directory after this one; 0 for none

  bool has(uint16_t tag) const { return find(tag) != nullptr; }

  /// The first entry of the tag, or null.
  const TagEntry* find(uint16_t tag) const;

  /// A tag of one whole number, of any type without a sign, as the specification wants readers to take it.
  std::optional<uint64_t> number(uint16_t tag) const;
  uint64_t number_or(uint16_t tag, uint64_t otherwise) const {
    return number(tag).value_or(otherwise);
  }

  /// A tag of 1 to `most` whole numbers. Empty when it is absent.
  std::vector<uint64_t> numbers(uint16_t tag, uint64_t most) const;

  /// A tag of one fraction, which is infinite where it is one of 0.
  std::optional<float> fraction(uint16_t tag) const;

  /// The length of a tag of bytes or text, 0 when it is absent; its values lie in the file.
  uint64_t byte_count(uint16_t tag) const;

  /// All values of a tag of bytes or text. Empty when it is absent.
  std::vector<std::byte> bytes(uint16_t tag) const;

  /// A text up to its first NUL, of at most 1 MiB. Empty when it is absent.
  std::string text(uint16_t tag) const;

  /// The same of a tag that decides nothing: empty when it cannot be read, too.
  std::string text_if_readable(uint16_t tag) const;

  /// Tags whose values do not lie in the file, or whose type or count is none, in order.
  std::vector<uint16_t> broken() const;

 private:
  friend class TagNumbers;
  [[noreturn]] void fail(const std::string& why) const;
  [[noreturn]] void fail(const TagEntry& entry, const std::string& why) const;

  /// The entry of a tag that is to be read, or null; checks that it is there once.
  const TagEntry* checked(uint16_t tag) const;
  uint64_t offset_of_values(const TagEntry& entry) const;
  bool is_inside(const TagEntry& entry) const;
  void check_inside(const TagEntry& entry) const;
  void read(uint64_t offset, std::span<std::byte> to) const;
  std::vector<std::byte> values(const TagEntry& entry, uint64_t first, uint64_t count) const;
  [[noreturn]] void refuse_type(const TagEntry& entry, std::string_view expected) const;
  void check_whole_numbers(const TagEntry& entry) const;
  void check_single(const TagEntry& entry) const;

  const files::ByteStore& store_;
  const FileFormat format_;
  const uint64_t offset_;
  const std::string where_;
  std::vector<TagEntry> entries_;
  uint64_t next_ = 0;
};

/// The whole numbers of a tag that may have very many of them, as StripOffsets has. They are read piece by
/// piece, so ask for them in ascending order. The tags must outlive it.
class TagNumbers {
 public:
  /// Throws Error(kData) when the tag is absent, has fewer than `least` values, or cannot be read.
  TagNumbers(const Tags& tags, uint16_t tag, uint64_t least);

  /// The value, index < count. Throws Error.
  uint64_t at(uint64_t index);

 private:
  const Tags& tags_;
  const TagEntry& entry_;
  uint64_t first_ = 0;
  std::vector<std::byte> piece_;
};

}  // namespace mezzo::tiff
