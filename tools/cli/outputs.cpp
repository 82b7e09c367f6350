#include "tools/cli/outputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "kernels/base/error.h"
#include "stages/tiff/plate/software_tag.h"

namespace mezzo::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kHeadBytes = 4096;

/// What files of the program have near their beginning.
constexpr std::array<std::string_view, 8> kMarks = {
    std::string_view("tEXtSoftware\0mezzotint", 22),  // PNG
    "\n%mezzotint\n",                                 // PDF
    "<!-- mezzotint -->",                             // SVG
    "name=\"generator\" content=\"mezzotint",         // HTML
    "/mezzotint-thresholds",                          // PostScript
    "ORIGINATOR \"mezzotint",                         // CGATS
    "mezzotint colour table\n",
    "# Made by mezzotint",  // YAML
};

std::string head_of(const std::string& path) {
  std::string head(kHeadBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return head;
}

bool is_tiff(std::string_view head) {
  constexpr std::array<std::string_view, 4> kStarts = {std::string_view("II*\0", 4),
                                                       std::string_view("MM\0*", 4),
                                                       std::string_view("II+\0", 4),
                                                       std::string_view("MM\0+", 4)};
  return std::ranges::any_of(kStarts, [&](auto start) { return head.starts_with(start); });
}

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::kUsage, message);
}

}  // namespace

bool is_own_file(const std::string& path) {
  const std::string head = head_of(path);
  if (is_tiff(head)) {
    const std::string software = tiff::software_of(path);
    return software == "mezzotint" || software.starts_with("mezzotint ");
  }
  return std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return head.find(mark) != std::string::npos; });
}

void refuse_to_replace(const std::string& path,
                       const std::vector<std::string>& inputs,
                       bool force) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return;
  for (const std::string& input : inputs) {
    if (!fs::equivalent(path, input, error) || error) continue;
    refuse(path + ": the command reads this file, and would replace it; give another name");
  }
  if (fs::is_directory(status)) refuse(path + ": this is a folder; give the name of a file");
  if (!fs::is_regular_file(status)) refuse(path + ": this is no regular file; give another name");
  if (force || is_own_file(path)) return;
  refuse(path +
         ": this file was not written by mezzotint, and would be replaced; give another name, or "
         "replace it with --force");
}

void refuse_other_kind(const std::string& path, const std::vector<std::string>& suffixes) {
  constexpr std::array<std::string_view, 15> kKinds = {"tif",
                                                       "tiff",
                                                       "png",
                                                       "pdf",
                                                       "html",
                                                       "htm",
                                                       "svg",
                                                       "ps",
                                                       "json",
                                                       "yaml",
                                                       "yml",
                                                       "txt",
                                                       "jpg",
                                                       "jpeg",
                                                       "csv"};
  std::string suffix = fs::path(path).extension().string();
  std::ranges::transform(suffix, suffix.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  });
  if (suffix.empty() || suffixes.empty()) return;
  suffix.erase(0, 1);
  if (std::ranges::count(kKinds, suffix) == 0 || std::ranges::count(suffixes, suffix) > 0) return;
  refuse(path + ": the name of this file must end in ." + suffixes.front() + ", not ." + suffix);
}

void refuse_same(const std::string& path, const std::vector<std::string>& outputs) {
  const auto plain = [](const std::string& name) {
    std::error_code error;
    return fs::weakly_canonical(name, error);
  };
  for (const std::string& other : outputs) {
    if (plain(other) != plain(path)) continue;
    refuse(path + ": this would be the name of two files; give each another one");
  }
}

}  // namespace mezzo::cli
