// Texts without a syntax of their own.
#pragma once

#include <string_view>

#include "manifests/kinds/reading.h"

namespace mezzo::manifests {

/// Whether it is true or false, as YAML may write them.
bool reads_as_boolean(std::string_view text);

/// Reads a text that is not empty, nor a number or a boolean without quotes, as Kind::read.
SettingValue read_plain_text(Reading& reading, const YamlNode& node, const Field& field);

}  // namespace mezzo::manifests
