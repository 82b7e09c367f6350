#include "stages/tiff/read/chain.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <unordered_set>

#include "kernels/base/error.h"
#include "stages/files/content_kind.h"
#include "stages/tiff/damaged.h"

namespace mezzo::tiff {
namespace {

/// What the first bytes of a file say.
struct Header {
  FileFormat format;
  uint64_t first_directory = 0;  ///< its offset
};

[[noreturn]] void fail(const files::InputFile& file, const std::string& why) {
  throw damaged_page(file.path() + ": " + why);
}

[[noreturn]] void refuse_content(const files::InputFile& file, std::span<const std::byte> begin) {
  const std::string_view kind = files::kind_of_content(begin);
  if (!kind.empty()) {
    throw Error(ErrorKind::kData,
                file.path() + ": this is " + std::string(kind) + ", not a TIFF",
                "export the page as TIFF");
  }
  if (begin.empty()) fail(file, "the file is empty (0 bytes)");
  fail(file,
       "expected a TIFF file, which begins with II or MM and has at least 8 bytes, found " +
           std::string(begin.size() < 8 ? std::to_string(begin.size()) + " bytes"
                                        : "something else"));
}

Header read_header(const files::InputFile& file) {
  std::array<std::byte, 16> bytes{};
  int error_number = 0;
  const size_t got = file.read_at(0, bytes, error_number);
  if (error_number != 0) {
    throw Error(ErrorKind::kIo,
                file.path() + ": reading failed: " + std::generic_category().message(error_number));
  }
  const auto letter = [&](size_t i) { return std::to_integer<char>(bytes[i]); };
  const bool little = letter(0) == 'I' && letter(1) == 'I';
  const bool big = letter(0) == 'M' && letter(1) == 'M';
  if (got < 8 || (!little && !big)) refuse_content(file, std::span(bytes).first(got));
  Header header;
  header.format.is_big_endian = big;
  const auto number = [&](size_t at, size_t width) {
    return header.format.number(std::span(bytes).subspan(at, width));
  };
  const uint64_t version = number(2, 2);
  if (version == 42) {
    header.first_directory = number(4, 4);
    return header;
  }
  if (version != 43 || got < bytes.size()) {
    fail(file, "expected version 42 or 43 in the TIFF header, found " + std::to_string(version));
  }
  header.format.is_big_tiff = true;
  if (number(4, 2) != 8 || number(6, 2) != 0) {
    fail(file, "the BigTIFF header is damaged: expected offsets of 8 bytes");
  }
  header.first_directory = number(8, 8);
  return header;
}

/// A tag that says what kind of image a directory has; nothing where it is absent or cannot be read.
std::optional<uint64_t> kind_in(const Tags& tags, uint16_t tag) {
  try {
    return tags.number(tag);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
    return std::nullopt;
  }
}

RawDirectory directory_of(const Tags& tags) {
  constexpr uint64_t kReduced = 1, kMask = 4;  // bits of NewSubfileType
  constexpr uint64_t kOldReduced = 2;          // SubfileType
  const uint64_t kind = kind_in(tags, 254).value_or(0);
  const bool is_reduced = (kind & kReduced) != 0 || kind_in(tags, 255) == kOldReduced;
  const bool is_mask = (kind & kMask) != 0;
  return {.format = tags.format(),
          .offset = tags.offset(),
          .is_page = !is_reduced && !is_mask,
          .is_mask = is_mask};
}

}  // namespace

std::vector<RawDirectory> walk_directories(const files::InputFile& file, uint32_t max_directories) {
  const Header header = read_header(file);
  std::vector<RawDirectory> directories;
  std::unordered_set<uint64_t> seen;
  uint64_t offset = header.first_directory;
  if (offset == 0) fail(file, "the file has no directory");
  while (offset != 0) {
    const std::string number = std::to_string(directories.size() + 1);
    if (directories.size() == max_directories) {
      throw Error(ErrorKind::kLimit,
                  file.path() + ": the file has more than " + std::to_string(max_directories) +
                      " directories, which is the limit");
    }
    if (!seen.insert(offset).second) {
      fail(file,
           "the directories form a loop: directory " + std::to_string(directories.size()) +
               " is followed by the one at byte " + std::to_string(offset) + " again");
    }
    const Tags tags(file,
                    header.format,
                    offset,
                    file.path(),
                    "directory " + number + " at byte " + std::to_string(offset));
    directories.push_back(directory_of(tags));
    offset = tags.next_offset();
  }
  return directories;
}

}  // namespace mezzo::tiff
