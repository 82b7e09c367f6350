#include "kernels/screen/fm_method.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include "kernels/base/noise.h"
#include "kernels/screen/blue_noise.h"
#include "kernels/screen/making.h"

namespace mezzo::screen {
namespace {

struct Mask {
  uint32_t side;
  uint32_t seed;     ///< of this ink
  uint32_t cluster;  ///< area of a cell, px; 0: none

  bool operator==(const Mask&) const = default;
};

using SharedTile = std::shared_ptr<const ThresholdTile>;

SharedTile make_tile(const Mask& mask) {
  ThresholdTile tile{mask.side, mask.side, 0, {}};
  const auto ranks = mask.cluster == 0 ? blue_noise_ranks(mask.side, mask.seed)
                                       : clustered_ranks(mask.side, mask.cluster, mask.seed);
  for (const uint32_t rank : ranks) {
    tile.thresholds.push_back(threshold_of_rank(rank, mask.side * mask.side));
  }
  return std::make_shared<const ThresholdTile>(std::move(tile));
}

/// The tiles that were asked for last: each takes a fraction of a second to make, and the next page
/// has the same inks.
class Tiles {
 public:
  /// From any thread. A thread that asks for a tile while another one makes it waits for it.
  SharedTile of(const Mask& mask) {
    const std::shared_ptr<Made> made = entry(mask);
    std::call_once(made->once,
                   [&] { Makers::of_process().run([&] { made->tile = make_tile(mask); }); });
    return made->tile;
  }

 private:
  static constexpr size_t kMost = 16;  // 8 MiB of the largest

  struct Made {
    explicit Made(const Mask& of) : mask(of) {}

    Mask mask;
    std::once_flag once;
    SharedTile tile;
  };

  /// Brought to the front.
  std::shared_ptr<Made> entry(const Mask& mask) {
    const std::lock_guard lock(mutex_);
    auto found =
        std::ranges::find_if(latest_, [&](const auto& made) { return made->mask == mask; });
    if (found == latest_.end()) {
      if (latest_.size() == kMost) latest_.pop_back();
      found = latest_.insert(latest_.end(), std::make_shared<Made>(mask));
    }
    std::rotate(latest_.begin(), found, found + 1);
    return latest_.front();
  }

  std::mutex mutex_;
  std::vector<std::shared_ptr<Made>> latest_;
};

uint32_t number(const HalftoneSettings& settings, std::string_view name) {
  return static_cast<uint32_t>(settings.parameters.find(name)->second);
}

Tiles& tiles_of_process() {
  static Tiles tiles;
  return tiles;
}

}  // namespace

InkScreens Fm::screens(const HalftoneSettings& settings) {
  const uint32_t side = number(settings, "size"), seed = number(settings, "seed");
  const uint32_t cluster = number(settings, "cluster");
  const auto of_ink = [side, seed, cluster](uint32_t texture) {
    // One to one in the texture: two inks never have the same mask.
    return PlacedTile{tiles_of_process().of({side, row_noise(seed, texture, 0), cluster})};
  };
  const uint64_t a_pixel = cluster == 0 ? kMaskMakingBytes : kClusterMakingBytes;
  return {of_ink, side, side, a_pixel * side * side};
}

std::string Fm::check(const HalftoneSettings& settings) {
  const uint32_t cluster = number(settings, "cluster");
  if (cluster == 0 || cluster >= kLeastCluster) return {};
  return "cells of " + std::to_string(cluster) + " pixels are too small for dots to grow in; " +
         "'cluster' must be at least " + std::to_string(kLeastCluster) + ", or 0";
}

}  // namespace mezzo::screen
