#include "manifests/kinds/kind.h"

#include <algorithm>
#include <vector>

#include "kernels/base/error.h"

namespace mezzo::manifests {
namespace {

/// All kinds, in the order of their types.
std::vector<const Kind*> all_kinds() {
  std::vector<const Kind*> kinds;
  for (const std::span<const Kind> family :
       {number_kinds(), word_kinds(), text_kinds(), ink_kinds(), list_kinds(), map_kinds()}) {
    for (const Kind& kind : family) kinds.push_back(&kind);
  }
  std::ranges::sort(kinds, {}, &Kind::type);
  for (size_t i = 0; i < kinds.size(); ++i) MZ_ASSERT(static_cast<size_t>(kinds[i]->type) == i);
  return kinds;
}

}  // namespace

const Kind& kind_of(FieldType type) {
  static const std::vector<const Kind*> kKinds = all_kinds();
  return *kKinds.at(static_cast<size_t>(type));
}

const Kind& kind_of(const Field& field) {
  return kind_of(field.type);
}

std::string expected(const Field& field) {
  const Kind& kind = kind_of(field);
  return kind.rule_of == nullptr ? std::string(kind.rule) : kind.rule_of(field);
}

}  // namespace mezzo::manifests
