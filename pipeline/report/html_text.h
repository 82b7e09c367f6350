// Text into HTML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace mezzo::report {

/// `text` for use between tags and inside quoted attributes.
std::string escape_html(std::string_view text);

/// Like escape_html(), but for untrusted text, such as names of files: bytes that are not UTF-8 and
/// control characters become U+FFFD.
std::string escape_foreign(std::string_view text);

/// `values` in place of the {{name}} of `text`; values are not expanded again.
/// Every name must have a value.
std::string fill_template(std::string_view text,
                          const std::vector<std::pair<std::string_view, std::string>>& values);

}  // namespace mezzo::report
