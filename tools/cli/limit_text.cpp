#include "tools/cli/limit_text.h"

#include "manifests/set_text.h"

namespace mezzo::cli {

std::function<manifests::Parsed<uint64_t>(const std::string&)> limit_named(std::string_view key) {
  return [&field = *manifests::find_field(manifests::kInLimits, key)](const std::string& text) {
    auto read = manifests::read_value(field, text);
    return read.value
               ? manifests::Parsed<uint64_t>::good(std::get<uint64_t>(*read.value))
               : manifests::Parsed<uint64_t>::bad(std::move(read.problem), std::move(read.hint));
  };
}

}  // namespace mezzo::cli
