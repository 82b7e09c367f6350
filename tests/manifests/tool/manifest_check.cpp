// Prints what the parser makes of manifests, for tests that are not written in C++.
//
//   manifest_check --schema     the JSON Schema
//   manifest_check FILE...      "accepted FILE", or "refused FILE" and the diagnostics
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "manifests/job.h"

namespace {

void check_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto parsed = mezzo::parse_manifest(text, path);
  const auto* diagnostics = std::get_if<std::vector<mezzo::Diagnostic>>(&parsed);
  std::printf("%s %s\n", diagnostics == nullptr ? "accepted" : "refused", path.c_str());
  if (diagnostics == nullptr) return;
  for (const mezzo::Diagnostic& diagnostic : *diagnostics) {
    std::printf("%s\n", to_string(diagnostic).c_str());
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--schema") {
    std::fputs(mezzo::manifest_schema().c_str(), stdout);
    return 0;
  }
  for (int i = 1; i < argc; ++i) check_file(argv[i]);
  return argc > 1 ? 0 : 64;
}
