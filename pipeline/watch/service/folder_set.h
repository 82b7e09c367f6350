// The hot folders of a watcher: when to look at each, and the jobs to take from them. A folder that is
// busy in its lane is left out until it is not.
#pragma once

#include <poll.h>

#include <chrono>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/service/folder_slot.h"

namespace mezzo::watch {

class FolderSet {
 public:
  /// `history` and `machine` must outlive this; `wake` wakes the main loop, from any thread.
  FolderSet(JobHistory& history, Machine& machine, std::function<void()> wake)
      : history_(history), machine_(machine), wake_(std::move(wake)) {}

  /// After that a busy folder counts as one whose disk does not answer: its workers, which hang with
  /// it, leave their places to others.
  static constexpr std::chrono::seconds kSilent{5};

  /// A folder that was added before is not added again. Without a folder.yaml it takes nothing when the
  /// history knows that it has had one, or when `needs_settings`. Throws Error(kUsage) for one that lies in
  /// another.
  void add(const std::string& path, bool needs_settings = false);

  /// Slots keep their addresses.
  std::list<FolderSlot>& slots() { return slots_; }
  const std::list<FolderSlot>& slots() const { return slots_; }

  /// Gives the folders what the history knows of their jobs, from before this watcher began.
  void recall_ended(const Moment& now);

  /// Finds out, and logs, which folders answer, and keeps the view of those that do. First in a turn.
  void begin_turn(const Moment& now);

  /// Looks at the folders whose time has come. Files that cannot become a job are entered in the
  /// history as failed jobs.
  void look(const Moment& now);

  /// Looks for pages that changed after their jobs have ended.
  void look_for_late_changes(const Moment& now);

  /// Enters the files that wait for others in the history, where it has others.
  void keep_arrived(const Moment& now);

  /// From time to time: passes on jobs whose watchers are gone, one a turn when a worker is free
  /// for it, and deletes files that are past their keep times. `take_orphan` is called in the lane of
  /// the folder, and must own what it uses, or outlive this.
  void maintain(const Moment& now,
                bool has_room,
                const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan);

  /// Whether there may be more jobs whose watchers are gone, in folders that answer.
  bool is_searching() const;
  bool is_cleaning_up() const;

  /// All folders are to be looked at, and their settings read.
  void hint_all();

  /// All folders were looked at once, but for those that do not answer.
  bool looked() const;

  /// Some folder is busy or cleaning up, so that this cannot be destroyed before its disk answers.
  bool is_held_up() const;

  void add_polls(const Moment& now, std::vector<pollfd>& polls) const;

  /// When there is something to do; when `only_answers`, in begin_turn() alone.
  std::optional<SteadyTime> next_time(const Moment& now, bool only_answers) const;

 private:
  void refuse_nested(const std::string& name) const;
  void recall_settings(HotFolder& disk, bool needs_settings);
  void keep_settings_known(FolderSlot& slot);
  void enter_refused(WatchedFolder& folder, const Moment& now);
  void give_entered(const Moment& now);
  void take_orphans(FolderSlot& slot,
                    const Moment& now,
                    const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan);
  bool is_of_another_folder(const ClaimedJob& job, const FolderSlot& slot) const;
  void search_work(const Moment& now,
                   bool has_room,
                   const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan);
  void begin_clean_up(const Moment& now);

  JobHistory& history_;
  Machine& machine_;
  const std::function<void()> wake_;
  FolderEvents events_;
  std::list<FolderSlot> slots_;
  SteadyTime orphans_due_{};
  bool took_orphan_ = false;     ///< in the last turn
  bool search_goes_on_ = false;  ///< for orphans, in the next turn
  SteadyTime clean_up_due_{};
  SteadyTime keep_due_{};  ///< keep_arrived()
  bool told_of_clock_ = false;
  const Moment begun_ = machine_.clock().now();
};

}  // namespace mezzo::watch
