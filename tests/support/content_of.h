// All of a small file, for tests.
#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace mezzo::test {

/// Empty when the file cannot be read.
inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace mezzo::test
