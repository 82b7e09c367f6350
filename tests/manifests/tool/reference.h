// The list of all keys, manifests/keys.md, from the table of fields and the registry of methods.
#pragma once

#include <string>

namespace mezzo::test {

/// The whole file, in Markdown.
std::string key_reference();

}  // namespace mezzo::test
