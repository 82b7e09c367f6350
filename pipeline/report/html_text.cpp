#include "pipeline/report/html_text.h"

#include <algorithm>
#include <array>

#include "kernels/base/error.h"
#include "manifests/json/value.h"

namespace mezzo::report {

std::string escape_html(std::string_view text) {
  constexpr std::string_view kSpecial = "&<>\"'";
  constexpr std::array<std::string_view, kSpecial.size()> kEscapes = {
      "&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string out;
  for (const char c : text) {
    const size_t special = kSpecial.find(c);
    special == std::string_view::npos ? out += c : out += kEscapes[special];
  }
  return out;
}

std::string escape_foreign(std::string_view text) {
  std::string shown;
  for (const char c : json::valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    byte < 0x20 || byte == 0x7F ? shown += "\xEF\xBF\xBD" : shown += c;
  }
  return escape_html(shown);
}

std::string fill_template(std::string_view text,
                          const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string out;
  for (;;) {
    const size_t begin = text.find("{{");
    out += text.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const size_t end = text.find("}}", begin);
    MZ_ASSERT(end != std::string_view::npos);
    const std::string_view name = text.substr(begin + 2, end - begin - 2);
    const auto value = std::ranges::find(values, name, [](const auto& pair) { return pair.first; });
    MZ_ASSERT(value != values.end());
    out += value->second;
    text.remove_prefix(end + 2);
  }
}

}  // namespace mezzo::report
