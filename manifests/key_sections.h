// The lists of keys that people read: which maps a file has, in the order in which they are explained,
// and what a key is when it is left out. keys.md, help and the manual pages are made from these.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "manifests/fields.h"

namespace mezzo::manifests {

struct KeySection {
  Scope scope;
  std::string_view title;
};

std::span<const KeySection> sections_of_manifests();

/// Only those that manifests do not have.
std::span<const KeySection> sections_of_presses();
std::span<const KeySection> sections_of_folders();
std::span<const KeySection> sections_of_curves();

/// The value when the key is left out, as a file would say it; empty when there is none.
std::string_view default_text(const Field& field);
std::string default_text(const ParameterInfo& parameter);

/// The JSON Schema (draft-07) of curve files, from the table of fields.
std::string curve_schema();

}  // namespace mezzo::manifests
