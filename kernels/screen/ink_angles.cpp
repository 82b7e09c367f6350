#include "kernels/screen/ink_angles.h"

#include <algorithm>
#include <utility>

#include "kernels/prepress/ink_key.h"

namespace mezzo::screen {
namespace {

/// The ink that another one hardly meets on paper, and has the angle of.
struct Partners {
  std::string_view ink, of;
};
constexpr Partners kPartners[] = {{"orange", "cyan"},
                                  {"red", "cyan"},
                                  {"green", "magenta"},
                                  {"blue", "yellow"},
                                  {"violet", "yellow"}};

}  // namespace

double usual_angle(std::string_view ink) {
  constexpr std::pair<std::string_view, double> kProcess[] = {
      {"cyan", 15}, {"magenta", 75}, {"yellow", 0}};
  for (const auto& [name, angle] : kProcess) {
    if (prepress::is_same_ink(ink, name) || may_share_angle(ink, name)) return angle;
  }
  return 45;
}

bool may_share_angle(std::string_view a, std::string_view b) {
  return std::ranges::any_of(kPartners, [&](const Partners& pair) {
    const auto is_pair = [&](std::string_view one, std::string_view other) {
      return prepress::is_same_ink(one, pair.ink) && prepress::is_same_ink(other, pair.of);
    };
    return is_pair(a, b) || is_pair(b, a);
  });
}

}  // namespace mezzo::screen
