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

void write_mask(const TableFile& file, const Mask& mask) {
  std::string values, csv = head(file, "#");
  for (size_t i = 0; i < mask.size(); ++i) {
    values += fmt::format("{}{},", i % 12 == 0 ? "\n    " : " ", mask[i]);
    csv += fmt::format("{}{}", mask[i], i % 64 == 63 ? "\n" : ",");
  }
  write(file, ".csv", csv);
  write(
      file,
      ".cpp",
      source(file,
             "kernels/pinwheel/tables/tables.h",
             "mezzo::pinwheel",
             fmt::format("constexpr std::array<uint16_t, 64 * 64> kMask = {{{{{}\n}}}};\n", values),
             fmt::format("const std::array<uint16_t, 64 * 64>& {}() {{\n  return kMask;\n}}\n",
                         file.name)));
}

void write_pinwheel(const TableFile& file, const pinwheel::ToneRows& rows) {
  std::string text, csv = head(file, "#");
  csv +=
      "level,four_ahead,four_side,four_ahead_side,four_behind_side,corner_straight_1,"
      "corner_straight_2,corner_flank_1,corner_flank_2,three_ahead,three_side,three_ahead_side,"
      "three_behind_side,two_ahead,two_side,two_ahead_side,two_behind_side,"
      "lower,lower_at_corner,lower_at_turn,upper,upper_at_corner,upper_at_turn\n";
  for (size_t level = 0; level < rows.size(); ++level) {
    const pinwheel::Level& row = rows[level];
    std::string weights;
    csv += fmt::format("{}", level);
    for (const auto& kind : row.weights) {
      weights += fmt::format("{}{{{}}}", weights.empty() ? "" : ", ", fmt::join(kind, ", "));
      csv += fmt::format(",{}", fmt::join(kind, ","));
    }
    csv += fmt::format(",{},{}\n", fmt::join(row.lower, ","), fmt::join(row.upper, ","));
    text += fmt::format("    {{{{{{{}}}}},\n     {{{}}}, {{{}}}}},\n",
                        weights,
                        fmt::join(row.lower, ", "),
                        fmt::join(row.upper, ", "));
  }
  write(file, ".csv", csv);
  write(file,
        ".cpp",
        source(file,
               "kernels/pinwheel/tables/tables.h",
               "mezzo::pinwheel",
               "constexpr ToneRows kRows = {{  // four, corner, three, two, lower, upper\n" + text +
                   "}};\nconstexpr ToneTable kTable = mirrored_table(kRows);\n",
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
