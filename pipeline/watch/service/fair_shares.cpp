#include "pipeline/watch/service/fair_shares.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace mezzo::watch {
namespace {

constexpr double kTurn = 0.5;  // seconds; most jobs are over by then
constexpr double kMostAhead =
    10;  // seconds: where it could not be helped, it is not held against it

}  // namespace

void FairShares::account(std::list<FolderSlot>& slots,
                         const std::function<bool(FolderSlot&)>& is_active,
                         SteadyTime now) {
  const SteadyTime before = accounted_.value_or(now);
  accounted_ = now;
  const double seconds = std::chrono::duration<double>(now - before).count();
  std::vector<const FolderSlot*> active;
  for (FolderSlot& slot : slots) {
    slot.worked += seconds * static_cast<double>(slot.running);
    if (is_active(slot)) active.push_back(&slot);
  }
  for (FolderSlot& slot : slots) {
    const bool is_idle = std::ranges::find(active, &slot) == active.end();
    std::optional<double> least;
    for (const FolderSlot* other : active) {
      const bool counts = other->priority >= slot.priority;
      if (is_idle || counts) least = std::min(least.value_or(other->worked), other->worked);
    }
    slot.worked_least = least.value_or(slot.worked);
  }
  for (FolderSlot& slot : slots) {
    slot.worked = std::clamp(slot.worked, slot.worked_least, slot.worked_least + kMostAhead);
  }
}

bool FairShares::is_ahead(const FolderSlot& slot) {
  return slot.worked > slot.worked_least + kTurn;
}

}  // namespace mezzo::watch
