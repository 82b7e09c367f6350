// What the JSON Schemas of several kinds are made of.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "manifests/fields.h"

namespace mezzo::manifests::schema {

using Json = nlohmann::ordered_json;

inline constexpr const char* kWholePattern = "(0|[1-9][0-9]*)";
inline constexpr const char* kNumberPattern = "(0|[1-9][0-9]*)(\\.[0-9]+)?";

/// A bound without a fraction where it has none, as people write it.
Json number(double value);

Json range(const char* type, double minimum, double maximum);

/// A text by a pattern. `rule` is what an editor says of one that is not.
Json pattern(const std::string& text, const std::string& rule);

/// A text of a line that is not empty.
Json text();

/// Either of two kinds of scalars. The keywords of one say nothing of the other, so they stand side
/// by side: of an `anyOf`, an editor may show the mistake of the wrong branch.
Json either(Json one, const Json& other);

Json any_of(const Json& one, const Json& other);
Json list_of(const Json& items);

Json percent(double minimum, double maximum, const std::string& rule);

/// The name of a map of fields below `#/definitions`.
std::string definition_name(const Field& field);

/// Reference to the map with the fields of the scope.
Json definition(Scope scope);

}  // namespace mezzo::manifests::schema
