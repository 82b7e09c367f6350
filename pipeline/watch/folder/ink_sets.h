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
  /// Of several inks that fit, the longest counts. Nothing for a name that does not fit, and when
  /// there are no sets.
  std::optional<SetMember> match(std::string_view name) const;

 private:
  struct Form {
    std::string before;  // the page
    std::string after;   // likewise
    size_t ink = 0;
    size_t ink_bytes = 0;
  };
  std::vector<Form> forms_;
};

}  // namespace mezzo::watch
