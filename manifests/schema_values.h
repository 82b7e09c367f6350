// The JSON Schema of single values: of the fields of the table and of parameters of methods.
// Keywords of editors stand beside those of the standard, for what is shown while one types.
#pragma once

#include <string>
#include <string_view>

#include "kernels/method_info.h"
#include "manifests/fields.h"
#include "manifests/kinds/schema_parts.h"

namespace mezzo::manifests {

/// What a field may hold, with its title, meaning and default.
schema::Json field_schema(const Field& field);

/// The same of a parameter; `meaning` stands for its summary.
schema::Json parameter_schema(const ParameterInfo& parameter, std::string_view meaning);

}  // namespace mezzo::manifests
