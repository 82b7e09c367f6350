// Assembles jobs from arrived files that are complete and belong together.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/watch/folder/arrivals.h"
#include "pipeline/watch/folder/job_record.h"

namespace mezzo::watch {

/// Files that cannot become a job, and where they are to be moved.
struct Removal {
  WorkEnd to = WorkEnd::kFailed;
  std::string name;
  std::vector<std::string> files;
  std::string reason;
  std::vector<std::string> missing{};  ///< names of pages that a ticket waited for
  bool can_retry = true;               ///< the files may become a job when they are dropped again
};

/// Complete files that wait for others.
struct WaitingSet {
  std::string name;
  std::string wanted;                ///< "magenta, black"
  std::vector<std::string> missing;  ///< the inks or files
  std::vector<std::string> files;    ///< that are there: names in the folder
  SteadyTime since;
  SteadyTime due;  ///< when they are incomplete
};

/// Pages that are not printed without the ticket that names them, as it had a mistake; and until
/// when they are held, after which they are pages like others.
struct HeldPage {
  std::string ticket;
  SteadyTime until;
};
using HeldPages = std::map<std::string, HeldPage>;

/// Every arrived file is waiting, removed or counted as arriving.
struct AssembledJobs {
  std::vector<WaitingJob> waiting;  ///< in the order of the settings
  std::vector<Removal> removals;
  size_t arriving = 0;             ///< files that are in neither yet
  std::vector<WaitingSet> sets;    ///< of the arriving files
  std::vector<FolderNote> notes;   ///< on files whose ink is in no set
  std::optional<SteadyTime> next;  ///< when the time of the first incomplete set is up
};

/// A file that fits the pattern of the sets belongs to a set, even when its ink is not one of theirs: as a
/// separate page it would become a black plate, and its set would be done without it. It holds up the set of its
/// page. Without such a set it waits by itself.
AssembledJobs assemble_jobs(const ArrivalMap& entries,
                            const HeldPages& held,
                            const manifests::FolderSettings& settings,
                            SteadyTime now);

}  // namespace mezzo::watch
