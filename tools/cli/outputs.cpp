#include "tools/cli/outputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "kernels/base/error.h"
#include "stages/tiff/plate/file_origin.h"

namespace mezzo::cli {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& message) {
  throw Error(ErrorKind::kUsage, message);
}

}  // namespace

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
  const tiff::FileOrigin origin = tiff::origin_of_file(path);
  if (force || tiff::may_replace(origin, tiff::FileOrigin::kOther)) return;
  throw tiff::replaced_error(path, origin, "replace it with --force");
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
