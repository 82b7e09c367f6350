#include "kernels/base/diagnostic.h"

namespace mezzo {

std::string to_string(const Diagnostic& d) {
  std::string text = d.file;
  if (d.line > 0) text += ":" + std::to_string(d.line) + ":" + std::to_string(d.column);
  text += ": " + d.message;
  if (!d.excerpt.empty()) {
    text += "\n  " + d.excerpt + "\n  ";
    // A tab above the caret stays a tab, so that the two line up in any terminal.
    for (uint32_t i = 0; i + 1 < d.column && i < d.excerpt.size(); ++i) {
      const auto byte = static_cast<unsigned char>(d.excerpt[i]);
      if ((byte & 0xC0U) != 0x80U) text += byte == '\t' ? '\t' : ' ';  // one column a code point
    }
    text += "^";
  }
  if (!d.hint.empty()) text += "\n  " + d.hint;
  return text;
}

}  // namespace mezzo
