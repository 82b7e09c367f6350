// The values that only settings of hot folders have.
#include "kernels/prepress/ink_key.h"
#include "manifests/binder.h"
#include "manifests/scalars.h"

namespace mezzo::manifests {

SettingValue Binder::duration(const YamlNode& node, const Field& field) {
  const auto parsed = parse_duration(node.text);
  if (!parsed.value) return refused(node.place, field, parsed.problem, parsed.hint);
  const auto milliseconds = static_cast<double>(parsed.value->count());
  if (milliseconds < field.minimum || milliseconds > field.maximum) {
    return unexpected(node, field);
  }
  return static_cast<uint64_t>(parsed.value->count());
}

SettingValue Binder::time_windows(const YamlNode& node, const Field& field) {
  const std::span<const YamlNode> parts =
      node.kind == YamlNode::Kind::kList ? std::span(node.items) : std::span(&node, 1);
  if (parts.empty() || parts.size() > kMaxTimeWindows) {
    return refused(node.place,
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
      refused(part.place, field, parsed.problem, parsed.hint);
    }
  }
  return windows;
}

SettingValue Binder::inks(const YamlNode& node, const Field& field) {
  if (node.items.empty() || node.items.size() > kMaxInksOfASet) {
    return refused(node.place,
                   field,
                   "must have 1 to " + std::to_string(kMaxInksOfASet) + " names, found " +
                       std::to_string(node.items.size()));
  }
  std::vector<std::string> names;
  for (const YamlNode& item : node.items) {
    if (item.is_refused) continue;
    if (item.kind != YamlNode::Kind::kText) {
      complain(
          item.place,
          "an entry of '" + std::string(field.name) + "' must be a text, found " + describe(item));
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
    if (!prepress::is_same_ink(other, node.text)) continue;
    complain(node.place,
             "ink " + in_quotes(node.text) + " is there twice",
             other == node.text ? ""
             : lower_case(other) == lower_case(node.text)
                 ? "names that differ in capitals only are too easily confused"
                 : in_quotes(other) + " is the same ink");
    return false;
  }
  return true;
}

}  // namespace mezzo::manifests
