#include "tools/words/tables.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "kernels/registry.h"
#include "manifests/kinds/kind.h"
#include "manifests/parameters.h"

namespace mezzo::words {
namespace {

std::string in_code(std::string_view word) {
  return "`" + std::string(word) + "`";
}

/// "apart: ..; together: .." with the values in code, as they are written.
std::string with_values_in_code(std::string_view text) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find("; ", begin), text.size() - 2) + 2;
    const std::string_view part = text.substr(begin, end - begin);
    const std::string_view word = part.substr(0, part.find(' '));
    const bool is_value = word.size() > 1 && word.ends_with(':') && word[0] != '`';
    result += is_value ? in_code(word.substr(0, word.size() - 1)) + ":" : std::string(word);
    result += part.substr(word.size());
    begin = end;
  }
  return result;
}

/// A summary as a sentence; values, "px" and the like keep their letters.
std::string sentence(std::string_view text) {
  std::string begun = with_values_in_code(text);
  const auto letter = static_cast<unsigned char>(begun.front());
  if (begun.find(' ') > 2) begun.front() = static_cast<char>(std::toupper(letter));
  return begun + ".";
}

Block row(std::string_view name,
          std::string_view summary,
          const std::string& values,
          std::string_view otherwise) {
  const std::string end = otherwise.empty()         ? ""
                          : otherwise == "required" ? "; required"
                                                    : "; default: " + in_code(otherwise);
  return {BlockKind::kRow, sentence(summary) + " Value: " + values + end + ".", in_code(name)};
}

}  // namespace

Document methods_table() {
  Document document;
  for (const MethodInfo& method : methods()) {
    document.push_back({BlockKind::kRow, std::string(method.summary), in_code(method.name)});
  }
  return document;
}

Document parameters_of(const MethodInfo& method) {
  Document document = {{BlockKind::kParagraph, sentence(method.summary)}};
  for (const ParameterInfo& parameter : method.parameters) {
    document.push_back(row(parameter.name,
                           parameter.summary,
                           manifests::expected(parameter),
                           manifests::default_text(parameter)));
  }
  return document;
}

Document keys_of(std::span<const manifests::KeySection> sections) {
  Document document;
  for (const manifests::KeySection& section : sections) {
    document.push_back({BlockKind::kSubheading, std::string(section.title)});
    for (const manifests::Field* field : manifests::fields_of(section.scope)) {
      document.push_back(row(field->name,
                             field->summary,
                             manifests::expected(*field),
                             field->is_required ? "required" : manifests::default_text(*field)));
    }
  }
  return document;
}

}  // namespace mezzo::words
