// Splits a page into bands that fit into its memory while it runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/halftoner_traits.h"
#include "stages/files/file_system.h"
#include "stages/page_info.h"
#include "stages/tiff/verify_level.h"

namespace mezzo {
class Halftoner;
}  // namespace mezzo
namespace mezzo::together {
class InksHalftoner;
}

namespace mezzo::plan {

struct BandPlan {
  uint32_t rows = 0;          ///< of a band; the last of a page may have fewer
  uint32_t in_flight = 0;     ///< bands of a page that exist at one time
  uint64_t memory_bytes = 0;  ///< the most that the page holds while it runs
  uint64_t reader_bytes = 0;  ///< the part of it for the reader, for TiffFile::open_page()
};

/// The differences of a plan from the manifest.
struct PlanOptions {
  uint32_t band_rows = 0;  ///< 0: as the budget and the file suggest; a method's own come first
  std::optional<tiff::VerifyLevel> verify = {};  ///< of all plates; none: as their settings say
  files::FileSystem* files = &files::FileSystem::real();  ///< of plan and run; must outlive both
  std::string hot_folder = {};                            ///< that the job comes from; empty: none
  std::string freeze_folder = {};  ///< tables of colour are made and written here; empty: as usual
  bool any_inks =
      false;  ///< its settings of inks are for pages of all kinds: no warning of unused ones
};

/// The needs of a page's reader beside the caller's bands.
struct ReaderNeeds {
  uint32_t row_quantum = 0;     ///< PageReader::row_quantum()
  uint64_t working_bytes = 0;   ///< with all threads of the plan, but for those of the rows
  uint64_t bytes_a_row = 0;     ///< of a band
  uint64_t open_bytes = 0;      ///< for TiffFile::open_page()
  uint64_t linework_bytes = 0;  ///< for each file of its line work
};

/// The halftoners of a page's planes.
class PageHalftoners {
 public:
  /// One for all planes.
  PageHalftoners(const Halftoner& all)  // NOLINT(google-explicit-constructor): most pages have one
      : planes_{&all} {}
  /// One a plane; at least one.
  explicit PageHalftoners(std::vector<const Halftoner*> planes) : planes_(std::move(planes)) {}
  /// None yet.
  PageHalftoners() = default;

  void add(const Halftoner& of_plane) { planes_.push_back(&of_plane); }
  /// That of several inks together.
  void add(const together::InksHalftoner& halftoner, uint32_t inks) {
    groups_.push_back({&halftoner, inks});
  }

  /// The bands that suit all of them. Those that need bands of their own need the same.
  HalftonerTraits traits() const;
  uint64_t working_bytes(uint32_t width_px, uint32_t band_rows, size_t planes) const;

 private:
  struct Group {
    const together::InksHalftoner* halftoner;
    uint32_t inks;
  };

  std::vector<const Halftoner*> planes_;
  std::vector<Group> groups_;
};

/// Bands of a page that `threads` work on, within `budget_bytes`, which is for all but the
/// working_bytes of its reader; nothing when not even the smallest fit.
std::optional<BandPlan> plan_bands(const PageInfo& info,
                                   const ReaderNeeds& reader,
                                   const PageHalftoners& halftoners,
                                   uint32_t threads,
                                   uint64_t budget_bytes,
                                   const PlanOptions& options = {});

/// The smallest budget in which plan_bands() finds bands.
uint64_t least_page_memory(const PageInfo& info,
                           const ReaderNeeds& reader,
                           const PageHalftoners& halftoners);

}  // namespace mezzo::plan
