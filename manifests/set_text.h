// A setting of pages by its key and a text, as command lines and programs give it.
#pragma once

#include <string>
#include <string_view>

#include "manifests/scalars.h"
#include "manifests/settings/setting.h"

namespace mezzo::manifests {

/// The setting of a key such as "crop.left" or "rotate"; null if there is none.
const SettingPlace* find_setting(std::string_view key);

/// The field of a setting, with its default.
const Field& field_of(const SettingPlace& setting);

/// Reads the value of a field as manifests do, with the same spellings, ranges and advice, but a text needs no
/// quotes. The problem ends a sentence that begins with the name of the setting: "must be ...". Lists have no
/// such text.
Parsed<SettingValue> read_value(const Field& field, const std::string& text);

/// Sets a value that fits the field. A map that is not there yet begins with its defaults.
void set_value(PageSettings& settings, const SettingPlace& setting, const SettingValue& value);

}  // namespace mezzo::manifests
