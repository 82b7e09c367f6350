// Files and folders in a hot folder that are no job. They stay where they are, and after a minute
// each has a text beside it, NAME.error.txt, that says why; the text goes when they do.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "pipeline/steady_time.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

/// Why a file that is called neither like a page nor like a ticket is no job: it may be a PDF.
std::string reason_for_other(std::string_view name);

class NotTaken {
 public:
  static constexpr size_t kMost = 200;  ///< that are kept, and have a text
  static constexpr std::chrono::seconds kTellAfter{60};

  struct File {
    std::string reason;
    SteadyTime since;  ///< when it was first seen
    bool is_there = true;
  };

  /// A look at the folder begins, and ends: files that were not seen in between are forgotten.
  void begin();
  void end();

  void add(std::string_view name, const std::string& reason, SteadyTime now);

  /// Whether a file has the name of such a text, which is then no file to be added.
  bool take_text(std::string_view name);

  /// After a look at `folder`: writes the texts that are due, and removes those that are not needed
  /// any longer. A text that cannot be written is left out.
  void tell(int folder, files::FileSystem& calls, SteadyTime now) const;

  /// By name, which may be any bytes.
  const std::map<std::string, File>& files() const { return files_; }
  size_t count() const { return count_; }  ///< of all, also of those that are not kept

 private:
  std::map<std::string, File> files_;
  std::set<std::string> texts_;  ///< that were seen in this look
  size_t count_ = 0;
};

}  // namespace mezzo::watch
