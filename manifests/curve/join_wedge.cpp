#include "manifests/curve/join_wedge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "kernels/prepress/ink_key.h"
#include "manifests/fields.h"

namespace mezzo::curve {
namespace {

using manifests::in_quotes;

/// The nominal values of a patch by ink, without inks that it does not have.
std::map<std::string, double> tones_of(const Measurement& measurement, const Patch& patch) {
  std::map<std::string, double> tones;
  for (size_t i = 0; i < patch.nominal.size(); ++i) {
    if (patch.nominal[i] != 0) tones[prepress::ink_key(measurement.inks[i])] = patch.nominal[i];
  }
  return tones;
}

bool is_same_tone(const std::map<std::string, double>& a, const std::map<std::string, double>& b) {
  constexpr double kRounding = 0.51;  // some instruments give whole percentages back
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
    return one.first == other.first && std::abs(one.second - other.second) < kRounding;
  });
}

class Joiner {
 public:
  Joiner(const Measurement& wedge, const Measurement& measurement)
      : wedge_(wedge), measured_(measurement) {
    for (const Patch& patch : wedge.patches) by_id_.emplace(patch.id, &patch);
  }

  /// Null with a mistake.
  const Patch* printed(const Patch& patch);
  void check_wedge();
  void check_complete();
  void compare_facts();
  std::vector<Diagnostic> wrong;

 private:
  void compare(std::string_view what, const std::string& wedge, const std::string& measured);

  const Measurement& wedge_;
  const Measurement& measured_;
  std::map<std::string, const Patch*> by_id_;
  std::map<std::string, uint32_t> lines_;  // of the patches that were read, by their SAMPLE_ID
  std::optional<std::pair<const Patch*, uint32_t>> twice_;  // the first, and the line of the other
};

const Patch* Joiner::printed(const Patch& patch) {
  const auto refuse = [&](std::string message, std::string hint) {
    wrong.push_back(measured_.source->diagnostic(patch.place, std::move(message), std::move(hint)));
    return nullptr;
  };
  if (patch.id.empty()) {
    return refuse("the patch has no SAMPLE_ID, which is what the wedge knows it by",
                  "export the measurement with SAMPLE_ID, or leave out --wedge");
  }
  const auto [first, is_new] = lines_.emplace(patch.id, patch.place.line);
  if (!is_new && !twice_) twice_ = {&patch, first->second};
  const auto found = by_id_.find(patch.id);
  if (found == by_id_.end()) {
    return refuse("the wedge has no patch " + in_quotes(patch.id),
                  "is " + in_quotes(wedge_.source->file()) + " the wedge that was measured?");
  }
  const Patch& wanted = *found->second;
  if (!patch.nominal.empty() &&
      !is_same_tone(tones_of(measured_, patch), tones_of(wedge_, wanted))) {
    return refuse(
        "patch " + in_quotes(patch.id) + " was printed with another tone, as the wedge says",
        "is " + in_quotes(wedge_.source->file()) + " the wedge that was measured?");
  }
  return &wanted;
}

void Joiner::compare(std::string_view what, const std::string& wedge, const std::string& measured) {
  if (wedge.empty() || measured.empty() || wedge == measured) return;
  wrong.push_back(measured_.source->diagnostic(
      {},
      "the measurement is of " + std::string(what) + " " + in_quotes(measured) +
          ", and the wedge is of " + in_quotes(wedge),
      "is " + in_quotes(wedge_.source->file()) + " the wedge that was measured?"));
}

void Joiner::check_wedge() {
  for (const Patch& patch : wedge_.patches) {
    if (by_id_.at(patch.id) == &patch) continue;
    wrong.push_back(wedge_.source->diagnostic(
        patch.place, "the wedge has patch " + in_quotes(patch.id) + " twice"));
    return;
  }
}

/// A patch may be read twice, but not while another is missing.
void Joiner::check_complete() {
  if (!twice_ || lines_.size() == by_id_.size()) return;
  wrong.push_back(measured_.source->diagnostic(
      twice_->first->place,
      "patch " + in_quotes(twice_->first->id) + " is there twice, first in line " +
          std::to_string(twice_->second) + ", and another is missing",
      "the instrument read a patch twice in place of its neighbour; measure the wedge again"));
}

void Joiner::compare_facts() {
  const WedgeFacts& wedge = wedge_.facts;
  const WedgeFacts& measured = measured_.facts;
  compare("press", wedge.press, measured.press);
  compare("paper", wedge.paper, measured.paper);
  compare("curves", wedge.curves, measured.curves);
  if (wedge.dpi && measured.dpi) {
    compare(
        "resolution", manifests::plain_number(*wedge.dpi), manifests::plain_number(*measured.dpi));
  }
  for (size_t i = 0; i < measured.inks.size(); ++i) {
    const auto same = std::ranges::find_if(wedge.inks, [&](const std::string& ink) {
      return prepress::is_same_ink(ink, measured.inks[i]);
    });
    if (same != wedge.inks.end()) {
      compare("screen",
              wedge.screens[static_cast<size_t>(same - wedge.inks.begin())],
              measured.screens[i]);
    } else if (!wedge.inks.empty()) {
      compare("ink", wedge.inks.front(), measured.inks[i]);
    }
  }
}

}  // namespace

std::vector<Diagnostic> join_wedge(const Measurement& wedge, Measurement& measurement) {
  constexpr size_t kEnough = 5;  // mistakes of one kind
  Joiner joiner(wedge, measurement);
  joiner.check_wedge();
  joiner.compare_facts();
  std::vector<const Patch*> printed_patches;
  for (const Patch& patch : measurement.patches) {
    printed_patches.push_back(joiner.printed(patch));
    if (joiner.wrong.size() >= kEnough) break;
  }
  joiner.check_complete();
  if (!joiner.wrong.empty()) return std::move(joiner.wrong);
  for (size_t i = 0; i < printed_patches.size(); ++i) {
    measurement.patches[i].nominal = printed_patches[i]->nominal;
    measurement.patches[i].ink = printed_patches[i]->ink;
  }
  measurement.inks = wedge.inks;
  measurement.facts = wedge.facts;
  return {};
}

}  // namespace mezzo::curve
