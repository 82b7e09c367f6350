#include "manifests/kinds/plain_text.h"

#include <algorithm>
#include <iterator>

#include "manifests/scalars.h"

namespace mezzo::manifests {

bool reads_as_boolean(std::string_view text) {
  constexpr std::string_view kBooleans[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
  return std::ranges::find(kBooleans, text) != std::end(kBooleans);
}

SettingValue read_plain_text(Reading& reading, const YamlNode& node, const Field& field) {
  if (node.text.empty()) return reading.refused(node.place, field, "must not be empty");
  if (!node.is_quoted && (reads_as_number(node.text) || reads_as_boolean(node.text))) {
    const std::string what = reads_as_boolean(node.text) ? "the boolean " : "the number ";
    return reading.refused(node.place,
                           field,
                           "must be a text, found " + what + in_quotes(node.text),
                           "put it in quotes when that is its name");
  }
  return node.text;
}

}  // namespace mezzo::manifests
