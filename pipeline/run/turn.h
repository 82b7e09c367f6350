// Work of a thread beside the pages of others.
#pragma once

#include "kernels/band/team.h"

namespace mezzo::run {

/// Runs `work(team)` for a thread of its own beside those of the team; a team of one thread has its turn
/// for it, after the pages that it works on.
template <typename Work>
void work_in_turn(Team& team, const Work& work) {
  if (team.size() > 1) return work(team);
  SoloTeam solo;
  team.run([&] { work(solo); });
}

}  // namespace mezzo::run
