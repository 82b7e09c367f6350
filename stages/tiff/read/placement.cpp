#include "stages/tiff/read/placement.h"

// The places of a page's strips and tiles, checked before any of them is decoded.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "stages/tiff/damaged.h"
#include "stages/tiff/read/codec_memory.h"
#include "stages/tiff/read/jpeg_head.h"
#include "stages/tiff/read/names.h"

namespace mezzo::tiff {
namespace {

struct Place {
  uint64_t offset = 0;
  uint64_t bytes = 0;

  bool operator==(const Place&) const = default;
};

/// Checks strips or tiles in their order.
class BlockChecker {
 public:
  BlockChecker(Handle& handle, const Tags& tags, const PageLayout& layout, const PagePlace& page)
      : handle_(handle),
        tags_(tags),
        layout_(layout),
        page_(page),
        names_(block_tags(tags, layout.tiled)),
        offsets_(tags, names_.offsets, layout.block_count()) {
    if (tags.has(names_.sizes)) sizes_.emplace(tags, names_.sizes, layout.block_count());
  }

  /// Checks the tables that the JPEGs of all strips or tiles share.
  void check_shared_tables() const;

  /// The place of a block, which lies in the file and has a plausible size.
  Place check(uint32_t index) {
    const Place taken = taken_by_libtiff(index);
    // Without sizes, libtiff's guess is taken: decoding finds whether it is wrong.
    const Place place = {offsets_.at(index), sizes_ ? sizes_->at(index) : taken.bytes};
    check_range(index, place);
    if (place != taken) refuse_repair(index, place, taken);
    return place;
  }

  /// Its decoder's memory beside the block itself.
  uint64_t codec_bytes_of(uint32_t index, const Place& place) const {
    const StoredBlock block = {
        handle_.store(), place.offset, place.bytes, rows_of(index), most_rows_of(index)};
    try {
      return codec_bytes(block, layout_);
    } catch (const Error& error) {
      throw error.at(where(index) + ": ");
    }
  }

 private:
  std::string where(uint32_t index) const {
    return page_.text() + ", " + block_name(layout_, index);
  }
  [[noreturn]] void fail(uint32_t index, const std::string& why) const {
    throw damaged_page(where(index) + ": " + why);
  }
  /// The rows that a block decodes to.
  uint32_t rows_of(uint32_t index) const {
    return layout_.tiled ? layout_.block_rows
                         : layout_.rows_in(index % layout_.blocks_per_sample());
  }
  uint32_t most_rows_of(uint32_t index) const;
  Place taken_by_libtiff(uint32_t index) const;
  void check_range(uint32_t index, const Place& place) const;
  [[noreturn]] void refuse_repair(uint32_t index, const Place& place, const Place& taken) const;

  Handle& handle_;
  const Tags& tags_;
  const PageLayout& layout_;
  const PagePlace& page_;
  const BlockTags names_;
  TagNumbers offsets_;
  std::optional<TagNumbers> sizes_;
};

void BlockChecker::check_shared_tables() const {
  if (layout_.compression != COMPRESSION_JPEG || !tags_.has(TIFFTAG_JPEGTABLES)) return;
  const std::vector<std::byte> tables = tags_.bytes(TIFFTAG_JPEGTABLES);
  try {
    BlockHead head(std::span<const std::byte>{tables});
    check_jpeg_tables(head);
  } catch (const Error& error) {
    throw error.at(page_.text() + ": tag JPEGTables: ");
  }
}

/// The last strip of a page may be filled up with rows that the page does not have.
uint32_t BlockChecker::most_rows_of(uint32_t index) const {
  const bool is_last = index % layout_.blocks_per_sample() + 1 == layout_.blocks_per_sample();
  const uint32_t rows = rows_of(index);
  return layout_.tiled || !is_last ? rows : std::max(rows, layout_.stored_rows);
}

Place BlockChecker::taken_by_libtiff(uint32_t index) const {
  int is_bad_offset = 0, is_bad_size = 0;
  const Place taken = {TIFFGetStrileOffsetWithErr(handle_.get(), index, &is_bad_offset),
                       TIFFGetStrileByteCountWithErr(handle_.get(), index, &is_bad_size)};
  if (is_bad_offset != 0 || is_bad_size != 0 || handle_.messages().errors() > 0) {
    handle_.fail(ErrorKind::kData, where(index), "its offset and size cannot be read");
  }
  return taken;
}

void BlockChecker::check_range(uint32_t index, const Place& place) const {
  const bool is_raw = layout_.compression == COMPRESSION_NONE;
  const uint64_t file_bytes = handle_.store().size();
  const uint64_t decoded = uint64_t{layout_.block_row_bytes()} * rows_of(index);
  if (place.offset == 0 || place.bytes == 0) {
    fail(index, "expected an offset and a size, found 0: it was not written");
  }
  if (is_raw && place.bytes < decoded) {
    fail(index, fmt::format("expected {} bytes, found {}", decoded, place.bytes));
  }
  const uint64_t needed = is_raw ? decoded : place.bytes;
  if (place.offset > file_bytes || needed > file_bytes - place.offset) {
    fail(index,
         fmt::format("the file is cut off: it ends at byte {}, and {} bytes begin at byte {} here",
                     file_bytes,
                     needed,
                     place.offset));
  }
  if (!is_raw && is_beyond_codecs(place.bytes, decoded)) {
    fail(
        index,
        fmt::format("found {} stored bytes for {} decoded ones, which no compression makes of them",
                    place.bytes,
                    decoded));
  }
  const uint64_t end = place.offset + std::min(place.bytes, file_bytes);
  const bool is_in_directory = place.offset < tags_.end_offset() && end > tags_.offset();
  if (place.offset < tags_.format().header_bytes() || is_in_directory) {
    fail(index,
         fmt::format("found it at byte {}, where the {} of the file is",
                     place.offset,
                     is_in_directory ? "directory" : "header"));
  }
}

/// libtiff corrects places that it holds for wrong, and would decode something else.
void BlockChecker::refuse_repair(uint32_t index, const Place& place, const Place& taken) const {
  fail(index,
       fmt::format(
           "tags {} and {} say {} bytes at byte {}, which libtiff takes for {} bytes at byte {}",
           tag_name(names_.offsets),
           tag_name(names_.sizes),
           place.bytes,
           place.offset,
           taken.bytes,
           taken.offset));
}

}  // namespace

BlockTags block_tags(const Tags& tags, bool is_tiled) {
  const auto usual = [&](uint16_t tag, uint16_t other) {
    return tags.has(tag) || !tags.has(other) ? tag : other;
  };
  return is_tiled ? BlockTags{usual(TIFFTAG_TILEOFFSETS, TIFFTAG_STRIPOFFSETS),
                              usual(TIFFTAG_TILEBYTECOUNTS, TIFFTAG_STRIPBYTECOUNTS)}
                  : BlockTags{usual(TIFFTAG_STRIPOFFSETS, TIFFTAG_TILEOFFSETS),
                              usual(TIFFTAG_STRIPBYTECOUNTS, TIFFTAG_TILEBYTECOUNTS)};
}

LargestBlock check_blocks(Handle& handle,
                          const Tags& tags,
                          const PageLayout& layout,
                          const PagePlace& place) {
  BlockChecker checker(handle, tags, layout, place);
  checker.check_shared_tables();
  LargestBlock largest;
  for (uint32_t i = 0; i < layout.block_count(); ++i) {
    const Place block = checker.check(i);
    largest.stored_bytes = std::max(largest.stored_bytes, block.bytes);
    largest.codec_bytes = std::max(largest.codec_bytes, checker.codec_bytes_of(i, block));
  }
  return largest;
}

}  // namespace mezzo::tiff
