#include "tools/lab/bench/record.h"

#include <fmt/format.h>

#include <cmath>

#include "kernels/base/error.h"
#include "manifests/json/value.h"

namespace mezzo::bench {
namespace {

struct ToJson {
  json::Value operator()(std::monostate) const { return nullptr; }
  template <typename T>
  json::Value operator()(const T& value) const {
    return value;
  }
};

struct ToCsv {
  std::string operator()(std::monostate) const { return {}; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const {
    return std::isfinite(value) ? fmt::format("{:.6g}", value) : "";
  }
  std::string operator()(const std::string& value) const { return value; }
};

struct ToText {
  int digits;
  std::string operator()(double value) const {
    return std::isnan(value) ? "-" : fmt::format("{:.{}f}", value, digits);
  }
  template <typename T>
  std::string operator()(const T& value) const {
    return ToCsv()(value);
  }
};

void add_cell(std::string& row, const Column& column, const std::string& text) {
  row += column.width < 0 ? fmt::format("{:<{}}", text, -column.width)
                          : fmt::format("{:>{}}", text, column.width);
}

/// Two spaces before the first column, and none behind the last; empty without columns.
template <typename Fields, typename Text>
std::string table_line(const Fields& fields, const Text& text_of) {
  std::string row = "  ";
  for (const auto& field : fields) {
    if (field.column) add_cell(row, *field.column, text_of(field));
  }
  row.erase(row.find_last_not_of(' ') + 1);
  return row;
}

std::ofstream create(const std::string& path) {
  std::ofstream file(path, std::ios::trunc);
  if (!file) throw Error(ErrorKind::kCannotCreate, path + ": cannot be created");
  return file;
}

void require_written(const std::ofstream& file, const std::string& path) {
  if (!file) throw Error(ErrorKind::kIo, path + ": cannot be written to");
}

}  // namespace

std::string Record::json() const {
  json::Value object = {{"v", 1}, {"type", type_}};
  for (const Field& field : fields_) {
    const bool is_missing = field.may_miss && field.value.index() == 0;
    if (field.name.empty() || is_missing) continue;
    object[field.name] = std::visit(ToJson(), field.value);
  }
  return json::to_text(object);
}

void Record::without_row() {
  for (Field& field : fields_) field.column.reset();
}

std::string Record::heading() const {
  return table_line(fields_, [](const Field& field) { return field.column->heading; });
}

std::string Record::row() const {
  return table_line(fields_, [](const Field& field) {
    return std::visit(ToText{field.column->digits}, field.value);
  });
}

std::string Record::csv_header() const {
  std::string row;
  for (const Field& field : fields_) {
    if (!field.name.empty()) row += (row.empty() ? "" : ",") + field.name;
  }
  return row;
}

std::string Record::csv_row() const {
  std::string row;
  for (const Field& field : fields_) {
    if (!field.name.empty()) row += std::visit(ToCsv(), field.value) + ",";
  }
  row.pop_back();
  return row;
}

CsvFile::CsvFile(const std::string& path) : path_(path) {
  if (!path.empty()) file_ = create(path);
}

void CsvFile::add(const Record& record) {
  if (path_.empty()) return;
  if (!has_header_) write(record.csv_header());
  has_header_ = true;
  write(record.csv_row());
}

void CsvFile::write(const std::string& line) {
  file_ << line << std::endl;
  require_written(file_, path_);
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream file = create(path);
  file << text;
  file.close();
  require_written(file, path);
}

}  // namespace mezzo::bench
