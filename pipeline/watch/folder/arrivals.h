// The entries of a hot folder, and for how long each has held still.
//
// A file is complete when it has held still for long enough (stillness.h). That time is our own
// monotonic one: times of files come from other machines' clocks, and are only compared for
// equality.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "manifests/folder.h"
#include "pipeline/steady_time.h"
#include "pipeline/watch/folder/job_record.h"
#include "pipeline/watch/folder/not_taken.h"
#include "pipeline/watch/folder/stillness.h"
#include "pipeline/watch/folder/ticket.h"
#include "pipeline/watch/machine/clock.h"
#include "stages/files/file_mark.h"
#include "stages/files/folder.h"

namespace mezzo::watch {

/// What keeps a file that has held still from being taken.
enum class HeldBy {
  kNothing,
  kWriter,  ///< somebody has it open for writing
  kJob,     ///< a job of its name is in work
};

struct Arrival {
  JobKind kind = JobKind::kPages;  ///< of the job that it begins, or is a page of
  files::FileStat stat;
  TreeStat tree;  ///< of a folder
  Stillness still;
  bool is_complete = false;
  HeldBy held_by = HeldBy::kNothing;  ///< when it was to be taken
  std::string problem;                ///< why it is refused; it goes to failed/ when it is complete
  Ticket ticket;
  bool is_unread = false;  ///< a ticket, for whose names there is no room: no page goes without it
  uint64_t look_number = 0;

  uint64_t bytes() const { return kind == JobKind::kFolder ? tree.bytes : stat.bytes; }
  int64_t modified_ns() const {
    return kind == JobKind::kFolder ? tree.modified_ns : stat.modified_ns;
  }
};

/// So that names straight from readdir(3) can be looked up.
struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};
using ArrivalMap = std::unordered_map<std::string, Arrival, NameHash, std::equal_to<>>;

class Arrivals {
 public:
  /// `clock` must outlive it.
  explicit Arrivals(const Clock& clock) : clock_(clock) {}

  /// What a look looks at. The caller keeps `names_kept` of the names that tickets had, of the
  /// kMaxTicketNames that may be kept together.
  struct Looking {
    int folder = -1;          ///< the hot folder, open
    const std::string& path;  ///< of the hot folder, for messages
    const manifests::FolderSettings& settings;
    SteadyTime now;
    size_t names_kept = 0;
  };

  /// Begins a look at everything in the folder, or continues it for about 100 ms. Throws Error: kIo; kLimit
  /// when there are more than kMaxEntries.
  void look(const Looking& looking);

  /// The look is to be continued: until then the entries are partly those of the one before.
  bool is_looking() const { return !left_.empty(); }

  /// The file must hold still once more before it is complete.
  void hold(const std::string& name, HeldBy why);

  /// Until the first whole look is over: a file that it finds with this mark was seen to change
  /// last at `changed`, by an earlier watcher.
  void recall(const std::string& name, const files::FileMark& mark, SteadyTime changed);

  /// Forgets all, as when the folder was replaced by another.
  void forget();

  const ArrivalMap& entries() const { return entries_; }
  const std::vector<FolderNote>& notes() const { return notes_; }
  const NotTaken& not_taken() const { return not_taken_; }

  /// When the first incomplete entry may be complete.
  std::optional<SteadyTime> next() const { return next_; }

 private:
  [[noreturn]] void refuse_to_look(const std::string& path);
  void look_at_name(const Looking& looking, const char* name);
  bool look_at_job_folder(const Looking& looking,
                          const std::string& name,
                          const files::FileStat& stat);
  void look_at_ticket(const Looking& looking, const std::string& name, Arrival& arrival);
  void observe(const Looking& looking, std::string_view name, Arrival& arrival, bool is_same);
  void recall_time_of(std::string_view name, Arrival& arrival) const;
  void leave(const Looking& looking, std::string_view name, const std::string& reason);
  void note(std::string_view name, std::string text);

  struct Recalled {
    files::FileMark mark;
    SteadyTime changed;
  };

  const Clock& clock_;
  ArrivalMap entries_;
  std::map<std::string, Recalled, std::less<>> recalled_;
  std::vector<std::string> left_;  ///< names that the look has not come to
  std::vector<FolderNote> notes_;
  NotTaken not_taken_;
  std::optional<SteadyTime> next_;
  uint64_t look_number_ = 0;
  size_t ticket_names_ = 0;                ///< in the entries
  std::vector<std::string> plates_;        ///< folders of plates, by the settings of the look
  std::vector<std::string> usual_plates_;  ///< the same, for plates that are no longer asked for
};

inline constexpr size_t kMaxNotes = 200;
inline constexpr size_t kMaxEntries = 100'000;

/// As many as the folder may have pages. One more ticket is read as long as there are fewer.
inline constexpr size_t kMaxTicketNames = kMaxEntries;

}  // namespace mezzo::watch
