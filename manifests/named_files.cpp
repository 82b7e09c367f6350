#include "manifests/named_files.h"

#include "manifests/fields.h"

namespace mezzo::manifests {

std::vector<NamedFile> named_files(PageSettings& settings, const Origins* origins) {
  std::vector<NamedFile> files;
  const auto last_part = [](std::string_view key) { return key.substr(key.rfind('.') + 1); };
  const auto add = [&](std::string& path, std::string_view key, HalftoneSettings* halftone) {
    if (path.empty() || path == kSrgb) return;
    const Origin* origin = origins == nullptr ? nullptr : origins->find(std::string(key));
    files.push_back({&path, origin, halftone, halftone != nullptr ? kTileKey : last_part(key)});
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
