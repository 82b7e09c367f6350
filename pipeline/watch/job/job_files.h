// The files of a claimed job, as they were when it was begun. A result is one of these files only
// when they are still the same at its end, and nobody has one of them open for writing.
#pragma once

#include <optional>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/folder/stillness.h"
#include "pipeline/watch/folder/tree_stat.h"

namespace mezzo::watch {

class JobFiles {
 public:
  /// Both must outlive it.
  JobFiles(HotFolder& folder, const ClaimedJob& claim) : folder_(folder), claim_(claim) {}

  /// The job begins with the files as they are now.
  void begin() { state_ = state(marks_); }

  /// Of the files as begin() found them.
  const std::vector<files::FileMark>& marks() const { return marks_; }

  /// Of all of them, likewise.
  uint64_t bytes() const { return state_ ? state_->bytes : 0; }

  /// Whether they changed since begin(), or are being written. Files that cannot be looked at have
  /// not changed.
  bool have_changed() const;

  /// From now on they are to hold still, for as long as files that arrive in the folder.
  void wait_until_still() { still_ = Stillness(); }
  bool are_awaited() const { return still_.has_value(); }

  /// Looks at them once more. Once they have held still they are not awaited any longer; until then
  /// returns when to look next.
  SteadyTime look(SteadyTime now);

 private:
  std::optional<TreeStat> state(std::vector<files::FileMark>& marks) const;
  bool are_written() const;

  HotFolder& folder_;
  const ClaimedJob& claim_;
  std::optional<TreeStat> state_;
  std::vector<files::FileMark> marks_;
  std::optional<Stillness> still_;
};

}  // namespace mezzo::watch
