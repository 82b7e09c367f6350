// Texts in mdoc(7), the language of manual pages. Code in a text becomes what it is: an option, a
// path, a word to be typed; "mezzotint-run(1)" becomes a reference.
#pragma once

#include <string>
#include <string_view>

#include "tools/words/document.h"

namespace mezzo::words {

/// The first lines of a page, up to the name section. `name` may have several words.
std::string mdoc_head(std::string_view name, int section, std::string_view summary);

/// Sections, paragraphs, lists.
std::string mdoc_body(const Document& document);

/// A section's title.
std::string mdoc_section(std::string_view title);

/// A paragraph's lines, without a paragraph's beginning.
std::string mdoc_text(std::string_view text);

/// A line of code as it is typed, with a prompt before it.
std::string mdoc_command_line(std::string_view line);

/// The words of a macro line that set the text: "Fl \-quiet", "Ar JOB ...".
std::string mdoc_words(std::string_view text);

}  // namespace mezzo::words
