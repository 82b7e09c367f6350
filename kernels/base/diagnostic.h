// A user's mistake in a text file, as it is collected and shown.
#pragma once

#include <cstdint>
#include <string>

namespace mezzo {

/// A user's mistake in a text file. Lines and columns count from 1; 0 means "the file as a whole".
struct Diagnostic {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
  std::string message;  ///< what was found and what was expected, on one line
  std::string hint;     ///< what to do, e.g. a spelling suggestion; may be empty
  std::string excerpt;  ///< the offending line of the file, without its line end; may be empty

  bool operator==(const Diagnostic&) const = default;
};

/// "file:line:column: message", then the line with a caret below the column, then the hint.
std::string to_string(const Diagnostic& diagnostic);

}  // namespace mezzo
