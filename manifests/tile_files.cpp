#include "manifests/tile_files.h"

#include <string>

namespace mezzo::manifests {

std::vector<NamedTile> named_tiles(PageSettings& settings, const Origins* origins) {
  std::vector<NamedTile> tiles;
  const auto add = [&](HalftoneSettings& halftone, const std::string& block) {
    if (halftone.tile.path.empty()) return;
    tiles.push_back(
        {&halftone, origins == nullptr ? nullptr : origins->find(block + "halftone.file")});
  };
  add(settings.halftone, "");
  for (InkSettings& ink : settings.inks) add(ink.halftone, "inks." + ink.ink + ".");
  return tiles;
}

}  // namespace mezzo::manifests
