#include "tools/words/document.h"

#include <algorithm>
#include <utility>

#include "kernels/base/error.h"

namespace mezzo::words {
namespace {

/// Pages of this repository that are manual pages as well; of several that fit, the first.
constexpr std::pair<std::string_view, std::string_view> kManuals[] = {
    {"#press-files", "mezzotint-press(5)"},
    {"manifests/README.md", "mezzotint-manifest(5)"},
    {"keys.md", "mezzotint-manifest(5)"},
    {"kernels/README.md", "mezzotint-methods(7)"},
    {"watch/README.md", "mezzotint-folder(5)"},
    {"run/README.md", "mezzotint-run(1)"},
    {"cluster/README.md", "mezzotint-submit(1)"},
    {"compare/README.md", "mezzotint-compare(1)"},
    {"service/README.md", "mezzotint-service(7)"},
};

/// What a manual says instead of a link: its text, and the page where it leads to one.
std::string without_target(const std::string& text, std::string_view target) {
  const auto* const manual = std::ranges::find_if(
      kManuals, [&](const auto& one) { return target.find(one.first) != std::string_view::npos; });
  if (manual == std::end(kManuals)) return text;
  const std::string page(manual->second);
  const bool is_path = text.find_first_of("/.") != std::string::npos;
  return is_path ? page : text + " (" + page + ")";
}

/// Links without their targets, and no marks of emphasis; code stays as it is.
std::string without_marks(std::string_view text) {
  std::string plain;
  bool in_code = false;
  size_t link = 0;  ///< where the text of the link begins
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '`') in_code = !in_code;
    const size_t target = c == ']' && !in_code ? text.find(')', i) : std::string_view::npos;
    if (target != std::string_view::npos && text.substr(i + 1, 1) == "(") {
      plain = plain.substr(0, link) +
              without_target(plain.substr(link), text.substr(i + 2, target - i - 2));
      i = target;
    } else if (!in_code && c == '[') {
      link = plain.size();
    } else if (in_code || c != '*') {
      plain += c;
    }
  }
  return plain;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

/// The cells of "| a | b |".
std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> cells;
  line = trimmed(line).substr(1);
  while (!line.empty()) {
    const size_t bar = std::min(line.find('|'), line.size());
    cells.push_back(without_marks(trimmed(line.substr(0, bar))));
    line.remove_prefix(std::min(bar + 1, line.size()));
  }
  return cells;
}

/// The length of "- " or "12. " at the beginning of a line; 0 when it begins no item.
size_t mark_of_item(std::string_view line) {
  if (line.starts_with("- ")) return 2;
  const size_t digits = line.find_first_not_of("0123456789");
  return digits > 0 && digits < line.size() && line.substr(digits, 2) == ". " ? digits + 2 : 0;
}

class MarkdownParser {
 public:
  Document parse(std::string_view text) {
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      take(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    close();
    return std::move(document_);
  }

 private:
  void take(std::string_view line) {
    if (line.starts_with("```")) {
      close();
      in_fence_ = !in_fence_;
      if (in_fence_) begin(BlockKind::kLiteral, "");
    } else if (in_fence_) {
      add_line(line);
    } else if (trimmed(line).empty()) {
      if (is_literal()) {
        add_line("");
      } else {
        close();
      }
    } else if (is_literal() && !line.starts_with("    ")) {
      close();
      take(line);
    } else {
      take_text(line);
    }
  }

  void take_text(std::string_view line) {
    const size_t mark = mark_of_item(line);
    if (line.starts_with('#')) {
      close();
      const size_t level = line.find(' ');
      begin(level <= 2 ? BlockKind::kHeading : BlockKind::kSubheading, line.substr(level + 1));
      close();
    } else if (line.starts_with('|')) {
      take_row(line);
    } else if (mark > 0) {
      close();
      begin(mark == 2 ? BlockKind::kItem : BlockKind::kNumbered, line.substr(mark));
    } else if (is_literal() || (line.starts_with("    ") && open_.empty())) {
      if (open_.empty()) begin(BlockKind::kLiteral, "");
      add_line(line.substr(4));
    } else if (open_.empty()) {
      begin(BlockKind::kParagraph, line);
    } else {
      open_.back().text += " " + std::string(trimmed(line));
    }
  }

  void take_row(std::string_view line) {
    if (!open_.empty()) close();
    std::vector<std::string> cells = cells_of(line);
    if (columns_.empty()) {
      columns_ = std::move(cells);
      return;
    }
    if (line.find_first_not_of("|-: ") == std::string_view::npos) return;
    Block row{BlockKind::kRow, cells.size() == 2 ? cells[1] : "", cells[0]};
    for (size_t i = 1; cells.size() > 2 && i < cells.size(); ++i) {
      if (cells[i].empty()) continue;
      row.text += (row.text.empty() ? "" : "; ") + columns_.at(i) + ": " + cells[i];
    }
    document_.push_back(std::move(row));
  }

  void begin(BlockKind kind, std::string_view text) { open_.push_back({kind, std::string(text)}); }

  bool is_literal() const { return !open_.empty() && open_.back().kind == BlockKind::kLiteral; }

  void add_line(std::string_view line) {
    std::string& text = open_.back().text;
    text += line;
    text += '\n';
  }

  void close() {
    columns_.clear();
    if (open_.empty()) return;
    Block block = std::move(open_.back());
    open_.pop_back();
    if (block.kind == BlockKind::kLiteral) {
      block.text.resize(block.text.find_last_not_of('\n') + 1);
    } else {
      block.text = without_marks(block.text);
    }
    document_.push_back(std::move(block));
  }

  Document document_;
  Document open_;                     ///< the block that is being read, if any
  std::vector<std::string> columns_;  ///< of the table that is being read
  bool in_fence_ = false;
};

auto next_heading(Document::const_iterator from, const Document& page) {
  return std::find_if(
      from, page.end(), [](const Block& block) { return block.kind == BlockKind::kHeading; });
}

}  // namespace

Document parse_markdown(std::string_view markdown) {
  return MarkdownParser().parse(markdown);
}

Document beginning_of(const Document& page) {
  const auto first = next_heading(page.begin(), page);
  if (first == page.end()) return page;
  return {first + 1, next_heading(first + 1, page)};
}

Document part_of(const Document& page, std::string_view heading) {
  const auto found = std::ranges::find_if(page, [&](const Block& block) {
    return block.kind == BlockKind::kHeading && block.text == heading;
  });
  if (found == page.end()) {
    throw Error(ErrorKind::kBug,
                "no text has the heading '" + std::string(heading) +
                    "', which tools/words/pages.cpp names");
  }
  return {found + 1, next_heading(found + 1, page)};
}

void append(Document& document, const Document& more) {
  document.insert(document.end(), more.begin(), more.end());
}

}  // namespace mezzo::words
