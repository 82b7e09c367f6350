#include "kernels/screen/tile_method.h"

#include "kernels/base/error.h"

namespace mezzo::screen {
namespace {

uint32_t shift_of(const HalftoneSettings& settings) {
  return static_cast<uint32_t>(settings.parameters.find("shift")->second);
}

}  // namespace

std::string UserTile::check(const HalftoneSettings& settings) {
  const TileFile& tile = settings.tile;
  if (tile.path.empty() && tile.values == nullptr) {
    return "the file of its thresholds is missing; give 'file', a grey TIFF of 8 or 16 bits";
  }
  if (tile.values == nullptr || shift_of(settings) < tile.values->width) return {};
  return "'shift' is " + std::to_string(shift_of(settings)) +
         " px, and must be below the width of the tile, " + std::to_string(tile.values->width) +
         " px";
}

InkScreens UserTile::screens(const HalftoneSettings& settings) {
  if (settings.tile.values == nullptr) {
    throw Error(ErrorKind::kUsage,
                "method 'tile': the values of " + settings.tile.path + " have not been read");
  }
  return same_for_all(tile_of(settings));
}

ThresholdTile tile_of(const HalftoneSettings& settings) {
  const bool ranks = settings.parameters.find("values")->second != 0;
  const TileValues& values = *settings.tile.values;
  return ranks ? tile_of_ranks(values, shift_of(settings))
               : tile_of_thresholds(values, shift_of(settings));
}

}  // namespace mezzo::screen
