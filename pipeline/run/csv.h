// Tables as text: RFC 4180, with line feeds.
#pragma once

#include <string>

namespace mezzo::run {

/// A field, in quotes where it needs them.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + "\"";
}

}  // namespace mezzo::run
