// A text for people, without its form: what pages of Markdown say, as a terminal and a manual page show
// it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mezzo::words {

enum class BlockKind {
  kHeading,
  kSubheading,
  kParagraph,
  kLiteral,   ///< lines as they are
  kItem,      ///< of a list
  kNumbered,  ///< likewise, with a number
  kRow,       ///< a term and what it means
};

/// Text has code in backquotes, and no other marks.
struct Block {
  BlockKind kind;
  std::string text;
  std::string term = {};  ///< of a row
};

using Document = std::vector<Block>;

/// Headings, paragraphs, lists, tables and code of a page of Markdown. A row of a table has its first
/// cell as its term; links lose their targets.
Document parse_markdown(std::string_view markdown);

/// What stands before the second heading of the page, without the first.
Document beginning_of(const Document& page);

/// The part of the page below that heading, without it. Throws Error(kBug) when there is none.
Document part_of(const Document& page, std::string_view heading);

void append(Document& document, const Document& more);

}  // namespace mezzo::words
