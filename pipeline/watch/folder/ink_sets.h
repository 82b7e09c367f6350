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

class SetMatcher {
 public:
  explicit SetMatcher(const manifests::SeparationSets& sets);

  /// Ignores upper and lower case in ink and pattern, and whether the name ends in .tif or .tiff.
  /// An ink may have any of its names (kernels/prepress/ink_key.h): tea_K.tif is of the ink black.
  /// Of several inks that fit, the longest counts. Nothing for a name that does not fit, and when
  /// there are no sets.
  std::optional<SetMember> match(std::string_view name) const;

 private:
  std::optional<size_t> ink_named(std::string_view name) const;

  std::vector<std::string> keys_;  ///< of the inks
  // The pattern around its two names, in lower case.
  std::string before_, between_, after_;
  bool page_is_first_ = true;
};

}  // namespace mezzo::watch
