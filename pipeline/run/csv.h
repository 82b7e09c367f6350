// Tables as text: RFC 4180, with line feeds. Spreadsheets take a field that begins with = + - @ for a
// formula, and names come with pages of strangers, so an apostrophe goes before such a name.
#pragma once

#include <string>
#include <string_view>

namespace mezzo::run {

/// A name as a field, in quotes where it needs them.
inline std::string csv_field(const std::string& name) {
  constexpr std::string_view kFormulas = "=+-@\t";
  const bool is_formula = !name.empty() && kFormulas.find(name.front()) != std::string_view::npos;
  std::string text = is_formula ? "'" + name : name;
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

}  // namespace mezzo::run
