#include "tests/fuzz/manifest_tokens.h"

#include <iterator>
#include <string>
#include <vector>

#include "kernels/registry.h"
#include "manifests/fields.h"

namespace mezzo::fuzz {
namespace {

constexpr std::string_view kValues[] = {"100%",
                                        "0%",
                                        "50%",
                                        "0.5",
                                        "2400",
                                        "1 GiB",
                                        "48 MiB",
                                        "3 mm",
                                        "0.125 mm",
                                        "2 s",
                                        "7 days",
                                        "true",
                                        "false",
                                        "none",
                                        "all",
                                        "a.tif",
                                        "*.tif",
                                        "b*.tif",
                                        "a.yaml",
                                        "sRGB",
                                        "press.yaml",
                                        "cyan",
                                        "magenta",
                                        "yellow",
                                        "black",
                                        "PANTONE 185 C",
                                        "K",
                                        "spot",
                                        "1-3, 7",
                                        "4096",
                                        "22:00-06:00",
                                        "Mon-Fri 18:30-24:00",
                                        "2026-11-20",
                                        "[[0%, 0%], [100%, 100%]]",
                                        "{stem}",
                                        "{page}",
                                        "{ink}",
                                        "{label}",
                                        "{n}",
                                        "{job}",
                                        "{date}",
                                        "{time}",
                                        "{id}",
                                        "{{",
                                        "}}",
                                        "\"{page}_{ink}.tif\"",
                                        "plates/{stem}_{ink}.tif",
                                        "../",
                                        "/etc/shadow",
                                        "linked/secret.tif",
                                        "sub/c.tif",
                                        "[a-",
                                        "*",
                                        "?",
                                        "\n%%%%\n",
                                        "&a ",
                                        "*a",
                                        "<<: ",
                                        "!!str ",
                                        "|\n",
                                        "'",
                                        "\"",
                                        "# ",
                                        "---\n",
                                        "...\n",
                                        "~",
                                        "- ",
                                        ": ",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        ", ",
                                        "\n  ",
                                        "\n    ",
                                        "end: true\n",
                                        "pages_total: 1\n",
                                        "mezzotint: 1\n",
                                        "mezzotint-press: 1\n",
                                        "mezzotint-curve: 1\n",
                                        "\\x1b",
                                        "\\u202e",
                                        "\xEF\xBB\xBF",
                                        "\xC3\xBC"};

std::vector<std::string> make_texts() {
  std::vector<std::string> texts(std::begin(kValues), std::end(kValues));
  for (const manifests::Field& field : manifests::fields()) {
    texts.push_back(std::string(field.name) + ": ");
    if (!field.default_json.empty()) texts.emplace_back(field.default_json);
    if (field.choices == nullptr) continue;
    for (const std::string_view choice : field.choices()) texts.emplace_back(choice);
  }
  for (const MethodInfo& method : methods()) texts.push_back("method: " + std::string(method.name));
  for (const std::string_view name : manifests::all_parameters())
    texts.push_back(std::string(name) + ": ");
  for (const std::string_view name : manifests::all_schedules()) texts.emplace_back(name);
  return texts;
}

}  // namespace

std::span<const std::string_view> manifest_tokens() {
  static const std::vector<std::string> texts = make_texts();
  static const std::vector<std::string_view> tokens(texts.begin(), texts.end());
  return tokens;
}

}  // namespace mezzo::fuzz
