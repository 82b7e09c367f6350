// The texts of `mezzotint help TOPIC`, and the manual pages beside those of commands. Both are made of
// the same parts: pages of Markdown of this repository, and the tables of methods and keys.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/words/document.h"

namespace mezzo::words {

struct TopicText {
  std::string_view name, summary;
  Document (*text)();
};

/// In the order in which help lists them.
std::vector<TopicText> topic_texts();

/// A manual page of section 5 or 7.
struct Page {
  std::string_view name;
  int section;
  std::string_view summary;
  Document (*text)();
  std::vector<std::string> see_also;  ///< "mezzotint-run(1)"
};
std::vector<Page> other_pages();

/// The page as mdoc.
std::string manual_page(const Page& page);

/// Parts of a page of a command: its description, other sections, and what it refers to.
struct CommandText {
  Document description;
  Document sections;
  Document statuses;  ///< what it says by its exit status; empty when it is nothing special
  std::vector<std::string> see_also;
};
CommandText command_text(const std::string& command);

/// The section SEE ALSO, in the order of manual pages.
std::string see_also_section(std::vector<std::string> pages);

}  // namespace mezzo::words
