// TIFF files laid down byte by byte, with whatever a test wants in them: what libtiff would refuse
// to write. Little-endian, classic.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace mezzo::test {

/// Values of tags; tag 279 and below 273 are LONG, the others SHORT unless they are large.
using RawTags = std::map<uint16_t, std::vector<uint32_t>>;

/// An 8-bit grey page, 8 x 4 pixels in one strip; its 32 bytes lie behind the directory.
inline RawTags plain_tags() {
  return {{256, {8}},
          {257, {4}},
          {258, {8}},
          {259, {1}},
          {262, {1}},
          {273, {0}},
          {277, {1}},
          {278, {4}},
          {279, {32}}};
}

class RawTiff {
 public:
  RawTiff() {
    bytes_ = "II*";
    bytes_ += '\0';
    put(bytes_, 0, 4);
  }

  uint32_t size() const { return static_cast<uint32_t>(bytes_.size()); }
  void append(const std::string& data) { bytes_ += data; }

  /// Appends a directory and links it to the one before. Returns its offset.
  uint32_t add_directory(const RawTags& tags) {
    uint32_t extra = size() + 2 + static_cast<uint32_t>(tags.size()) * 12 + 4;
    const uint32_t offset = size();
    set(link_, offset);
    std::string values;
    put(bytes_, static_cast<uint32_t>(tags.size()), 2);
    for (const auto& [tag, numbers] : tags) {
      bool is_long = tag == 273 || tag == 279 || tag == 324 || tag == 325;
      for (const uint32_t number : numbers) is_long = is_long || number > 65535;
      const uint32_t width = is_long ? 4 : 2;
      put(bytes_, tag, 2);
      put(bytes_, is_long ? 4 : 3, 2);
      put(bytes_, static_cast<uint32_t>(numbers.size()), 4);
      std::string field;
      for (const uint32_t number : numbers) put(field, number, width);
      if (field.size() > 4) {
        put(bytes_, extra + static_cast<uint32_t>(values.size()), 4);
        values += field;
      } else {
        field.resize(4);
        bytes_ += field;
      }
    }
    link_ = size();
    put(bytes_, 0, 4);
    bytes_ += values;
    return offset;
  }

  /// Where the directory that is added last says that the next one is.
  void link_last_to(uint32_t offset) { set(link_, offset); }

  void save(const std::string& path) const { std::ofstream(path, std::ios::binary) << bytes_; }

 private:
  static void put(std::string& to, uint32_t number, uint32_t width) {
    for (uint32_t i = 0; i < width; ++i) to += static_cast<char>(number >> 8 * i & 255);
  }
  void set(uint32_t at, uint32_t number) {
    std::string field;
    put(field, number, 4);
    bytes_.replace(at, 4, field);
  }

  std::string bytes_;
  uint32_t link_ = 4;
};

/// A file of one directory whose strips lie behind it; tags 273 and 279 are set from `strips`.
inline RawTiff make_raw_tiff(RawTags tags, const std::vector<std::string>& strips) {
  tags[273].clear();
  tags[279].clear();
  for (const std::string& strip : strips) {
    tags[273].push_back(0);
    tags[279].push_back(static_cast<uint32_t>(strip.size()));
  }
  RawTiff measured;
  measured.add_directory(tags);
  uint32_t at = measured.size();
  for (size_t i = 0; i < strips.size(); ++i) {
    tags[273][i] = at;
    at += static_cast<uint32_t>(strips[i].size());
  }
  RawTiff tiff;
  tiff.add_directory(tags);
  for (const std::string& strip : strips) tiff.append(strip);
  return tiff;
}

}  // namespace mezzo::test
