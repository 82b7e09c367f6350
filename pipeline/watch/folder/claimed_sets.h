// Pages whose sets of inks were claimed before: the files of those lie in .work and, once their jobs have
// ended, in done/, failed/ and incomplete/. A file of a further ink may come after them.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "manifests/folder.h"

namespace mezzo::watch {

class ClaimedSetPages {
 public:
  /// Another folder was opened.
  void forget() { *this = {}; }

  /// A job of this watcher takes these files.
  void add(const std::vector<std::string>& files, const manifests::SeparationSets& sets);

  /// The keys of the pages (SetMatcher). The open `folder` is looked at when one of `files`, which may belong to a
  /// set, was not among those of the last call: other watchers claim, too. Folders that cannot be opened are
  /// left out. Throws Error(kIo).
  const std::set<std::string>& look(int folder,
                                    const std::vector<std::string>& files,
                                    const manifests::SeparationSets& sets);

 private:
  manifests::SeparationSets sets_;  ///< by which the pages were found
  std::set<std::string> pages_;
  std::set<std::string> asked_;  ///< the files of the last call
};

}  // namespace mezzo::watch
