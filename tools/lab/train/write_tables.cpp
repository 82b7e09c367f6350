#include "tools/lab/train/write_tables.h"

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
  std::string text =
      head(file, "//") + "// level, weights of corner, four, three and two, thresholds, spread\n";
  for (size_t level = 0; level < rows.size(); ++level) {
    const pinwheel::Level& row = rows[level];
    text += fmt::format("{},", level);
    for (const auto& kind : row.weights) text += fmt::format("{},", fmt::join(kind, ","));
    text += fmt::format("{},{},\n", fmt::join(row.thresholds, ","), row.spread);
  }
  write(file, ".inc", text);
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
