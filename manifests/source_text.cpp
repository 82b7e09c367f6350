#include "manifests/source_text.h"

#include <algorithm>
#include <cstdio>
#include <tuple>

#include "kernels/registry.h"

namespace mezzo::manifests {
namespace {

constexpr size_t kMaxExcerptBytes = 160;
constexpr size_t kMaxQuotedBytes = 60;

/// The text with every byte that is not part of a clean character as '?', so that columns stay.
std::string shown(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    const Utf8Character character = first_character(text.substr(i));
    const size_t bytes = std::max<size_t>(character.bytes, 1);
    const bool clean =
        character.bytes > 0 && (character.value == '\t' || !is_control(character.value));
    if (clean) {
      result += text.substr(i, bytes);
    } else {
      result.append(bytes, '?');
    }
    i += bytes;
  }
  return result;
}

/// The longest prefix of at most `bytes` bytes that does not cut a character.
std::string_view prefix(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

std::string code_point_name(char32_t character) {
  char name[16];
  std::snprintf(name, sizeof name, "U+%04X", static_cast<unsigned>(character));
  return name;
}

/// A no-break space, or another one that is not U+0020, in front of the first character of a line.
std::optional<size_t> other_space_in_indentation(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const char32_t c = first_character(line.substr(begin)).value;
  const bool is_space = c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) || c == 0x202F ||
                        c == 0x205F || c == 0x3000;
  return is_space ? std::optional(begin) : std::nullopt;
}

/// A tab in front of the first character of a line that says something.
std::optional<size_t> tab_in_indentation(std::string_view line) {
  const size_t text = line.find_first_not_of(" \t");
  if (text == std::string_view::npos || line[text] == '#') return std::nullopt;
  const size_t tab = line.find('\t');
  return tab < text ? std::optional(tab) : std::nullopt;
}

std::optional<Diagnostic> check_line(const SourceText& source, uint32_t number) {
  const std::string_view line = source.line(number);
  for (size_t i = 0; i < line.size();) {
    const Place place = {number, static_cast<uint32_t>(i + 1)};
    const Utf8Character character = first_character(line.substr(i));
    if (character.bytes == 0) {
      return source.diagnostic(place,
                               "a byte here is not UTF-8, and a manifest must be UTF-8 text",
                               "save the file as UTF-8");
    }
    if (character.value != '\t' && is_control(character.value)) {
      return source.diagnostic(place,
                               "a control character (" + code_point_name(character.value) +
                                   ") is not allowed in a manifest, which must be plain text",
                               "delete the character");
    }
    i += character.bytes;
  }
  if (const auto place = other_space_in_indentation(line)) {
    const Utf8Character space = first_character(line.substr(*place));
    return source.diagnostic(
        {number, static_cast<uint32_t>(*place + 1)},
        "the line is indented with a space of another kind (" + code_point_name(space.value) +
            "), and YAML wants plain spaces",
        "replace it by a space; copying from a page or a chat makes such ones");
  }
  if (const auto tab = tab_in_indentation(line)) {
    return source.diagnostic({number, static_cast<uint32_t>(*tab + 1)},
                             "the line is indented with a tab, and YAML wants spaces",
                             "replace the tab by spaces");
  }
  return std::nullopt;
}

}  // namespace

SourceText::SourceText(std::string file, std::string_view text) : file_(std::move(file)) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  text_ = text;
  starts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n' && i + 1 < text_.size()) starts_.push_back(i + 1);
  }
}

std::string_view SourceText::line(size_t number) const {
  if (number < 1 || number > starts_.size()) return {};
  const size_t begin = starts_[number - 1];
  const size_t end = std::min(text_.find('\n', begin), text_.size());
  std::string_view found(text_.data() + begin, end - begin);
  if (found.ends_with('\r')) found.remove_suffix(1);
  return found;
}

std::string_view SourceText::at(Place place) const {
  const std::string_view found = line(place.line);
  return place.column >= 1 && place.column <= found.size() ? found.substr(place.column - 1)
                                                           : std::string_view();
}

Diagnostic SourceText::diagnostic(Place place, std::string message, std::string hint) const {
  Diagnostic result{.file = file_,
                    .line = place.line,
                    .column = place.column,
                    .message = std::move(message),
                    .hint = std::move(hint),
                    .excerpt = {}};
  if (place.column <= kMaxExcerptBytes) {
    const std::string_view whole = line(place.line);
    const std::string_view start = prefix(whole, kMaxExcerptBytes);
    result.excerpt = shown(start) + (start.size() < whole.size() ? " ..." : "");
  }
  return result;
}

std::optional<Diagnostic> check_bytes(const SourceText& source) {
  if (source.text().size() > kMaxManifestBytes) {
    return source.diagnostic({},
                             "the manifest has " + std::to_string(source.text().size()) +
                                 " bytes, and the limit is 262144 (256 KiB)",
                             "split the job, or name folders and patterns instead of files");
  }
  for (uint32_t number = 1; number <= source.line_count(); ++number) {
    if (auto wrong = check_line(source, number)) return wrong;
  }
  return std::nullopt;
}

std::string in_quotes(std::string_view text) {
  const std::string_view start = prefix(text, kMaxQuotedBytes);
  std::string inner = shown(start);
  std::ranges::replace(inner, '\t', '?');
  return "'" + inner + (start.size() < text.size() ? "..." : "") + "'";
}

std::string_view meant(std::string_view name, std::span<const std::string_view> candidates) {
  constexpr size_t kLongestName = 64;  // longer ones cost time
  if (name.size() > kLongestName) return {};
  return closest_name(lower_case(name), candidates);
}

std::string lower_case(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::vector<Diagnostic> in_order(std::vector<Diagnostic> diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, [](const Diagnostic& d) {
    return std::tuple(std::string_view(d.file), d.line, d.column);
  });
  return diagnostics;
}

std::string joined(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string alternatives(std::span<const std::string_view> names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace mezzo::manifests
