// The page and the ink of a separation, by its file name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manifests/folder.h"

namespace mezzo::watch {

struct SetMember {
  std::string page;
  size_t ink = 0;  ///< index in SeparationSets::inks
};

/// A way in which a name fits the pattern, with an ink that is not in the list.
struct StrayInk {
  std::string page;
  std::string ink;
};

class SetMatcher {
 public:
  explicit SetMatcher(const manifests::SeparationSets& sets);

  /// Ignores upper and lower case and forms of Unicode in ink and pattern
  /// (kernels/prepress/folded_name.h), and whether the name ends in .tif or .tiff.
  /// An ink may have any of its names (kernels/prepress/ink_key.h): tea_K.tif is of the ink black.
  /// Of several inks that fit, the longest counts. Nothing for a name that does not fit, and when
  /// there are no sets.
  std::optional<SetMember> match(std::string_view name) const;

  /// All ways in which a name that match() does not know fits the pattern; none for one that it knows.
  std::vector<StrayInk> stray_inks(std::string_view name) const;

  /// Separations belong to one set when this key of their pages is the same. Upper and lower case count: Cover
  /// and cover may be two pages, whose plates must not be mixed.
  static std::string set_key(std::string_view page);

  /// Pages are the same when these are: upper and lower case do not count.
  static std::string page_key(std::string_view page);

 private:
  struct Split {
    std::string_view page, ink;
  };
  std::vector<Split> splits_of(std::string_view name) const;
  std::optional<size_t> ink_named(std::string_view name) const;

  std::vector<std::string> keys_;  ///< of the inks
  // The pattern around its two names, folded.
  std::string before_, between_, after_;
  bool page_is_first_ = true;
};

}  // namespace mezzo::watch
