// The JSON Schema of single values: of the fields of the table and of parameters of methods.
// Keywords of editors stand beside those of the standard, for what is shown while one types.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "kernels/method_info.h"
#include "manifests/fields.h"

namespace mezzo::manifests {

using SchemaJson = nlohmann::ordered_json;

/// The name of a map of fields below `#/definitions`.
std::string definition_name(const Field& field);

/// What a field may hold, with its title, meaning and default.
SchemaJson field_schema(const Field& field);

/// The same of a parameter; `meaning` stands for its summary.
SchemaJson parameter_schema(const ParameterInfo& parameter, std::string_view meaning);

}  // namespace mezzo::manifests
