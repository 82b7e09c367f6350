#include "manifests/kinds/reading.h"

#include <algorithm>
#include <iterator>

#include "manifests/kinds/kind.h"

namespace mezzo::manifests {

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::kNull:
      return "nothing";
    case YamlNode::Kind::kList:
      return "a list";
    case YamlNode::Kind::kMap:
      return "a map";
    case YamlNode::Kind::kText:
      return (node.is_quoted ? "the text " : "") + in_quotes(node.text);
  }
  return {};
}

void Reading::complain(Place place, std::string message, std::string hint) {
  diagnostics_.push_back(source_.diagnostic(place, std::move(message), std::move(hint)));
}

void Reading::add(std::vector<Diagnostic> mistakes) {
  std::ranges::move(mistakes, std::back_inserter(diagnostics_));
}

void Reading::complain_kind(const YamlNode& node,
                            std::string_view name,
                            const std::string& expectation,
                            const std::string& hint) {
  if (node.is_refused) return;
  std::string advice = hint;
  if (node.kind == YamlNode::Kind::kNull) advice = "write a value, or leave it out";
  complain(node.place,
           "'" + std::string(name) + "' must be " + expectation + ", found " + describe(node),
           advice);
}

Place Reading::place_inside(const YamlNode& text, size_t offset) const {
  const std::string_view written = source_.at(text.place);
  const size_t begin = text.is_quoted ? 1 : 0;
  if (written.size() < begin || !written.substr(begin).starts_with(text.text)) return text.place;
  return {text.place.line, text.place.column + static_cast<uint32_t>(begin + offset)};
}

SettingValue Reading::refused(Place place,
                              const Field& field,
                              const std::string& problem,
                              const std::string& hint) {
  complain(place, "'" + std::string(field.name) + "' " + problem, hint);
  return {};
}

SettingValue Reading::unless(const std::optional<TemplateProblem>& problem,
                             const YamlNode& node,
                             const Field& field) {
  if (!problem) return node.text;
  return refused(place_inside(node, problem->offset), field, problem->problem, problem->hint);
}

SettingValue Reading::unexpected(const YamlNode& node,
                                 const Field& field,
                                 const std::string& hint) {
  return refused(
      node.place, field, "must be " + expected(field) + ", found " + describe(node), hint);
}

}  // namespace mezzo::manifests
