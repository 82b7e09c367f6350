// What the tables of the program say of methods and keys, as texts.
#pragma once

#include <span>

#include "kernels/method_info.h"
#include "manifests/key_sections.h"
#include "tools/words/document.h"

namespace mezzo::words {

/// A row for each method.
Document methods_table();

/// The method, and its parameters.
Document parameters_of(const MethodInfo& method);

/// A part for each map, and a row for each of its keys.
Document keys_of(std::span<const manifests::KeySection> sections);

}  // namespace mezzo::words
