// Prints what the parser makes of manifests, for tests that are not written in C++.
//
//   manifest_check --schema              the JSON Schema
//   manifest_check --folder-schema       the one of folder.yaml
//   manifest_check --press-schema        the one of press files
//   manifest_check --curve-schema        the one of curve files
//   manifest_check --reference           the list of all keys, manifests/keys.md
//   manifest_check [--folder | --press | --curve] FILE...
//                                        "accepted FILE", or "refused FILE" and the diagnostics
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "manifests/curve/curve_file.h"
#include "manifests/folder.h"
#include "manifests/key_sections.h"
#include "manifests/press_file.h"
#include "tests/manifests/tool/reference.h"

namespace {

/// What is wrong with a text; nothing when it is good.
std::vector<mezzo::Diagnostic> mistakes(const std::string& text,
                                        const std::string& path,
                                        const std::string& kind) {
  const auto of = [](auto parsed) {
    auto* wrong = std::get_if<std::vector<mezzo::Diagnostic>>(&parsed);
    return wrong == nullptr ? std::vector<mezzo::Diagnostic>() : std::move(*wrong);
  };
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const auto presses = mezzo::manifests::press_files_from(folder);
  return kind == "--folder"  ? of(mezzo::manifests::parse_folder_settings(text, path, presses))
         : kind == "--press" ? of(mezzo::manifests::parse_press_file(text, path))
         : kind == "--curve" ? of(mezzo::curve::parse_curve_file(text, path))
                             : of(mezzo::manifests::parse_manifest(text, path, presses));
}

void check_file(const std::string& path, const std::string& kind) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto diagnostics = mistakes(text, path, kind);
  std::printf("%s %s\n", diagnostics.empty() ? "accepted" : "refused", path.c_str());
  for (const mezzo::Diagnostic& diagnostic : diagnostics) {
    std::printf("%s\n", to_string(diagnostic).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--schema") {
    std::fputs(mezzo::manifests::manifest_schema().c_str(), stdout);
    return 0;
  }
  if (argc == 2 && std::string(argv[1]) == "--folder-schema") {
    std::fputs(mezzo::manifests::folder_schema().c_str(), stdout);
    return 0;
  }
  if (argc == 2 && std::string(argv[1]) == "--press-schema") {
    std::fputs(mezzo::manifests::press_schema().c_str(), stdout);
    return 0;
  }
  if (argc == 2 && std::string(argv[1]) == "--curve-schema") {
    std::fputs(mezzo::manifests::curve_schema().c_str(), stdout);
    return 0;
  }
  if (argc == 2 && std::string(argv[1]) == "--reference") {
    std::fputs(mezzo::test::key_reference().c_str(), stdout);
    return 0;
  }
  const std::string first = argc > 1 ? argv[1] : "";
  const bool has_kind = first == "--folder" || first == "--press" || first == "--curve";
  for (int i = has_kind ? 2 : 1; i < argc; ++i) check_file(argv[i], has_kind ? first : "");
  return argc > 1 ? 0 : 64;
}
