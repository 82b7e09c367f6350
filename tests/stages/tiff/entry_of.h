// Changes single entries of the directory of a TIFF file, to break them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace mezzo::test {

/// The entry of a tag in the first directory of a little-endian classic file. What is set is written when it is
/// destroyed.
class EntryOf {
 public:
  EntryOf(const std::string& path, uint16_t tag) : path_(path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
    const size_t directory = number(4, 4);
    for (size_t i = 0; i < number(directory, 2); ++i) {
      if (number(directory + 2 + i * 12, 2) == tag) at_ = directory + 2 + i * 12;
    }
    if (at_ == 0)
      throw std::runtime_error("the file of the test has no tag " + std::to_string(tag));
  }
  ~EntryOf() { std::ofstream(path_, std::ios::binary) << bytes_; }

  uint32_t count() const { return number(at_ + 4, 4); }
  size_t file_bytes() const { return bytes_.size(); }
  void set_tag(uint32_t tag) { set(at_, 2, tag); }
  void set_type(uint32_t type) { set(at_ + 2, 2, type); }
  void set_count(uint32_t count) { set(at_ + 4, 4, count); }
  void set_field(uint32_t field) { set(at_ + 8, 4, field); }

 private:
  uint32_t number(size_t at, size_t width) const {
    uint32_t value = 0;
    for (size_t i = width; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }
  void set(size_t at, size_t width, uint32_t value) {
    for (size_t i = 0; i < width; ++i, value >>= 8) bytes_[at + i] = static_cast<char>(value & 255);
  }

  std::string path_, bytes_;
  size_t at_ = 0;
};

}  // namespace mezzo::test
