// Attacks by paths: what a manifest may name, and what may stand, or come to stand, under a name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/faults/attack_scene.h"

namespace mezzo::test {

enum class AttackOutcome {
  kRefused,   ///< the sheet fails
  kHarmless,  ///< it may as well succeed, inside its folders
};

struct Attack {
  std::string name;
  std::string input = "page.tif";  ///< from the job's folder; absolute: as it is
  std::string plate = "out.tif";   ///< from the plates' folder; likewise
  std::function<void(AttackScene&, Moments&)> prepare = [](AttackScene&, Moments&) {};
  AttackOutcome outcome = AttackOutcome::kRefused;
  /// A job that is not confined reaches outside: that the witnesses can see it is tested, too.
  bool reaches_outside = false;
};

/// `{outside}`, `{base}` and `{secret_fd}` in `input` and `plate` stand for a path or number of the
/// scene. Attacks that need a right that this process lacks (making devices) are left out.
std::vector<Attack> input_attacks();
std::vector<Attack> plate_attacks();
std::vector<Attack> swap_attacks();

}  // namespace mezzo::test
