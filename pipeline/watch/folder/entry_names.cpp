#include "pipeline/watch/folder/entry_names.h"

#include <algorithm>
#include <array>

#include "kernels/base/utf8.h"

namespace mezzo::watch {
namespace {

constexpr size_t kMaxFileNameBytes = 255;  // NAME_MAX of every file system in use

// A plate's name has up to 240 bytes, and holds the page's stem and the ink's name.
constexpr size_t kMaxUsableBytes = 200;

constexpr size_t kMaxPrintableBytes = 240;
constexpr size_t kMaxJobNameBytes = 100;

constexpr std::array<std::string_view, 6> kUnfinished = {
    ".tmp", ".part", ".partial", ".crdownload", ".download", ".filepart"};

/// Not in the middle of a UTF-8 character: some file systems would refuse the name.
std::string_view cut(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes);
}

size_t suffix_bytes(std::string_view name) {
  for (const std::string_view suffix : {".tif", ".tiff", ".yaml", ".yml"}) {
    if (name.size() > suffix.size() && ends_with(name, suffix)) return suffix.size();
  }
  return 0;
}

}  // namespace

bool ends_with(std::string_view name, std::string_view suffix) {
  return name.size() >= suffix.size() &&
         std::ranges::equal(name.substr(name.size() - suffix.size()), suffix, {}, [](char c) {
           return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
         });
}

NameKind kind_of_name(std::string_view name) {
  if (name.starts_with('.') || name.starts_with("~$")) return NameKind::kIgnored;
  // File managers leave these in every folder, and archives of macOS unpack to the last.
  constexpr std::array<std::string_view, 3> kLeft = {"Thumbs.db", "desktop.ini", "__MACOSX"};
  if (std::ranges::find(kLeft, name) != kLeft.end()) return NameKind::kIgnored;
  for (const std::string_view suffix : kUnfinished) {
    if (ends_with(name, suffix)) return NameKind::kIgnored;
  }
  if (ends_with(name, ".tif") || ends_with(name, ".tiff")) return NameKind::kPage;
  if (ends_with(name, ".yaml") || ends_with(name, ".yml")) return NameKind::kTicket;
  return NameKind::kOther;
}

bool is_layout_name(std::string_view name) {
  return name == "done" || name == "failed" || name == "incomplete" || name == "reports" ||
         name == "folder.yaml";
}

std::optional<std::string> name_problem(std::string_view name) {
  if (!is_clean_text(name)) {
    return "its name holds control characters or is not UTF-8; rename the file";
  }
  if (name.size() > kMaxUsableBytes) {
    return "its name is longer than " + std::to_string(kMaxUsableBytes) +
           " bytes, which leaves too little room for the names of plates; rename the file";
  }
  return std::nullopt;
}

std::string printable_name(std::string_view name) {
  std::string result;
  for (size_t i = 0; i < name.size();) {
    const Utf8Character c = first_character(name.substr(i));
    const bool good = c.bytes != 0 && !is_control(c.value);
    result += good ? name.substr(i, c.bytes) : "_";
    i += std::max<size_t>(c.bytes, 1);
  }
  const size_t suffix = suffix_bytes(result);
  const std::string tail = result.substr(result.size() - suffix);
  result = std::string(cut(result, kMaxPrintableBytes - suffix));
  return result.ends_with(tail) ? result : result + tail;
}

std::string_view stem_of(std::string_view name) {
  return name.substr(0, name.size() - suffix_bytes(name));
}

std::string numbered_name(const std::string& name, size_t number, std::string_view tail) {
  const std::string_view stem = stem_of(name);
  std::string end = number == 1 ? "" : " (" + std::to_string(number) + ")";
  end += name.substr(stem.size());
  end += tail;
  return std::string(cut(stem, kMaxFileNameBytes - end.size())) + end;
}

std::string job_name_for(std::string_view name) {
  std::string result;
  for (size_t i = 0; i < name.size() && result.size() < kMaxJobNameBytes;) {
    const Utf8Character c = first_character(name.substr(i));
    const char32_t v = c.value;
    const bool word = (v >= '0' && v <= '9') || (v >= 'A' && v <= 'Z') || (v >= 'a' && v <= 'z') ||
                      v >= 0xC0;  // the rule for `name` in manifests/binder.cpp
    const bool good = word || v == ' ' || v == '.' || v == '_' || v == '-';
    if (word || !result.empty()) result += good ? name.substr(i, c.bytes) : "_";
    i += std::max<size_t>(c.bytes, 1);
  }
  while (result.ends_with(' ')) result.pop_back();
  return result.empty() ? "job" : result;
}

}  // namespace mezzo::watch
