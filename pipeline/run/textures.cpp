#include "pipeline/run/textures.h"

#include <string>

#include "kernels/band/ink_texture.h"
#include "pipeline/plan/ink_map.h"
#include "pipeline/plan/page_chain.h"
#include "stages/ink_names.h"

namespace mezzo::run {

std::vector<InkTexture> textures_of(const plan::SheetPlan& sheet) {
  const std::vector<std::string> inks = plan::inks_of(sheet, 0);
  // In files the name of an ink does not depend on the case of its letters.
  const std::vector<std::string> in_files = ink_file_names(inks);
  std::vector<InkTexture> textures;
  for (const plan::PlatePlan& plate : sheet.plates) {
    const bool is_of_page = plate.plane < inks.size();
    InkTexture& one = textures.emplace_back(InkTexture{0, plate.plane});
    if (is_of_page && inks.size() == 1 && sheet.ink.empty()) continue;
    one.texture = texture_of_ink(
        is_of_page
            ? in_files[plate.plane]
            : ink_file_names({std::string(plan::without_bit(plate.ink, plate.drop_bit))}).front());
    if (inks.size() == 1 && is_of_page && one.texture != 0) one.plane = one.texture;
  }
  return textures;
}

SampleBand with_texture(SampleBand rows, InkTexture texture) {
  rows.texture = texture.texture;
  if (texture.plane != InkTexture::kAsItIs) rows.plane = texture.plane;
  return rows;
}

}  // namespace mezzo::run
