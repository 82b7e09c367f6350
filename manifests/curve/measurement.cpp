#include "manifests/curve/measurement.h"

#include <algorithm>

#include "kernels/prepress/ink_key.h"

namespace mezzo::curve {

size_t ink_index(std::vector<std::string>& inks, std::string_view name) {
  const auto found = std::ranges::find_if(
      inks, [&](const std::string& ink) { return prepress::is_same_ink(ink, name); });
  const auto index = static_cast<size_t>(found - inks.begin());
  if (found == inks.end() && index < kMaxMeasuredInks) inks.emplace_back(name);
  return index;
}

}  // namespace mezzo::curve
