#include "stages/icc/profile_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "kernels/base/error.h"

namespace mezzo::icc {
namespace {

constexpr size_t kHeaderBytes = 128;
constexpr size_t kTagBytes = 12;
constexpr uint64_t kMostNodeValues = 16ULL << 20;  // in all tables of a profile
constexpr uint32_t kNewestVersion = 0x0440;

/// The tags that tables are made of.
constexpr std::array kKeptTags = {signature("A2B0"),
                                  signature("A2B1"),
                                  signature("A2B2"),
                                  signature("B2A0"),
                                  signature("B2A1"),
                                  signature("B2A2"),
                                  signature("rXYZ"),
                                  signature("gXYZ"),
                                  signature("bXYZ"),
                                  signature("rTRC"),
                                  signature("gTRC"),
                                  signature("bTRC"),
                                  signature("kTRC"),
                                  signature("wtpt"),
                                  signature("chad"),
                                  signature("desc"),
                                  signature("clrt"),
                                  signature("clot")};

/// Big-endian numbers of a span, which must have them.
uint32_t number(std::span<const std::byte> bytes, size_t at, size_t size) {
  uint32_t value = 0;
  for (const std::byte byte : bytes.subspan(at, size)) {
    value = value << 8 | std::to_integer<uint32_t>(byte);
  }
  return value;
}

void put_number(std::vector<std::byte>& bytes, size_t at, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<std::byte>(value >> (24 - 8 * i));
}

[[noreturn]] void damaged(const std::string& place, const std::string& finding) {
  throw Error(ErrorKind::kData,
              fmt::format("{}: the ICC profile is damaged: {}", place, finding),
              "export it again");
}

void check_sizes(std::span<const std::byte> bytes, const std::string& place) {
  if (bytes.size() > kMostProfileBytes) {
    throw Error(ErrorKind::kLimit,
                fmt::format("{}: the ICC profile has {} bytes; profiles of up to {} bytes are read",
                            place,
                            bytes.size(),
                            kMostProfileBytes));
  }
  if (bytes.size() < kHeaderBytes + 4) {
    damaged(
        place,
        fmt::format("it has {} bytes, and its header alone {}", bytes.size(), kHeaderBytes + 4));
  }
  if (number(bytes, 36, 4) != signature("acsp")) {
    throw Error(ErrorKind::kData,
                fmt::format("{}: this is no ICC profile: its bytes 36 to 39 are {}, not 'acsp'",
                            place,
                            signature_text(number(bytes, 36, 4))));
  }
  // More bytes than the header says do not matter: programs pad what they embed, and some vendors forget
  // tags in the size. The tags themselves must be whole.
  const uint32_t said = number(bytes, 0, 4);
  if (said > bytes.size()) {
    damaged(place, fmt::format("it is cut off: {} of its {} bytes are there", bytes.size(), said));
  }
}

void check_version(uint32_t version, const std::string& place) {
  const uint32_t major = version >> 24, both = version >> 16 & 0xFFF0;
  if ((major == 2 || major == 4) && both <= kNewestVersion) return;
  throw Error(ErrorKind::kUnsupported,
              fmt::format("{}: the ICC profile is of version {}.{}; versions 2 to 4.4 are read",
                          place,
                          major,
                          version >> 20 & 15),
              "export it as version 4 or 2");
}

std::vector<ProfileTag> tags_of(std::span<const std::byte> bytes, const std::string& place) {
  const uint32_t count = number(bytes, kHeaderBytes, 4);
  const size_t end = kHeaderBytes + 4 + size_t{count} * kTagBytes;
  if (end > bytes.size()) damaged(place, fmt::format("its list of {} tags is cut off", count));
  std::vector<ProfileTag> tags;
  for (size_t at = kHeaderBytes + 4; at < end; at += kTagBytes) {
    const ProfileTag tag = {
        number(bytes, at, 4), number(bytes, at + 4, 4), number(bytes, at + 8, 4)};
    if (std::ranges::find(kKeptTags, tag.name) == kKeptTags.end()) continue;
    const std::string name = signature_text(tag.name);
    if (tag.offset < end || tag.bytes < 8 || uint64_t{tag.offset} + tag.bytes > bytes.size()) {
      if (tag.name == signature("desc")) continue;  // decides nothing
      damaged(place,
              fmt::format("its tag {} has {} bytes from byte {}, and the profile has {} bytes",
                          name,
                          tag.bytes,
                          tag.offset,
                          bytes.size()));
    }
    if (std::ranges::find(tags, tag.name, &ProfileTag::name) != tags.end()) {
      damaged(place, fmt::format("it has two tags {}", name));
    }
    tags.push_back(tag);
  }
  return tags;
}

/// What a tag with a table says.
struct TableSize {
  uint32_t inputs = 0;
  uint32_t outputs = 0;
  uint64_t values = 0;  ///< of its nodes
  uint64_t bytes = 0;   ///< that the tag must have
};

/// The product of `inputs` grids and the outputs, or the largest number.
uint64_t node_values_of(std::span<const uint32_t> grids, uint32_t outputs) {
  uint64_t values = outputs;
  for (const uint32_t grid : grids) {
    values *= grid;
    if (values > kMostNodeValues) return std::numeric_limits<uint32_t>::max();
  }
  return values;
}

/// lut8Type and lut16Type.
TableSize size_of_lut(std::span<const std::byte> tag, bool is_16) {
  if (tag.size() < 52) return {.bytes = 52};
  TableSize size = {.inputs = number(tag, 8, 1), .outputs = number(tag, 9, 1)};
  const std::vector<uint32_t> grids(size.inputs, number(tag, 10, 1));
  const uint64_t input_curve = is_16 ? number(tag, 48, 2) : 256;
  const uint64_t output_curve = is_16 ? number(tag, 50, 2) : 256;
  size.values = node_values_of(grids, size.outputs);
  const uint64_t all = size.values + size.inputs * input_curve + size.outputs * output_curve;
  size.bytes = is_16 ? 52 + 2 * all : 48 + all;
  return size;
}

/// The end of the curveType or parametricCurveType at byte `at`. lcms2 refuses other types.
uint64_t end_of_curve(std::span<const std::byte> tag, uint64_t at) {
  constexpr std::array<uint32_t, 5> kParameters = {1, 3, 4, 5, 7};
  if (at + 12 > tag.size()) return at + 12;
  const auto begin = static_cast<size_t>(at);
  const uint32_t type = number(tag, begin, 4), function = number(tag, begin + 8, 2);
  if (type == signature("curv")) return at + 12 + 2 * uint64_t{number(tag, begin + 8, 4)};
  if (type != signature("para") || function >= kParameters.size()) return at + 12;
  return at + 12 + 4 * uint64_t{kParameters[function]};
}

/// The end of `count` curves whose offset is at byte `field` of the tag; 0 when the tag has no such curves.
uint64_t end_of_curves(std::span<const std::byte> tag, size_t field, uint32_t count) {
  uint64_t end = number(tag, field, 4);
  if (end == 0) return 0;
  for (uint32_t i = 0; i < count && end <= tag.size(); ++i) {
    end = end_of_curve(tag, (end + 3) / 4 * 4);
  }
  return end;
}

/// lutAToBType and lutBToAType. lcms2 does not check that their parts are inside the tag.
TableSize size_of_a_b(std::span<const std::byte> tag) {
  if (tag.size() < 32) return {.bytes = 32};
  TableSize size = {.inputs = number(tag, 8, 1), .outputs = number(tag, 9, 1)};
  const bool is_to_pcs = number(tag, 0, 4) == signature("mAB ");
  const uint32_t pcs = is_to_pcs ? size.outputs : size.inputs;
  const uint32_t device = is_to_pcs ? size.inputs : size.outputs;
  const uint32_t matrix = number(tag, 16, 4), at = number(tag, 24, 4);
  size.bytes = std::max({end_of_curves(tag, 12, pcs),
                         end_of_curves(tag, 20, pcs),
                         end_of_curves(tag, 28, device),
                         matrix == 0 ? 0 : uint64_t{matrix} + 48});
  if (at == 0 || size.inputs > 16) return size;
  size.bytes = std::max(size.bytes, uint64_t{at} + 20);
  if (size.bytes > tag.size()) return size;
  std::vector<uint32_t> grids;
  for (uint32_t i = 0; i < size.inputs; ++i) grids.push_back(number(tag, at + i, 1));
  size.values = node_values_of(grids, size.outputs);
  size.bytes =
      std::max(size.bytes, uint64_t{at} + 20 + size.values * std::max(number(tag, at + 16, 1), 1U));
  return size;
}

bool is_to_pcs(uint32_t tag) {
  return tag >> 8 == signature("A2B0") >> 8;
}
bool is_from_pcs(uint32_t tag) {
  return tag >> 8 == signature("B2A0") >> 8;
}

TableSize size_of_table(std::span<const std::byte> tag,
                        const std::string& name,
                        const std::string& place) {
  switch (const uint32_t type = number(tag, 0, 4); type) {
    case signature("mft1"):
      return size_of_lut(tag, false);
    case signature("mft2"):
      return size_of_lut(tag, true);
    case signature("mAB "):
    case signature("mBA "):
      return size_of_a_b(tag);
    default:
      damaged(place, fmt::format("its table {} is of type {}", name, signature_text(type)));
  }
}

}  // namespace

std::string signature_text(uint32_t signature) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) text += static_cast<char>(signature >> shift);
  const bool is_text = std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
  return is_text ? "'" + text + "'" : fmt::format("0x{:08x}", signature);
}

ProfileParts parse_parts(std::span<const std::byte> bytes, const std::string& place) {
  check_sizes(bytes, place);
  const ProfileHeader header = {.version = number(bytes, 8, 4),
                                .device_class = number(bytes, 12, 4),
                                .space = number(bytes, 16, 4),
                                .pcs = number(bytes, 20, 4),
                                .intent = number(bytes, 64, 4)};
  check_version(header.version, place);
  return {header, tags_of(bytes, place)};
}

void check_tables(std::span<const std::byte> bytes,
                  const ProfileParts& parts,
                  uint32_t device_channels,
                  uint32_t pcs_channels,
                  const std::string& place) {
  uint64_t values = 0;
  for (const ProfileTag& tag : parts.tags) {
    if (!is_to_pcs(tag.name) && !is_from_pcs(tag.name)) continue;
    const std::string name = signature_text(tag.name);
    const TableSize size = size_of_table(bytes.subspan(tag.offset, tag.bytes), name, place);
    if (size.bytes > tag.bytes && size.values <= kMostNodeValues) {
      damaged(
          place,
          fmt::format("its table {} has {} bytes, and would need {}", name, tag.bytes, size.bytes));
    }
    const uint32_t inputs = is_to_pcs(tag.name) ? device_channels : pcs_channels;
    const uint32_t outputs = is_to_pcs(tag.name) ? pcs_channels : device_channels;
    if (size.inputs != inputs || size.outputs != outputs) {
      damaged(place,
              fmt::format("its table {} makes {} channels of {}, and its header says {} of {}",
                          name,
                          size.outputs,
                          size.inputs,
                          outputs,
                          inputs));
    }
    values += size.values;
    if (values > kMostNodeValues) {
      throw Error(ErrorKind::kLimit,
                  fmt::format("{}: the tables of the ICC profile have more than {} values, which "
                              "is more than is read",
                              place,
                              kMostNodeValues),
                  "export it with smaller tables");
    }
  }
}

std::vector<std::byte> bare_profile(std::span<const std::byte> bytes, const ProfileParts& parts) {
  std::vector<std::byte> bare(bytes.begin(), bytes.end());
  put_number(bare, 0, static_cast<uint32_t>(bare.size()));
  put_number(bare, kHeaderBytes, static_cast<uint32_t>(parts.tags.size()));
  size_t at = kHeaderBytes + 4;
  for (const ProfileTag& tag : parts.tags) {
    put_number(bare, at, tag.name);
    put_number(bare, at + 4, tag.offset);
    put_number(bare, at + 8, tag.bytes);
    at += kTagBytes;
  }
  return bare;
}

}  // namespace mezzo::icc
