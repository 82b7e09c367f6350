#include "kernels/screen/tile_halftoner.h"

#include <optional>

#include "kernels/band/team.h"
#include "kernels/screen/compiled_tile.h"

namespace mezzo::screen {
namespace {

/// The tile of the plane's ink, compiled at its first band with the plane's curve.
struct TileState final : HalftonerState {
  PlacedTile screen;
  std::optional<CompiledTile> compiled;
};

}  // namespace

uint64_t TileHalftoner::working_bytes(uint32_t, uint32_t) const {
  const uint64_t tile = uint64_t{screens_.width} * screens_.height * sizeof(uint16_t);
  return tile + CompiledTile::most_bytes(screens_.width, screens_.height);
}

std::unique_ptr<HalftonerState> TileHalftoner::make_state(uint32_t) const {
  return std::make_unique<TileState>();
}

void TileHalftoner::run(const SampleBand& in,
                        const ToneCurve& curve,
                        const BitBand& out,
                        HalftonerState* state,
                        Team& team) const {
  auto& plane = static_cast<TileState&>(*state);
  if (!plane.compiled) {
    plane.screen = screens_.of_ink(in.texture);
    plane.compiled.emplace(*plane.screen.tile, curve, in.bytes_per_sample);
  }
  for_each_index(team, in.rows, [&](uint32_t i) {
    plane.compiled->halftone_row(
        in, i, plane.screen.x, plane.screen.y + in.first_row + i, out.row(i));
  });
}

}  // namespace mezzo::screen
