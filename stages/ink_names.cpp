#include "stages/ink_names.h"

#include <algorithm>
#include <string_view>

#include "kernels/base/utf8.h"

namespace mezzo {
namespace {

std::string as_utf8(std::string_view found) {
  constexpr size_t kLongest = 255;
  std::string name;
  while (!found.empty()) {
    const Utf8Character character = first_character(found);
    const auto byte = static_cast<unsigned char>(found.front());
    const bool is_utf8 = character.bytes > 0;
    std::string next(found.substr(0, is_utf8 ? character.bytes : 1));
    if (!is_utf8)
      next = {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
    if (is_control(is_utf8 ? character.value : byte)) next = " ";
    if (name.size() + next.size() > kLongest) break;
    name += next;
    found.remove_prefix(is_utf8 ? character.bytes : 1);
  }
  const size_t begin = name.find_first_not_of(' ');
  if (begin == std::string::npos) return {};
  return name.substr(begin, name.find_last_not_of(' ') + 1 - begin);
}

/// Letters, digits, '_' and single '-' between them.
std::string as_file_name(std::string_view ink) {
  constexpr size_t kLongest = 48;
  std::string name;
  for (const char c : ink) {
    if (name.size() == kLongest) break;
    if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_') {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name;
}

}  // namespace

std::vector<std::string> ink_names(const std::vector<std::string>& found, uint32_t count) {
  std::vector<std::string> names(count);
  for (uint32_t i = 0; i < count && i < found.size(); ++i) names[i] = as_utf8(found[i]);
  const std::vector<std::string> in_files = ink_file_names(names);
  for (auto name = names.begin(); name != names.end(); ++name) {
    const bool is_taken = std::find(names.begin(), name, *name) != name;
    if (name->empty() || is_taken) *name = in_files[static_cast<size_t>(name - names.begin())];
  }
  return names;
}

std::vector<std::string> ink_file_names(const std::vector<std::string>& inks) {
  std::vector<std::string> names;
  for (const std::string& ink : inks) {
    std::string base = as_file_name(ink);
    if (base.empty()) base = "ink" + std::to_string(names.size() + 1);
    std::string name = base;
    for (uint32_t k = 2; std::ranges::find(names, name) != names.end(); ++k) {
      name = base + "-" + std::to_string(k);
    }
    names.push_back(name);
  }
  return names;
}

}  // namespace mezzo
