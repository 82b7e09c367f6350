// The values that only settings of hot folders have.
#include <algorithm>
#include <array>

#include "manifests/binder.h"
#include "manifests/path_template.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {
namespace {

/// What is wrong with a pattern of {page} and {ink}; nothing when it is good.
std::optional<TemplateProblem> check_ink_pattern(std::string_view text) {
  constexpr std::array<std::string_view, 2> kNames = {"page", "ink"};
  constexpr const char* kHint = "for example {page}_{ink}.tif";
  std::array<size_t, 2> count = {};
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/' || text[i] == '\\') {
      return TemplateProblem{i, "must be a file's name, without folders", kHint};
    }
    if (text[i] == '}') return TemplateProblem{i, "has a '}' without its '{'", kHint};
    if (text[i] != '{') continue;
    const size_t end = text.find_first_of("{}", i + 1);
    if (end == std::string_view::npos || text[end] == '{') {
      return TemplateProblem{i, "has a '{' without its '}'", kHint};
    }
    const std::string_view written = text.substr(i, end - i + 1);
    const auto name = std::ranges::find(kNames, written.substr(1, written.size() - 2));
    if (name == kNames.end()) {
      return TemplateProblem{
          i, "cannot hold " + in_quotes(written), "the names are {page} and {ink}"};
    }
    if (++count[static_cast<size_t>(name - kNames.begin())] > 1) {
      return TemplateProblem{i, "has " + std::string(written) + " twice", kHint};
    }
    if (text.substr(end + 1).starts_with('{')) {
      return TemplateProblem{end + 1, "needs something between {page} and {ink}", kHint};
    }
    i = end;
  }
  for (const size_t i : {0U, 1U}) {
    if (count[i] == 0) {
      return TemplateProblem{0, "must have {" + std::string(kNames[i]) + "} in it", kHint};
    }
  }
  if (text.starts_with('.')) {
    return TemplateProblem{0, "must not begin with a point: such files are ignored", kHint};
  }
  const std::string lower = lower_case(text);
  if (!lower.ends_with(".tif") && !lower.ends_with(".tiff")) {
    return TemplateProblem{0, "must end in .tif or .tiff, found " + in_quotes(text), kHint};
  }
  return std::nullopt;
}

}  // namespace

BoundValue Binder::duration(const YamlNode& node, const Field& field) {
  const auto parsed = parse_duration(node.text);
  if (!parsed.value) return refused(node, field, parsed.problem, parsed.hint);
  const auto milliseconds = static_cast<double>(parsed.value->count());
  if (milliseconds < field.minimum || milliseconds > field.maximum) {
    return unexpected(node, field, "");
  }
  return static_cast<uint64_t>(parsed.value->count());
}

BoundValue Binder::time_windows(const YamlNode& node, const Field& field) {
  const std::span<const YamlNode> parts =
      node.kind == YamlNode::Kind::kList ? std::span(node.items) : std::span(&node, 1);
  if (parts.empty() || parts.size() > kMaxTimeWindows) {
    return refused(node,
                   field,
                   "must have 1 to " + std::to_string(kMaxTimeWindows) + " spans, found " +
                       std::to_string(parts.size()),
                   parts.empty() ? "leave it out for all hours" : "");
  }
  std::vector<TimeWindow> windows;
  for (const YamlNode& part : parts) {
    if (part.is_refused) continue;
    if (part.kind != YamlNode::Kind::kText) {
      complain(part.place, "an entry of 'hours' must be a text, found " + describe(part));
      continue;
    }
    const auto parsed = parse_time_window(part.text);
    if (parsed.value) {
      windows.push_back(*parsed.value);
    } else {
      refused(part, field, parsed.problem, parsed.hint);
    }
  }
  return windows;
}

BoundValue Binder::inks(const YamlNode& node, const Field& field) {
  if (node.items.empty() || node.items.size() > kMaxInksOfASet) {
    return refused(node,
                   field,
                   "must have 1 to " + std::to_string(kMaxInksOfASet) + " names, found " +
                       std::to_string(node.items.size()),
                   "");
  }
  std::vector<std::string> names;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    if (item.kind != YamlNode::Kind::kText) {
      complain(item.place, "an entry of 'inks' must be a text, found " + describe(item));
    } else if (std::holds_alternative<std::string>(plain_text(item, field)) &&
               is_good_ink(item, names)) {
      names.push_back(item.text);
    }
  }
  return names;
}

bool Binder::is_good_ink(const YamlNode& node, const std::vector<std::string>& others) {
  const size_t odd = node.text.find_first_of("/\\{}");
  if (odd != std::string::npos) {
    complain(place_inside(node, odd),
             "the name of an ink cannot hold " + in_quotes(node.text.substr(odd, 1)),
             "it is a part of a file's name");
    return false;
  }
  for (const std::string& other : others) {
    if (lower_case(other) != lower_case(node.text)) continue;
    complain(
        node.place,
        "ink " + in_quotes(node.text) + " is there twice",
        other == node.text ? "" : "names that differ in capitals only are too easily confused");
    return false;
  }
  return true;
}

BoundValue Binder::ink_pattern(const YamlNode& node, const Field& field) {
  const auto problem = check_ink_pattern(node.text);
  if (!problem) return node.text;
  complain(place_inside(node, problem->offset),
           "'" + std::string(field.name) + "' " + problem->problem,
           problem->hint);
  return {};
}

}  // namespace mezzo::manifests
