// Settings of the C functions by name and text, a row each: their values, ranges and messages are those of manifests.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "manifests/set_text.h"
#include "tools/library/guard.h"

namespace mezzo::library {

/// Sets the setting of that name; an empty text is its usual value. Returns whether there is one. Throws
/// Error(kUsage) for a value that does not fit.
template <typename Record>
bool set_row(std::span<const manifests::Setting<Record>> rows,
             Record& record,
             std::string_view name,
             const std::string& text) {
  for (const manifests::Setting<Record>& row : rows) {
    if (row.field.name != name) continue;
    row.in.set(record,
               text.empty() ? row.in.get(Record())
                            : value_of(name, manifests::read_value(row.field, text)));
    return true;
  }
  return false;
}

}  // namespace mezzo::library
