#include "kernels/proof/usual_colours.h"

#include <algorithm>

#include "kernels/prepress/ink_key.h"

namespace mezzo::proof {
namespace {

struct Solid {
  std::string_view ink;
  Lab lab;
};
constexpr Solid kSolids[] = {{"cyan", {55, -37, -50}},
                             {"magenta", {48, 74, -3}},
                             {"yellow", {89, -5, 93}},
                             {"black", {16, 0, 0}}};

struct Pair {
  std::vector<std::string_view> inks;
  Lab lab;
};
const std::vector<Pair>& known_overprints() {
  static const std::vector<Pair> kKnown = {{{"magenta", "yellow"}, {47, 68, 48}},
                                           {{"cyan", "yellow"}, {50, -65, 27}},
                                           {{"cyan", "magenta"}, {24, 22, -46}},
                                           {{"cyan", "magenta", "yellow"}, {23, 0, 0}}};
  return kKnown;
}

}  // namespace

std::optional<Lab> usual_solid(std::string_view ink) {
  const std::string key = prepress::ink_key(ink);
  const auto found = std::ranges::find(kSolids, key, &Solid::ink);
  return found == std::end(kSolids) ? std::nullopt : std::optional(found->lab);
}

std::vector<Overprint> usual_overprints(std::span<const std::string> inks) {
  std::vector<Overprint> found;
  for (const Pair& known : known_overprints()) {
    Overprint overprint{0, known.lab};
    size_t there = 0;
    for (size_t k = 0; k < inks.size(); ++k) {
      const std::string key = prepress::ink_key(inks[k]);
      if (std::ranges::find(known.inks, key) == known.inks.end()) continue;
      overprint.inks |= 1U << k;
      ++there;
    }
    if (there == known.inks.size()) found.push_back(overprint);
  }
  return found;
}

}  // namespace mezzo::proof
