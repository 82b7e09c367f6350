// Results of benchmarks for programs: lines of JSON and rows of CSV files.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

namespace mezzo::bench {

/// A column of a table for people.
struct Column {
  std::string heading;
  int width = 0;  ///< negative: aligned left
  int digits = 0;
};

/// One result: named values in order. The same is an object of JSON, a row of a CSV file and, those
/// values that have a column, a row of a table for people.
class Record {
 public:
  /// `type` is a member of the JSON object alone, like its version.
  explicit Record(std::string_view type) : type_(type) {}

  /// A number, a truth or a text. An empty optional is null, and empty in a table or CSV file.
  template <typename T>
  Record& add(std::string_view name, const T& value, const std::optional<Column>& column = {}) {
    fields_.push_back({std::string(name), value_of(value), column});
    return *this;
  }

  /// The same, but JSON leaves out empty values.
  template <typename T>
  Record& add_if(std::string_view name,
                 const std::optional<T>& value,
                 const std::optional<Column>& column = {}) {
    add(name, value, column);
    fields_.back().may_miss = true;
    return *this;
  }

  /// Only in the table.
  Record& show(const Column& column, const std::string& text) { return add("", text, column); }

  /// Nothing of it is in the table.
  void without_row();

  std::string heading() const;  ///< of the table
  std::string row() const;      ///< of the table; NaN is "-"
  std::string json() const;     ///< without the end of the line; NaN and infinity are null
  std::string csv_header() const;
  std::string csv_row() const;  ///< six digits of a real number

 private:
  using Value = std::variant<std::monostate, bool, uint64_t, double, std::string>;
  struct Field {
    std::string name;
    Value value;
    std::optional<Column> column;
    bool may_miss = false;
  };

  template <typename T>
  static Value value_of(const std::optional<T>& value) {
    return value ? value_of(*value) : Value();
  }
  template <typename T>
  static Value value_of(const T& value) {
    if constexpr (std::is_convertible_v<T, std::string_view>) {
      return std::string(std::string_view(value));
    } else if constexpr (std::is_same_v<T, bool> || std::is_floating_point_v<T>) {
      return value;
    } else {
      return uint64_t{value};
    }
  }

  std::string type_;
  std::vector<Field> fields_;
};

/// A row per record, each on disk when it is added, so that a long run that is stopped keeps its
/// results. The first record gives the names of the columns. Without a path, nothing is written.
/// Throws Error(kCannotCreate or kIo).
class CsvFile {
 public:
  explicit CsvFile(const std::string& path);
  void add(const Record& record);

 private:
  void write(const std::string& line);

  std::string path_;
  std::ofstream file_;
  bool has_header_ = false;
};

/// Throws Error(kCannotCreate or kIo).
void write_text(const std::string& path, const std::string& text);

}  // namespace mezzo::bench
