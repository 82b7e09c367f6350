#include "manifests/named_files.h"

namespace mezzo::manifests {

std::vector<NamedFile> named_files(PageSettings& settings, const Origins* origins) {
  std::vector<NamedFile> files;
  const auto add = [&](std::string& path, const std::string& key, HalftoneSettings* halftone) {
    if (path.empty() || path == kSrgb) return;
    files.push_back({&path, origins == nullptr ? nullptr : origins->find(key), halftone});
  };
  const auto add_tile = [&](HalftoneSettings& halftone, const std::string& block) {
    add(halftone.tile.path, block + "halftone.file", &halftone);
  };
  add_tile(settings.halftone, "");
  for (InkSettings& ink : settings.inks) add_tile(ink.halftone, "inks." + ink.ink + ".");
  ColourSettings& colour = settings.colour;
  add(colour.profile, "profile", nullptr);
  add(colour.link, "colour.link", nullptr);
  add(colour.assumed_rgb, "colour.assume.rgb", nullptr);
  add(colour.assumed_cmyk, "colour.assume.cmyk", nullptr);
  add(colour.assumed_grey, "colour.assume.grey", nullptr);
  return files;
}

}  // namespace mezzo::manifests
