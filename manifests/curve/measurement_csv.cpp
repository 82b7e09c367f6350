#include "manifests/curve/measurement_csv.h"

#include <algorithm>

#include "manifests/fields.h"

namespace mezzo::curve {
namespace {

using manifests::in_quotes;
using manifests::SourceText;

struct ValueColumn {
  std::string_view name;
  CsvValues values;
  bool is_gain = false;  ///< tone value increase: the area without the nominal one
};
constexpr ValueColumn kValueColumns[] = {
    {"area", CsvValues::kArea},
    {"dot_area", CsvValues::kArea},
    {"tvi", CsvValues::kArea, true},
    {"dot_gain", CsvValues::kArea, true},
    {"density", CsvValues::kDensity},
    {"reflectance", CsvValues::kReflectance},
    {"Y", CsvValues::kReflectance},
    {"L", CsvValues::kLightness},
    {"lightness", CsvValues::kLightness},
    {"value", CsvValues::kUnknown},
};
constexpr std::string_view kHead = "the first line must name the columns: ink,nominal,density";

class CsvReader {
 public:
  CsvReader(const ReadOptions& options, Measurement& into)
      : options_(options), into_(into), source_(*into.source) {}

  std::optional<Diagnostic> read();

 private:
  std::vector<Word> cut(uint32_t number) const;
  std::optional<double> number_in(const Word& cell) const;
  std::optional<Diagnostic> check_name(const std::vector<Word>& cells, size_t i) const;
  std::optional<Diagnostic> check_quotes(const std::vector<Word>& cells) const;
  std::optional<Diagnostic> read_head(uint32_t number);
  std::optional<Diagnostic> choose_values(const Word& word, const ValueColumn& column);
  std::optional<Diagnostic> read_row(uint32_t number);
  std::optional<Diagnostic> read_value(const Word& word, Patch& patch) const;

  const ReadOptions& options_;
  Measurement& into_;
  const SourceText& source_;
  char separator_ = ',';
  bool is_gain_ = false;
  size_t columns_ = 0;
  std::optional<size_t> ink_, nominal_, value_, id_;
  CsvValues values_ = CsvValues::kUnknown;
};

/// The cells of a line, without spaces and quotes around them.
std::vector<Word> CsvReader::cut(uint32_t number) const {
  const std::string_view line = source_.line(number);
  std::vector<Word> cells;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find(separator_, begin), line.size());
    std::string_view cell = manifests::trimmed(line.substr(begin, end - begin));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"') {
      cell = cell.substr(1, cell.size() - 2);
    }
    cells.push_back({cell, {number, static_cast<uint32_t>(begin + 1)}});
    begin = end + 1;
  }
  return cells;
}

/// Refuses quotes inside cells. Lines are split at separators first, so a quoted separator splits its cell.
std::optional<Diagnostic> CsvReader::check_quotes(const std::vector<Word>& cells) const {
  for (const Word& cell : cells) {
    if (cell.text.find('"') == std::string_view::npos) continue;
    return source_.diagnostic(cell.place,
                              "a quote is not around all of a cell, but in " + in_quotes(cell.text),
                              "write names without quotes and separators in them");
  }
  return std::nullopt;
}

/// Where a comma does not separate cells, it may be that of decimals.
std::optional<double> CsvReader::number_in(const Word& cell) const {
  std::string text(cell.text);
  const bool has_comma = separator_ != ',' && std::ranges::count(text, ',') == 1 &&
                         text.find('.') == std::string::npos;
  if (has_comma) std::ranges::replace(text, ',', '.');
  return number_of(text);
}

std::optional<Diagnostic> CsvReader::choose_values(const Word& word, const ValueColumn& column) {
  if (value_) {
    return source_.diagnostic(
        word.place, "two columns have measured values", "keep only the one that is meant");
  }
  is_gain_ = column.is_gain;
  values_ = column.values == CsvValues::kUnknown ? options_.values : column.values;
  if (values_ != CsvValues::kUnknown) return std::nullopt;
  return source_.diagnostic(
      word.place,
      "nothing says what the values are",
      "call the column area, density, reflectance, Y or L, or say it with --values");
}

/// Refuses a column whose name an earlier one has.
std::optional<Diagnostic> CsvReader::check_name(const std::vector<Word>& cells, size_t i) const {
  const auto is_it = [&](const Word& other) { return is_same_name(other.text, cells[i].text); };
  const auto end = cells.begin() + static_cast<std::ptrdiff_t>(i);
  if (std::none_of(cells.begin(), end, is_it)) return std::nullopt;
  return source_.diagnostic(cells[i].place,
                            "column " + in_quotes(cells[i].text) + " is there twice",
                            "keep only the one that is meant");
}

std::optional<Diagnostic> CsvReader::read_head(uint32_t number) {
  const std::string_view line = source_.line(number);
  for (const char separator : {';', '\t'}) {
    if (line.find(separator) != std::string_view::npos) separator_ = separator;
  }
  const std::vector<Word> cells = cut(number);
  columns_ = cells.size();
  for (size_t i = 0; i < cells.size(); ++i) {
    const Word& cell = cells[i];
    if (auto wrong = check_name(cells, i)) return wrong;
    const auto is = [&](std::string_view name) { return is_same_name(cell.text, name); };
    const auto* const column =
        std::ranges::find_if(kValueColumns, [&](const ValueColumn& one) { return is(one.name); });
    const bool is_id = is("id") || is("SAMPLE_ID") || is("SampleID") || is("SAMPLE_NAME");
    std::optional<size_t>* const place = is("ink")       ? &ink_
                                         : is("nominal") ? &nominal_
                                         : is_id         ? &id_
                                                         : nullptr;
    if (place != nullptr) {
      *place = i;
    } else if (column != std::end(kValueColumns)) {
      if (auto wrong = choose_values(cell, *column)) return wrong;
      value_ = i;
    } else {
      return source_.diagnostic(cell.place,
                                "the file is no CGATS, and as a table it has a column " +
                                    in_quotes(cell.text) + ", which is not known",
                                std::string(kHead));
    }
  }
  if (value_ && ((id_ && !is_gain_) || (ink_ && nominal_))) return std::nullopt;
  return source_.diagnostic({number, 1},
                            "a column is missing: " + std::string(!value_ ? "of values"
                                                                  : !ink_ ? "ink"
                                                                          : "nominal"),
                            std::string(kHead));
}

std::optional<Diagnostic> CsvReader::read_value(const Word& word, Patch& patch) const {
  const std::optional<double> value = number_in(word);
  if (!value) return no_number(source_, word, "the value");
  const double most = values_ == CsvValues::kDensity ? 10 : 200;
  if (*value < -most / 10 || *value > most) {
    const std::string name(kCsvValues[static_cast<size_t>(values_) - 1]);
    return source_.diagnostic(word.place,
                              in_quotes(word.text) + " is no " + name + ": values are at most " +
                                  manifests::plain_number(most),
                              "is the column named rightly?");
  }
  switch (values_) {
    case CsvValues::kArea:
      patch.area = is_gain_ ? patch.nominal[*patch.ink] + *value : *value;
      break;
    case CsvValues::kDensity:
      patch.densities = {value, value, value, value};
      break;
    case CsvValues::kLightness:
      patch.bright = value_of_lightness(*value, kWhite[1]);
      break;
    default:
      patch.bright = value;
  }
  return std::nullopt;
}

std::optional<Diagnostic> CsvReader::read_row(uint32_t number) {
  const std::vector<Word> cells = cut(number);
  if (cells.size() == 1 && cells.front().text.empty()) return std::nullopt;
  if (auto wrong = check_quotes(cells)) return wrong;
  if (cells.size() != columns_) {
    return source_.diagnostic(
        {number, 1},
        "the line has " + std::to_string(cells.size()) + " values, and the first has " +
            std::to_string(columns_) + " columns",
        cells.size() > columns_ && separator_ == ',' ? "write points for decimal commas" : "");
  }
  if (into_.patches.size() == kMaxTableSets) {
    return source_.diagnostic({number, 1}, "the table has more than 20,000 lines of values");
  }
  Patch patch{.place = {number, 1}};
  if (id_) patch.id = cells[*id_].text;
  if (ink_ && nominal_) {
    const Word& name = cells[*ink_];
    if (name.text.empty() || !is_clean_text(name.text)) {
      return source_.diagnostic(name.place, "'ink' must be the name of an ink");
    }
    const std::optional<double> nominal = number_in(cells[*nominal_]);
    if (!nominal) return no_number(source_, cells[*nominal_], "'nominal'");
    if (*nominal < 0 || *nominal > 100) {
      return source_.diagnostic(
          cells[*nominal_].place,
          "'nominal' must be from 0 to 100, found " + in_quotes(cells[*nominal_].text));
    }
    const size_t ink = ink_index(into_.inks, name.text);
    if (ink == kMaxMeasuredInks) {
      return source_.diagnostic(name.place, "the table has more than 16 inks");
    }
    patch.ink = ink;
    patch.nominal.assign(kMaxMeasuredInks, 0.0);
    patch.nominal[ink] = *nominal;
  }
  if (auto wrong = read_value(cells[*value_], patch)) return wrong;
  into_.patches.push_back(std::move(patch));
  return std::nullopt;
}

std::optional<Diagnostic> CsvReader::read() {
  uint32_t number = 1;
  while (number <= source_.line_count() && manifests::trimmed(source_.line(number)).empty())
    ++number;
  if (number > source_.line_count()) {
    return source_.diagnostic({}, "the file has no text", "export the measurement again");
  }
  if (auto wrong = read_head(number)) return wrong;
  into_.is_by_ink = true;
  while (++number <= source_.line_count()) {
    if (auto wrong = read_row(number)) return wrong;
  }
  if (!into_.patches.empty()) return std::nullopt;
  return source_.diagnostic({}, "the table has no values", "export the measurement again");
}

}  // namespace

std::optional<Diagnostic> read_csv(const ReadOptions& options, Measurement& into) {
  return CsvReader(options, into).read();
}

}  // namespace mezzo::curve
