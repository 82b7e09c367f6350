#include "tools/train/write_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <stdexcept>

namespace mezzo::train {
namespace {

void write(const TableFile& file, const std::string& ending, const std::string& text) {
  const std::filesystem::path path = file.folder / (file.name + ending);
  std::ofstream out(path);
  out << text;
  out.close();
  if (!out) throw std::runtime_error("cannot write " + path.string());
}

std::string head(const TableFile& file, const std::string& comment) {
  return fmt::format("{0} Made by `{1}`.\n{0} {2}\n", comment, file.made_by, file.remark);
}

/// A C++ file of one function that returns `expression` of the rows.
std::string source(const TableFile& file,
                   const std::string& include,
                   const std::string& name_space,
                   const std::string& constants,
                   const std::string& function) {
  return head(file, "//") +
         fmt::format(
             "\n#include \"{}\"\n\nnamespace {} {{\nnamespace {{\n\n// clang-format off\n{}"
             "// clang-format on\n\n}}  // namespace\n\n{}\n}}  // namespace {}\n",
             include,
             name_space,
             constants,
             function,
             name_space);
}

std::string form_table(const std::string& name, const std::vector<int32_t>& values) {
  std::string lines;
  for (size_t i = 0; i < values.size(); ++i) {
    lines += fmt::format("{}{},", i % 12 == 0 ? "\n    " : " ", values[i]);
  }
  return fmt::format(
      "inline constexpr std::array<int32_t, {}> {} = {{{}\n}};\n", values.size(), name, lines);
}

}  // namespace

void write_pinwheel(const TableFile& file, const pinwheel::ToneRows& rows) {
  std::string text, csv = head(file, "#");
  csv +=
      "level,corner_straight_1,corner_straight_2,corner_flank_1,corner_flank_2,four_ahead,"
      "four_side,four_ahead_side,four_behind_side,three_ahead,three_side,three_ahead_side,"
      "three_behind_side,two_ahead,two_side,two_ahead_side,two_behind_side,spread";
  for (int c = 0; c < pinwheel::kThresholdClasses; ++c) csv += fmt::format(",threshold_{}", c);
  csv += "\n";
  for (size_t level = 0; level < rows.size(); ++level) {
    const pinwheel::Level& row = rows[level];
    std::string weights, thresholds;
    csv += fmt::format("{}", level);
    for (const auto& kind : row.weights) {
      weights += fmt::format("{}{{{}}}", weights.empty() ? "" : ", ", fmt::join(kind, ", "));
      csv += fmt::format(",{}", fmt::join(kind, ","));
    }
    for (size_t c = 0; c < row.thresholds.size(); ++c) {
      thresholds += fmt::format("{}{}",
                                c == 0        ? ""
                                : c % 16 == 0 ? ",\n      "
                                              : ", ",
                                row.thresholds[c]);
    }
    csv += fmt::format(",{},{}\n", row.spread, fmt::join(row.thresholds, ","));
    text += fmt::format(
        "    {{{{{{{}}}}},\n     {{{}}},\n     {}}},\n", weights, thresholds, row.spread);
  }
  write(file, ".csv", csv);
  write(file,
        ".cpp",
        source(file,
               "kernels/pinwheel/tables/tables.h",
               "mezzo::pinwheel",
               "constexpr ToneRows kRows = {{  // corner, four, three, two, thresholds, spread\n" +
                   text + "}};\nconstexpr ToneTable kTable = mirrored_table(kRows);\n",
               fmt::format("const ToneTable& {}() {{\n  return kTable;\n}}\n", file.name)));
}

void write_raster(const TableFile& file, const diffusion::ToneRows& rows) {
  std::string text, csv = head(file, "#") + "level,right,down_left,down,lower,upper\n";
  for (size_t level = 0; level < rows.size(); ++level) {
    const diffusion::ToneEntry& e = rows[level];
    const std::array numbers = {e.right, e.down_left, e.down, e.lower, e.upper};
    text += fmt::format("{}{{{}}},", level % 3 == 0 ? "\n    " : " ", fmt::join(numbers, ", "));
    csv += fmt::format("{},{}\n", level, fmt::join(numbers, ","));
  }
  write(file, ".csv", csv);
  write(file,
        ".cpp",
        source(file,
               "kernels/diffusion/rules/tables/tone_table.h",
               "mezzo::diffusion",
               "constexpr ToneRows kRows = {{  // right, down-left, down, lower, upper" + text +
                   "\n}};\nconstexpr ToneTable kTable = mirrored_table(kRows);\n",
               fmt::format("const ToneEntry* {}() {{\n  return kTable.data();\n}}\n", file.name)));
}

void write_form(const TableFile& file, const FormTables& tables) {
  const std::string lines = form_table("kEye", tables.eye) + form_table("kNear", tables.near) +
                            form_table("kMiddle", tables.middle) + form_table("kFar", tables.far) +
                            form_table("kBlur", tables.blur) + form_table("kDot", tables.dot);
  write(
      file,
      ".h",
      head(file, "//") + fmt::format("#pragma once\n\n#include <array>\n#include <cstdint>\n\n"
                                     "namespace mezzo::search::form {{\n\n// clang-format off\n{}"
                                     "// clang-format on\n\n}}  // namespace mezzo::search::form\n",
                                     lines));
}

}  // namespace mezzo::train
