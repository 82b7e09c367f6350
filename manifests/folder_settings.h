// The settings of a hot folder, which folder.h reads.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "manifests/time_window.h"

namespace mezzo::manifests {

struct PressFile;
using PressFilePtr = std::shared_ptr<const PressFile>;

/// The order in which waiting jobs begin.
enum class TakeOrder { kOldest, kNewest, kSmallest, kLargest, kName };

/// Separated files: each is an ink of a page, and they become one job when all have arrived.
struct SeparationSets {
  std::vector<std::string> inks;             ///< empty: every file is a job of its own
  std::string pattern = "{page}_{ink}.tif";  ///< names both, in any order
  std::chrono::milliseconds wait = std::chrono::minutes(15);  ///< then the set is incomplete
  bool operator==(const SeparationSets&) const = default;
};

struct FolderSettings {
  PageSettings defaults;  ///< of pages that come without a job.yaml, over those of the press
  std::string defaults_text = {};  ///< as they are written, for a manifest of the same press
  PressFilePtr press = nullptr;    ///< of all jobs of the folder
  JobLimits limits;                ///< of pages; a ticket or job.yaml gets no more than is named
  bool names_memory = false;       ///< limits.memory is not the default
  std::string plates = ".";        ///< folder that `output.path` starts from; from the hot folder

  // A file counts as complete when its size and times did not change over `looks` looks, `every`
  // apart, and it has not been modified for `age`.
  uint32_t looks = 2;
  std::chrono::milliseconds every = std::chrono::seconds(2);
  std::chrono::milliseconds age = std::chrono::seconds(3);

  bool poll = false;  ///< no inotify: look every `scan`
  std::chrono::milliseconds scan = std::chrono::seconds(10);
  TakeOrder order = TakeOrder::kOldest;
  uint32_t priority = 50;         ///< 0 .. 100, higher goes first, over all folders
  std::vector<TimeWindow> hours;  ///< local times in which jobs may begin; empty: always
  uint32_t throttle = 0;          ///< most jobs of this folder at once; 0: as many as workers
  uint32_t tries = 3;             ///< then a job that kills its worker is failed
  std::chrono::milliseconds stall = std::chrono::minutes(10);  ///< a worker without progress
  SeparationSets separations;
  bool needs_tickets = false;    ///< pages wait for a ticket that names them, as long as sets do
  bool replaces_others = false;  ///< plates of another page that have the names of new ones
  bool print_again = false;      ///< also files with the content of an earlier, finished job
  std::chrono::seconds keep_done = std::chrono::hours(24 * 7);     ///< 0: for ever
  std::chrono::seconds keep_failed = std::chrono::hours(24 * 30);  ///< likewise
  uint64_t reserve_bytes = 2ULL << 30;  ///< of the disk of the plates, left free
  bool operator==(const FolderSettings&) const = default;
};

}  // namespace mezzo::manifests
