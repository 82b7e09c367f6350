// Tables of measurements and curves as CGATS.17 lays them out: the text files of spectrophotometers,
// characterisation sets, and Argyll's .ti1, .ti3 and .cal.
//
// A table has keywords in any order, the names of its fields between BEGIN_DATA_FORMAT and
// END_DATA_FORMAT, and between BEGIN_DATA and END_DATA a line for each set of values. A file may hold
// several. Words stand between spaces or tabs; a word in double quotes may hold both. '#' begins a comment.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/job.h"
#include "manifests/source_text.h"

namespace mezzo::curve {

using manifests::Place;

inline constexpr size_t kMaxTableBytes = 4 * 1024 * 1024;
inline constexpr size_t kMaxTables = 16;
inline constexpr size_t kMaxTableFields = 512;
inline constexpr size_t kMaxTableSets = 20'000;
inline constexpr size_t kMaxTableLines = 100'000;
inline constexpr size_t kMaxKeywords = 1'000;

/// A word of the text, which it points into.
struct Word {
  std::string_view text;  ///< without its quotes
  Place place;
};

struct CgatsKeyword {
  Word name;
  Word value;  ///< may be empty
};

struct CgatsTable {
  std::string_view
      type;     ///< first word of the file, such as "CGATS.17", "CTI3"; of later tables empty
  Place place;  ///< of its data
  std::vector<CgatsKeyword> keywords;
  std::vector<Word> fields;
  std::vector<std::vector<Word>> sets;  ///< each as long as `fields`

  /// The value of the keyword; null when it is missing. Upper and lower case are one here and below.
  const Word* keyword(std::string_view name) const;
  std::optional<size_t> field(std::string_view name) const;
};

/// The text without the marks of other systems: line ends of carriage returns alone become newlines.
manifests::SourceText table_source(const std::string& file, std::string text);

/// The first thing in the bytes that no table holds: UTF-16, control characters, too many bytes or lines.
std::optional<Diagnostic> check_table_bytes(const manifests::SourceText& source);

/// Whether a line begins with BEGIN_DATA or BEGIN_DATA_FORMAT.
bool is_cgats(const manifests::SourceText& source);

/// At least one table, and at most the first `most` of the file; what follows them is not read. The
/// source must outlive the words. Refuses the first mistake.
manifests::Checked<std::vector<CgatsTable>> parse_cgats(const manifests::SourceText& source,
                                                        size_t most = kMaxTables);

/// A decimal number as instruments write it: sign, digits, point, exponent. Empty for all else, and
/// beyond 1e9.
std::optional<double> number_of(std::string_view text);

/// What is wrong with a word that is no number, and what to do: its message and hint.
Diagnostic no_number(const manifests::SourceText& source, const Word& word, std::string_view field);

bool is_same_name(std::string_view a, std::string_view b);

}  // namespace mezzo::curve
