// How long the workers of each hot folder have run, so that one whose jobs take long gets no more of
// them than the others, while these have jobs, too.
#pragma once

#include <functional>
#include <list>
#include <optional>

#include "pipeline/steady_time.h"
#include "pipeline/watch/service/folder_slot.h"

namespace mezzo::watch {

class FairShares {
 public:
  /// Adds the time since the last call, for the jobs that a slot has running. `is_active`: the slot
  /// has jobs that run, or could. The others save nothing up: they are level with the active ones.
  void account(std::list<FolderSlot>& slots,
               const std::function<bool(FolderSlot&)>& is_active,
               SteadyTime now);

  /// Its workers have run for longer than those of another active folder of at least its priority,
  /// by more than half a second.
  static bool is_ahead(const FolderSlot& slot);

 private:
  std::optional<SteadyTime> accounted_;
};

}  // namespace mezzo::watch
