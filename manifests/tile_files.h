// The files of thresholds that the settings of a page name: those of the page and of its inks.
#pragma once

#include <vector>

#include "manifests/origins.h"

namespace mezzo::manifests {

struct NamedTile {
  HalftoneSettings* halftone;  ///< with a path in `tile`
  const Origin* origin;        ///< of that path; null where it is not known
};

/// Pointers into both; `origins` may be null.
std::vector<NamedTile> named_tiles(PageSettings& settings, const Origins* origins);

/// Whether the press names the file, which then lies where the press file says.
inline bool is_of_press(const NamedTile& tile) {
  return tile.origin != nullptr && tile.origin->layer == Layer::kPress;
}

}  // namespace mezzo::manifests
