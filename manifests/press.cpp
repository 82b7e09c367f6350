#include "manifests/press.h"

#include <algorithm>

#include "kernels/prepress/ink_key.h"

namespace mezzo::manifests {

std::optional<size_t> Press::find(std::string_view ink) const {
  const auto is_it = [&](std::string_view other) { return prepress::is_same_ink(other, ink); };
  const auto found = std::ranges::find_if(inks, [&](const PressInk& one) {
    return is_it(one.ink) || std::ranges::any_of(one.names, is_it);
  });
  if (found == inks.end()) return std::nullopt;
  return static_cast<size_t>(found - inks.begin());
}

std::optional<size_t> Press::place_of(std::string_view ink) const {
  const std::optional<size_t> named = find(ink);
  return named ? named : find(kSpotInks);
}

}  // namespace mezzo::manifests
