#include "pipeline/run/textures.h"

#include <algorithm>
#include <string>

#include "kernels/band/ink_texture.h"
#include "stages/ink_names.h"

namespace mezzo::run {

std::vector<uint32_t> textures_of(const plan::SheetPlan& sheet) {
  std::vector<std::string> inks;
  for (const auto& plate : sheet.plates) inks.push_back(plate.ink);
  std::vector<uint32_t> textures(inks.size());
  if (inks.size() == 1 && sheet.ink.empty()) return textures;
  // In files the name of an ink does not depend on the case of its letters.
  std::ranges::transform(ink_file_names(inks), textures.begin(), texture_of_ink);
  return textures;
}

SampleBand with_texture(SampleBand rows, uint32_t texture, bool alone) {
  rows.texture = texture;
  if (alone && texture != 0) rows.plane = texture;
  return rows;
}

}  // namespace mezzo::run
