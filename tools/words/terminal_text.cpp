#include "tools/words/terminal_text.h"

#include <vector>

#include "tools/cli/help_text.h"

namespace mezzo::words {
namespace {

constexpr size_t kWidth = 80;

std::string indented(const std::string& text) {
  std::string lines;
  for (const char c : text) {
    if (c != '\n' && (lines.empty() || lines.back() == '\n')) lines += "    ";
    lines += c;
  }
  return lines;
}

/// Of terms and headings, which need no marks around code.
std::string without_quotes(std::string text) {
  std::erase(text, '`');
  return text;
}

std::string item(const std::string& mark, const std::string& text) {
  return mark + cli::wrapped(text, mark.size(), kWidth) + "\n";
}

class TerminalWriter {
 public:
  std::string write(const Document& document) {
    for (const Block& block : document) add(block);
    flush_rows();
    return text_;
  }

 private:
  void add(const Block& block) {
    if (block.kind == BlockKind::kRow) {
      rows_.push_back({without_quotes(block.term), block.text});
      return;
    }
    flush_rows();
    const bool is_item = block.kind == BlockKind::kItem || block.kind == BlockKind::kNumbered;
    if (!text_.empty() && !(is_item && was_item_)) text_ += '\n';
    number_ = block.kind == BlockKind::kNumbered ? number_ + 1 : 0;
    was_item_ = is_item;
    switch (block.kind) {
      case BlockKind::kHeading:
      case BlockKind::kSubheading:
        text_ += cli::wrapped(without_quotes(block.text) + ":", 0, kWidth) + "\n";
        break;
      case BlockKind::kLiteral:
        text_ += indented(block.text) + "\n";
        break;
      case BlockKind::kItem:
        text_ += item("- ", block.text);
        break;
      case BlockKind::kNumbered:
        text_ += item(std::to_string(number_) + ". ", block.text);
        break;
      default:
        text_ += cli::wrapped(block.text, 0, kWidth) + "\n";
    }
  }

  void flush_rows() {
    if (rows_.empty()) return;
    text_ += (text_.empty() ? "" : "\n") + cli::columns(rows_);
    rows_.clear();
    was_item_ = false;
  }

  std::string text_;
  std::vector<cli::HelpRow> rows_;
  size_t number_ = 0;
  bool was_item_ = false;
};

}  // namespace

std::string terminal_text(const Document& document) {
  return TerminalWriter().write(document);
}

}  // namespace mezzo::words
