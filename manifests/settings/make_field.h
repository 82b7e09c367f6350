// Fields of settings, a line each.
#pragma once

#include <string_view>
#include <vector>

#include "manifests/fields.h"
#include "stages/tiff/compression.h"

namespace mezzo::manifests {

using NamesOf = std::vector<std::string_view> (*)();

constexpr Field make_field(FieldType type,
                           unsigned scopes,
                           std::string_view name,
                           std::string_view summary) {
  return {.name = name, .scopes = scopes, .type = type, .summary = summary};
}

constexpr Field ranged(FieldType type,
                       unsigned scopes,
                       std::string_view name,
                       double minimum,
                       double maximum,
                       std::string_view summary) {
  Field field = make_field(type, scopes, name, summary);
  field.minimum = minimum;
  field.maximum = maximum;
  return field;
}

constexpr Field whole(unsigned scopes,
                      std::string_view name,
                      double minimum,
                      double maximum,
                      std::string_view summary) {
  return ranged(FieldType::kInteger, scopes, name, minimum, maximum, summary);
}

constexpr Field number(unsigned scopes,
                       std::string_view name,
                       double minimum,
                       double maximum,
                       std::string_view summary) {
  return ranged(FieldType::kNumber, scopes, name, minimum, maximum, summary);
}

constexpr Field percent(unsigned scopes,
                        std::string_view name,
                        double minimum,
                        double maximum,
                        std::string_view summary) {
  return ranged(FieldType::kPercent, scopes, name, minimum, maximum, summary);
}

/// A length; minimum and maximum are micrometres.
constexpr Field length(unsigned scopes,
                       std::string_view name,
                       double minimum,
                       double maximum,
                       std::string_view summary) {
  return ranged(FieldType::kLength, scopes, name, minimum, maximum, summary);
}

constexpr Field yes_or_no(unsigned scopes, std::string_view name, std::string_view summary) {
  return make_field(FieldType::kBoolean, scopes, name, summary);
}

constexpr Field one_of(unsigned scopes,
                       std::string_view name,
                       NamesOf choices,
                       std::string_view summary,
                       NamesOf meanings = nullptr) {
  Field field = make_field(FieldType::kChoice, scopes, name, summary);
  field.choices = choices;
  field.meanings = meanings;
  return field;
}

constexpr Field some_of(unsigned scopes,
                        std::string_view name,
                        NamesOf choices,
                        std::string_view summary) {
  Field field = one_of(scopes, name, choices, summary);
  field.type = FieldType::kChoices;
  return field;
}

constexpr Field file(unsigned scopes, std::string_view name, std::string_view summary) {
  return make_field(FieldType::kFile, scopes, name, summary);
}

/// Of a file beside the plates.
constexpr Field file_template(unsigned scopes,
                              std::string_view name,
                              NamesOf suffixes,
                              std::string_view summary) {
  Field field = make_field(FieldType::kFileTemplate, scopes, name, summary);
  field.choices = suffixes;
  return field;
}

constexpr Field map_of(Scope inside,
                       unsigned scopes,
                       std::string_view name,
                       std::string_view summary) {
  Field field = make_field(FieldType::kMap, scopes, name, summary);
  field.inside = inside;
  return field;
}

constexpr Field map_or_none(Scope inside,
                            unsigned scopes,
                            std::string_view name,
                            std::string_view summary) {
  Field field = map_of(inside, scopes, name, summary);
  field.or_none = true;
  return field;
}

constexpr Field required(Field field) {
  field.is_required = true;
  return field;
}

template <typename Infos>
std::vector<std::string_view> names_of(const Infos& infos) {
  std::vector<std::string_view> names;
  for (const auto& info : infos) names.push_back(info.name);
  return names;
}

template <typename Infos>
std::vector<std::string_view> summaries_of(const Infos& infos) {
  std::vector<std::string_view> summaries;
  for (const auto& info : infos) summaries.push_back(info.summary);
  return summaries;
}

/// Of plates, and what each of them is.
inline std::vector<std::string_view> compression_names() {
  return names_of(tiff::compressions());
}
inline std::vector<std::string_view> compression_summaries() {
  return summaries_of(tiff::compressions());
}

}  // namespace mezzo::manifests
