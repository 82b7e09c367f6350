#include "kernels/quality/colour/colour_metrics.h"

namespace mezzo::quality {
namespace {

using enum Better;

template <auto kMember>
double get(const ColourReport& report) {
  return report.*kMember;
}

/// In register, of the tiles that inks were moved in.
double in_register(const ColourReport& report) {
  return report.registers.empty() ? std::nan("") : report.registers.front().delta_e;
}

constexpr std::string_view kColour = kPrintGroups[0], kWhole = kPrintGroups[1];
constexpr std::string_view kOverlaps = kPrintGroups[2], kRegister = kPrintGroups[3];

// clang-format off
constexpr PrintMetric kMetrics[] = {
    {"delta_e", kColour, "colour error", "dE", kLower, 3,
     get<&ColourReport::delta_e>, 1, "CIELAB 1976, mean; 1 is just seen side by side"},
    {"delta_e_99", kColour, "colour error, 99 % below", "dE", kLower, 2,
     get<&ColourReport::delta_e_99>, 1, "only 1 % of the page is further off"},
    {"texture", kColour, "visible texture", "dE", kLower, 3,
     get<&ColourReport::texture>, 1, "the dots that remain visible, without slow changes"},
    {"grain_l", kColour, "grain, light and dark", "L*", kLower, 3,
     get<&ColourReport::grain_l>, 1, "graininess of L*, root mean square"},
    {"grain_c", kColour, "grain, colour", "a*b*", kLower, 3,
     get<&ColourReport::grain_c>, 1, "graininess of a* and b*: coloured mottle"},
    {"shift_l", kWhole, "lighter (+) or darker (-)", "L*", kNearZero, 3,
     [](const ColourReport& report) { return report.shift.l; }, 1, "mean over the page"},
    {"shift_a", kWhole, "redder (+) or greener (-)", "a*", kNearZero, 3,
     [](const ColourReport& report) { return report.shift.a; }, 1, "mean over the page"},
    {"shift_b", kWhole, "yellower (+) or bluer (-)", "b*", kNearZero, 3,
     [](const ColourReport& report) { return report.shift.b; }, 1, "mean over the page"},
    {"overlap", kOverlaps, "ink over ink", "%", kNeither, 1,
     get<&ColourReport::overlap>, 100, "100: as profiles take it (Demichel); more: dot on dot"},
    {"register_delta_e", kRegister, "colour error in register", "dE", kLower, 3,
     in_register, 1, "of the pieces that inks are moved in"},
    {"register_worst", kRegister, "at worst, inks 1 or 2 px off", "dE", kLower, 3,
     [](const ColourReport& report) { return report.worst_register(); }, 1,
     "each ink, and all but the darkest, moved to the right"},
};
// clang-format on

}  // namespace

std::span<const PrintMetric> print_metrics() {
  return kMetrics;
}

}  // namespace mezzo::quality
