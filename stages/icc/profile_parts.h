// The parts of a profile, as its bytes have them: header, tags, and the sizes of its tables. No
// number is believed before it was compared with the others, so that lcms2 allocates and computes no
// more than the file is worth.
//
// The layout is that of ICC.1:2022, sections 7 (header, tag table) and 10.10 to 10.13 (lut types).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace mezzo::icc {

/// The largest profile that is read.
inline constexpr uint64_t kMostProfileBytes = 16ULL << 20;

/// Four letters as a number.
constexpr uint32_t signature(const char (&text)[5]) {
  uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(text[i]);
  return value;
}

struct ProfileHeader {
  uint32_t version = 0;  ///< as stored: 0x04400000 is 4.4
  uint32_t device_class = 0;
  uint32_t space = 0;
  uint32_t pcs = 0;  ///< the connection space; what a link gives
  uint32_t intent = 0;
};

struct ProfileTag {
  uint32_t name = 0;
  uint32_t offset = 0;
  uint32_t bytes = 0;
};

struct ProfileParts {
  ProfileHeader header;
  std::vector<ProfileTag> tags;  ///< those that lcms2 is given
};

/// Throws Error: kData where sizes or places contradict each other, kUnsupported for a version that
/// is not known, kLimit for tables that are too large. Classes and spaces are not looked at.
ProfileParts parse_parts(std::span<const std::byte> bytes, const std::string& place);

/// Throws Error unless each table takes and gives so many channels; as above.
void check_tables(std::span<const std::byte> bytes,
                  const ProfileParts& parts,
                  uint32_t device_channels,
                  uint32_t pcs_channels,
                  const std::string& place);

/// The profile with no other tags than those of `parts`.
std::vector<std::byte> bare_profile(std::span<const std::byte> bytes, const ProfileParts& parts);

/// Four letters for messages, "'RGB '"; others are shown as hexadecimal digits.
std::string signature_text(uint32_t signature);

}  // namespace mezzo::icc
