#include "manifests/curve/cgats.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace mezzo::curve {
namespace {

using manifests::in_quotes;
using manifests::SourceText;

bool is_space(char c) {
  return c == ' ' || c == '\t';
}

/// Cuts a text into its tables. Every function returns false after the first mistake.
class CgatsParser {
 public:
  CgatsParser(const SourceText& source, size_t most) : source_(source), most_(most) {}

  manifests::Checked<std::vector<CgatsTable>> parse();

 private:
  enum class Part { kHeader, kFormat, kData };

  bool cut(uint32_t number);
  bool read_line();
  bool read_header();
  bool read_format();
  bool read_set();
  bool check_fields();
  bool end_data();
  bool check_end();
  bool check_count(std::string_view keyword, size_t found, std::string_view what);
  bool check_keywords();
  bool refuse(Place place, std::string message, std::string hint = {});

  const SourceText& source_;
  size_t most_;
  std::vector<Word> words_;  // of the line
  std::vector<CgatsTable> tables_;
  CgatsTable table_;
  Part part_ = Part::kHeader;
  Place begin_;  // of the part
  bool is_done_ = false;
  std::optional<Diagnostic> wrong_;
};

bool CgatsParser::refuse(Place place, std::string message, std::string hint) {
  wrong_ = source_.diagnostic(place, std::move(message), std::move(hint));
  return false;
}

/// The words of a line.
bool CgatsParser::cut(uint32_t number) {
  words_.clear();
  const std::string_view line = source_.line(number);
  for (size_t i = 0; i < line.size();) {
    if (is_space(line[i])) {
      ++i;
      continue;
    }
    if (line[i] == '#') break;
    const Place place = {number, static_cast<uint32_t>(i + 1)};
    if (line[i] == '"') {
      const size_t end = line.find('"', i + 1);
      if (end == std::string_view::npos) {
        return refuse(
            place, "a quote is opened here and never closed", "close it in the same line");
      }
      words_.push_back({line.substr(i + 1, end - i - 1), place});
      i = end + 1;
    } else {
      const size_t begin = i;
      while (i < line.size() && !is_space(line[i])) ++i;
      words_.push_back({line.substr(begin, i - begin), place});
    }
  }
  return true;
}

bool CgatsParser::read_line() {
  switch (part_) {
    case Part::kHeader:
      return read_header();
    case Part::kFormat:
      return read_format();
    case Part::kData:
      return read_set();
  }
  return false;
}

bool CgatsParser::read_header() {
  const Word& first = words_.front();
  if (is_same_name(first.text, "BEGIN_DATA_FORMAT")) {
    if (!table_.fields.empty()) {
      return refuse(first.place, "a table has its fields named twice", "leave one list of them");
    }
    part_ = Part::kFormat;
    begin_ = first.place;
    words_.erase(words_.begin());
    return read_format();
  }
  if (is_same_name(first.text, "BEGIN_DATA")) {
    if (table_.fields.empty()) {
      return refuse(first.place,
                    "the table has values, and nothing says what they are",
                    "its fields are named between BEGIN_DATA_FORMAT and END_DATA_FORMAT, above");
    }
    part_ = Part::kData;
    begin_ = table_.place = first.place;
    if (words_.size() > 1) {
      return refuse(words_[1].place,
                    "values follow BEGIN_DATA in its line",
                    "begin a line for each set of values");
    }
    return true;
  }
  if (is_same_name(first.text, "END_DATA") || is_same_name(first.text, "END_DATA_FORMAT")) {
    return refuse(first.place,
                  std::string(first.text) + " without a beginning",
                  "a line is missing above, or is there twice");
  }
  if (tables_.empty() && table_.type.empty() && table_.keywords.empty()) {
    table_.type = first.text;
    if (words_.size() == 1) return true;
  }
  if (table_.keywords.size() == kMaxKeywords) {
    return refuse(first.place, "the table has more than 1000 keywords");
  }
  table_.keywords.push_back({first, words_.size() > 1 ? words_[1] : Word{{}, first.place}});
  return true;
}

bool CgatsParser::read_format() {
  for (const Word& word : words_) {
    if (is_same_name(word.text, "END_DATA_FORMAT")) {
      part_ = Part::kHeader;
      return check_fields();
    }
    if (is_same_name(word.text, "BEGIN_DATA")) {
      return refuse(word.place,
                    "the names of the fields do not end before the values begin",
                    "END_DATA_FORMAT is missing above");
    }
    if (table_.fields.size() == kMaxTableFields) {
      return refuse(word.place, "the table has more than 512 fields");
    }
    table_.fields.push_back(word);
  }
  return true;
}

bool CgatsParser::check_fields() {
  if (table_.fields.empty()) return refuse(begin_, "the table names no fields");
  for (auto field = table_.fields.begin(); field != table_.fields.end(); ++field) {
    const auto first = std::find_if(table_.fields.begin(), field, [&](const Word& other) {
      return is_same_name(other.text, field->text);
    });
    if (first != field) {
      return refuse(field->place, "field " + in_quotes(field->text) + " is there twice");
    }
  }
  return true;
}

bool CgatsParser::read_set() {
  const Word& first = words_.front();
  if (is_same_name(first.text, "END_DATA")) return end_data();
  if (words_.size() != table_.fields.size()) {
    if (words_.size() < table_.fields.size() && first.place.line == source_.line_count()) {
      return refuse(
          first.place, "the file ends within a line of values", "the file is cut; export it again");
    }
    const auto comma = std::ranges::find_if(
        words_, [](const Word& word) { return word.text.find(',') != std::string_view::npos; });
    const std::string message = "the line has " + std::to_string(words_.size()) +
                                " values, and the table has " +
                                std::to_string(table_.fields.size()) + " fields";
    if (comma != words_.end()) {
      return refuse(comma->place,
                    message,
                    "separate values by spaces or tabs, and write points for "
                    "decimal commas");
    }
    return refuse(first.place,
                  message,
                  "a value is missing or too many, or a text with spaces has no quotes");
  }
  if (table_.sets.size() == kMaxTableSets) {
    return refuse(first.place, "the table has more than 20,000 sets of values");
  }
  table_.sets.push_back(words_);
  return true;
}

bool CgatsParser::check_count(std::string_view keyword, size_t found, std::string_view what) {
  const Word* said = table_.keyword(keyword);
  if (said == nullptr) return true;
  const std::optional<double> number = number_of(said->text);
  if (number && *number == static_cast<double>(found)) return true;
  return refuse(said->place,
                std::string(keyword) + " says " + in_quotes(said->text) + ", and the table has " +
                    std::to_string(found) + " " + std::string(what),
                "the file is cut, or was changed by hand; export it again");
}

/// Refuses a keyword with two values if it is read here. Other programs repeat some of the others.
bool CgatsParser::check_keywords() {
  static constexpr std::array<std::string_view, 8> kRead = {
      "NUMBER_OF_", "PRESS", "PAPER", "CURVES", "INK", "SCREEN", "DPI", "DEVICE_CLASS"};
  const auto is_read = [](std::string_view name) {
    return std::ranges::any_of(
        kRead, [&](std::string_view one) { return is_same_name(name.substr(0, one.size()), one); });
  };
  for (const CgatsKeyword& keyword : table_.keywords) {
    if (!is_read(keyword.name.text)) continue;
    const Word* first = table_.keyword(keyword.name.text);
    if (first->text == keyword.value.text) continue;
    return refuse(keyword.name.place,
                  std::string(keyword.name.text) + " is " + in_quotes(keyword.value.text) +
                      " here, and " + in_quotes(first->text) + " in line " +
                      std::to_string(first->place.line),
                  "keep only the one that is meant");
  }
  return true;
}

bool CgatsParser::end_data() {
  if (table_.sets.empty()) return refuse(begin_, "the table has no values");
  if (!check_keywords()) return false;
  if (!check_count("NUMBER_OF_FIELDS", table_.fields.size(), "fields")) return false;
  if (!check_count("NUMBER_OF_SETS", table_.sets.size(), "sets of values")) return false;
  tables_.push_back(std::move(table_));
  table_ = {};
  part_ = Part::kHeader;
  is_done_ = tables_.size() == most_;
  if (tables_.size() > kMaxTables) return refuse(begin_, "the file has more than 16 tables");
  return true;
}

bool CgatsParser::check_end() {
  if (part_ != Part::kHeader) {
    const std::string_view what = part_ == Part::kData ? "END_DATA" : "END_DATA_FORMAT";
    return refuse(
        begin_,
        "the file ends inside the part that begins here: " + std::string(what) + " is missing",
        "the file is cut; export it again");
  }
  if (tables_.empty()) {
    return refuse(
        {}, "the file has no values: there is no BEGIN_DATA", "the file is cut; export it again");
  }
  return true;
}

manifests::Checked<std::vector<CgatsTable>> CgatsParser::parse() {
  bool good = true;
  for (uint32_t number = 1; good && !is_done_ && number <= source_.line_count(); ++number) {
    good = cut(number) && (words_.empty() || read_line());
  }
  if (good && (is_done_ || check_end())) return std::move(tables_);
  return std::vector{*std::move(wrong_)};
}

/// As its byte order mark says.
bool is_utf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

void append_utf8(char32_t c, std::string& text) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) {
    text += static_cast<char>(c);
  } else if (c < 0x800) {
    text += static_cast<char>(0xC0 | (c >> 6));
    tail(0);
  } else if (c < 0x10000) {
    text += static_cast<char>(0xE0 | (c >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | (c >> 18));
    tail(12), tail(6), tail(0);
  }
}

/// Without the byte order mark; nothing when half of a character is missing.
std::optional<std::string> utf8_of_utf16(std::string_view text) {
  const bool is_big = text.starts_with("\xFE\xFF");
  const auto unit = [&](size_t i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const auto second = static_cast<unsigned char>(text[i + 1]);
    return static_cast<char32_t>(is_big ? first << 8 | second : second << 8 | first);
  };
  if (text.size() % 2 != 0) return std::nullopt;
  std::string utf8;
  for (size_t i = 2; i < text.size(); i += 2) {
    const char32_t c = unit(i);
    if (c < 0xD800 || c > 0xDFFF) {
      append_utf8(c, utf8);
      continue;
    }
    const char32_t low = c < 0xDC00 && i + 2 < text.size() ? unit(i + 2) : 0;
    if (low < 0xDC00 || low > 0xDFFF) return std::nullopt;
    append_utf8(0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00), utf8);
    i += 2;
  }
  return utf8;
}

}  // namespace

const Word* CgatsTable::keyword(std::string_view name) const {
  const auto found = std::ranges::find_if(
      keywords, [&](const CgatsKeyword& one) { return is_same_name(one.name.text, name); });
  return found == keywords.end() ? nullptr : &found->value;
}

std::optional<size_t> CgatsTable::field(std::string_view name) const {
  const auto found =
      std::ranges::find_if(fields, [&](const Word& one) { return is_same_name(one.text, name); });
  if (found == fields.end()) return std::nullopt;
  return static_cast<size_t>(found - fields.begin());
}

SourceText table_source(const std::string& file, std::string text) {
  if (is_utf16(text)) text = utf8_of_utf16(text).value_or(text);
  if (text.find('\n') == std::string::npos) std::ranges::replace(text, '\r', '\n');
  return {file, text};
}

std::optional<Diagnostic> check_table_bytes(const SourceText& source) {
  const std::string& text = source.text();
  if (text.size() > kMaxTableBytes) {
    return source.diagnostic({},
                             "the file is larger than 4 MiB, the limit for measurements",
                             "take out spectra, or all but the patches of the wedge");
  }
  if (is_utf16(text)) {
    return source.diagnostic(
        {}, "the file is UTF-16 and damaged", "save it as UTF-8 or plain text");
  }
  if (source.line_count() > kMaxTableLines) {
    return source.diagnostic({}, "the file has more than 100,000 lines");
  }
  for (uint32_t number = 1; number <= source.line_count(); ++number) {
    const std::string_view line = source.line(number);
    const auto wrong = std::ranges::find_if(line, [](char c) {
      const auto byte = static_cast<unsigned char>(c);
      return (byte < 0x20 && c != '\t') || byte == 0x7F;
    });
    if (wrong == line.end()) continue;
    return source.diagnostic({number, static_cast<uint32_t>(wrong - line.begin() + 1)},
                             "a control character is not allowed here: the file is no plain text",
                             "export the measurement as CGATS or CSV");
  }
  return std::nullopt;
}

bool is_cgats(const SourceText& source) {
  for (uint32_t number = 1; number <= source.line_count(); ++number) {
    std::string_view line = source.line(number);
    while (!line.empty() && is_space(line.front())) line.remove_prefix(1);
    const std::string_view word = line.substr(0, line.find_first_of(" \t"));
    if (is_same_name(word, "BEGIN_DATA") || is_same_name(word, "BEGIN_DATA_FORMAT")) return true;
  }
  return false;
}

manifests::Checked<std::vector<CgatsTable>> parse_cgats(const SourceText& source, size_t most) {
  return CgatsParser(source, most).parse();
}

std::optional<double> number_of(std::string_view text) {
  constexpr double kLargest = 1e9;
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(std::abs(value) <= kLargest)) return std::nullopt;
  return value;
}

Diagnostic no_number(const SourceText& source, const Word& word, std::string_view field) {
  const bool has_comma = word.text.find(',') != std::string_view::npos &&
                         word.text.find_first_not_of("+-0123456789,") == std::string_view::npos;
  return source.diagnostic(word.place,
                           std::string(field) + " must be a number, found " + in_quotes(word.text),
                           has_comma ? "write a point for the decimal comma; the program that "
                                       "exports it has a setting for that"
                                     : "");
}

bool is_same_name(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace mezzo::curve
