#include "tools/words/tables.h"

#include <cctype>
#include <string>

#include "kernels/registry.h"
#include "manifests/parameters.h"

namespace mezzo::words {
namespace {

/// A summary as a sentence; "px" and the like keep their letters.
std::string sentence(std::string_view text) {
  std::string begun(text);
  const auto letter = static_cast<unsigned char>(begun.front());
  if (begun.find(' ') > 2) begun.front() = static_cast<char>(std::toupper(letter));
  return begun + ".";
}

std::string in_code(std::string_view word) {
  return "`" + std::string(word) + "`";
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
