// The conversion of pages to the inks of their press, from their settings and profiles.
//
// A page is converted where its settings name a profile of the press or a device link, and the colour
// that its samples mean is known; the rest of what is decided is in manifests/README.md. Tables are
// made once for all pages of a job that take the same, and kept in the user's cache.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "manifests/job.h"
#include "manifests/origins.h"
#include "stages/chain/colour_stage.h"
#include "stages/files/file_system.h"
#include "stages/icc/make_table.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::plan {

/// Whether the press file gave the page the setting `key` of colour; the files that it names may lie
/// anywhere.
bool is_of_press(const manifests::JobPage& page, const std::string& key);

class ColourTables {
 public:
  /// `files` is for the files that a job names; those of a press may lie anywhere. It outlives this.
  /// Tables take no more than `room_bytes`.
  ColourTables(files::FileSystem& files, uint64_t room_bytes)
      : files_(files), room_bytes_(room_bytes) {}

  /// Tables go into this folder, and not into the user's cache.
  void freeze_into(std::string folder) { frozen_ = std::move(folder); }

  /// Of page `number` of the file, counted from 0, which is `page` as it is read; `place` names it in
  /// messages. Null for a page that keeps its samples, with the reason in `notes` where a user may
  /// wonder. Without a table where it would take too much memory: then the page cannot be made, and
  /// missing_bytes() has those of the table. Throws Error as Profile and make_table() do, and kUnsupported, kData for a page or
  /// profiles that do not fit each other.
  chain::PageColourPtr of_page(const tiff::TiffFile& file,
                               uint32_t number,
                               const PageInfo& page,
                               const manifests::JobPage& settings,
                               const std::string& place,
                               std::vector<std::string>& notes);

  /// The number of inks that the settings of a page convert colours to; 0 for none, and where the
  /// profile cannot be read, which of_page() says.
  uint32_t press_inks(const manifests::JobPage& settings);

  /// As another process planned it. Throws Error as colour::read_table().
  chain::PageColourPtr planned(const prepress::Conversion& conversion, const std::string& folder);

  /// Memory of the tables so far, and of those that were not made.
  uint64_t bytes() const;
  uint64_t missing_bytes() const;

 private:
  class Choice;

  /// What decides the memory that the making of a page's table takes.
  struct MakingSize {
    uint64_t profile_bytes = 0;  ///< of all its profiles
    uint64_t table_bytes = 0;
  };

  const icc::Profile& profile(const std::string& path, bool is_of_press, const MakingSize& need);
  files::FileSystem& files_of(bool is_of_press) const {
    return is_of_press ? files::FileSystem::real() : files_;
  }
  uint64_t profile_bytes(const std::string& path, bool is_of_press) const;
  uint64_t bytes_to_make(const MakingSize& need) const;
  void refuse_large_profile(uint64_t bytes, const MakingSize& need, const std::string& place) const;
  void refuse_large_making(const MakingSize& need, const std::string& place) const;
  [[noreturn]] void refuse_profiles(uint64_t bytes,
                                    uint64_t wanted,
                                    const std::string& place) const;
  std::shared_ptr<const prepress::ColourTable> table(const icc::Profile& input,
                                                     const icc::Profile* output,
                                                     const icc::TableSettings& settings,
                                                     const std::string& frozen,
                                                     const std::string& place);

  files::FileSystem& files_;
  const uint64_t room_bytes_;
  std::string frozen_ = {};
  std::map<std::pair<std::string, bool>, icc::Profile> profiles_;
  std::map<std::string, std::shared_ptr<const prepress::ColourTable>> tables_;  // by key or digest
  std::map<std::string, uint64_t> missing_;  // likewise, those that were not made, by their memory
};

}  // namespace mezzo::plan
