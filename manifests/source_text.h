// The text of a manifest, cut into lines, and the diagnostics that point into it.
//
// Places count lines and columns from 1, columns in bytes, as yaml-cpp and Diagnostic do. Excerpts
// are cut when a line is very long and never carry control characters to a terminal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/utf8.h"
#include "manifests/place.h"

namespace mezzo::manifests {

inline constexpr size_t kMaxManifestBytes = 256 * 1024;

class SourceText {
 public:
  /// `file` is its name in diagnostics. A byte order mark of UTF-8 is dropped.
  SourceText(std::string file, std::string_view text);

  const std::string& file() const { return file_; }
  const std::string& text() const { return text_; }
  size_t line_count() const { return starts_.size(); }

  /// The line without its line end; empty for a line that does not exist.
  std::string_view line(size_t number) const;

  /// The text from a place to the end of its line; empty outside the text.
  std::string_view at(Place place) const;

  Diagnostic diagnostic(Place place, std::string message, std::string hint = {}) const;

 private:
  std::string file_;
  std::string text_;
  std::vector<size_t> starts_;  // offset of each line
};

/// The first mistake in the bytes themselves, before any YAML: too many of them, not UTF-8, control
/// characters, tabs as indentation. Empty when there is none.
std::optional<Diagnostic> check_bytes(const SourceText& source);

/// The text in single quotes, shortened when long, control characters shown as '?'.
std::string in_quotes(std::string_view text);

/// The name that was probably meant, ignoring case; empty when none is close.
std::string_view meant(std::string_view name, std::span<const std::string_view> candidates);

/// The text with A to Z as a to z.
std::string lower_case(std::string_view text);

/// The text without spaces at its ends.
std::string_view trimmed(std::string_view text);

/// The diagnostics of each file together, from the top of its text to the end.
std::vector<Diagnostic> in_order(std::vector<Diagnostic> diagnostics);

/// "a, b, c".
std::string joined(const std::vector<std::string_view>& names);

/// "a, b or c".
std::string alternatives(std::span<const std::string_view> names);

}  // namespace mezzo::manifests
