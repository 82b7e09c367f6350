// Values of fields that were not read from a manifest.
#pragma once

#include <string>

#include "manifests/fields.h"
#include "manifests/setting_value.h"

namespace mezzo::manifests {

/// The type of the values of such a field: an empty one. Nothing for maps and lists of pages.
SettingValue empty_value(FieldType type);

/// What is wrong with the value: it has another type, is out of range, is none of the choices, or a path with none of
/// the suffixes. "must be a whole number from 1 to 1000, found 0"; empty when it fits. Rules about several values
/// are not the field's.
std::string fault_of(const Field& field, const SettingValue& value);

}  // namespace mezzo::manifests
