#include "kernels/pinwheel/walk_cache.h"

#include <algorithm>

#include "kernels/base/error.h"

namespace mezzo::pinwheel {

Walk lay_out(const BlockShape& shape, Path path) {
  Walk walk{shape, std::vector<Step>(static_cast<size_t>(shape.rows * shape.columns)), 1};
  lay_out_block(shape, path, walk.steps);
  for (size_t place = 0; place < walk.steps.size(); ++place) {
    const Step& step = walk.steps[place];
    for (int k = 0; k < kTargets; ++k) {
      if ((step.legal >> k & 1) == 0 || step.targets[k] >= kBorder) continue;
      walk.reach = std::max(walk.reach, static_cast<uint32_t>(step.targets[k] - place));
    }
  }
  return walk;
}

BlockShape PageGrid::shape(uint32_t block_row, uint32_t block_column) const {
  const uint32_t y = block_row * size, x = block_column * size;
  MZ_ASSERT(x < width_px && (!ends || y < end_row));
  const auto left = [&](uint32_t end, uint32_t begin) {
    return static_cast<int>(std::min(size, end - begin));
  };
  BlockShape shape;
  shape.rows = ends ? left(end_row, y) : static_cast<int>(size);
  shape.columns = left(width_px, x);
  shape.outward = (block_row + block_column) % 2 == 0;
  shape.neighbours = {
      block_row > 0, !ends || y + size<end_row, block_column> 0, x + size < width_px};
  return shape;
}

WalkCache::Key WalkCache::key_of(const BlockShape& shape) {
  const auto& [above, below, left, right] = shape.neighbours;
  return {shape.rows, shape.columns, shape.outward, above, below, left, right};
}

const Walk& WalkCache::walk(const BlockShape& shape) {
  const Key key = key_of(shape);
  const auto found = walks_.find(key);
  if (found != walks_.end()) return found->second;
  return walks_.emplace(key, lay_out(shape, path_)).first->second;
}

const Walk& WalkCache::known_walk(const BlockShape& shape) const {
  const auto found = walks_.find(key_of(shape));
  MZ_ASSERT(found != walks_.end());
  return found->second;
}

}  // namespace mezzo::pinwheel
