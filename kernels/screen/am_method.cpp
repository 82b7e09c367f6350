#include "kernels/screen/am_method.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/screen/making.h"

namespace mezzo::screen {
namespace {

constexpr const char* kResolution = "dpi";

double number(const HalftoneSettings& settings, std::string_view name) {
  return settings.parameters.find(name)->second;
}

int32_t whole(const HalftoneSettings& settings, std::string_view name) {
  return static_cast<int32_t>(number(settings, name));
}

/// A resolution at which any screen of the settings can be made.
double enough_dpi(const HalftoneSettings& settings) {
  constexpr double kUsual = 2400, kUsualSide = 16;
  const double of_dot = 2.1 * std::sqrt(number(settings, "minimum_dot")) + 1;
  return std::max(kUsual, number(settings, "ruling") * std::max(kUsualSide, of_dot));
}

Cell cell_of(const HalftoneSettings& settings) {
  const Cell given{
      whole(settings, "cell_repeats"), whole(settings, "cell_m"), whole(settings, "cell_n")};
  if (given == Cell{0, 0, 0}) {
    return choose_cell(
        number(settings, kResolution), number(settings, "ruling"), number(settings, "angle"));
  }
  if (const std::string fault = fault_of(given); !fault.empty()) {
    throw Error(ErrorKind::kUsage, fault);
  }
  return given;
}

/// A screen, and its tile once it is made.
class LazyTile {
 public:
  explicit LazyTile(const AmScreen& screen) : screen_(screen) {}

  const AmScreen& screen() const { return screen_; }

  std::shared_ptr<const ThresholdTile> tile() {
    std::call_once(made_, [this] {
      Makers::of_process().run(
          [this] { tile_ = std::make_shared<const ThresholdTile>(am_tile(screen_)); });
    });
    return tile_;
  }

 private:
  AmScreen screen_;
  std::once_flag made_;
  std::shared_ptr<const ThresholdTile> tile_;
};

/// The tiles that were used last: those of one page after the other are most often the same.
class TileCache {
 public:
  std::shared_ptr<LazyTile> of(const AmScreen& screen) {
    constexpr size_t kMost = 16;  // 8 MiB
    const std::lock_guard lock(mutex_);
    const auto known =
        std::ranges::find(tiles_, screen, [](const auto& tile) { return tile->screen(); });
    auto tile = known == tiles_.end() ? std::make_shared<LazyTile>(screen) : *known;
    if (known != tiles_.end()) tiles_.erase(known);
    tiles_.push_back(tile);
    if (tiles_.size() > kMost) tiles_.erase(tiles_.begin());
    return tile;
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<LazyTile>> tiles_;
};

TileCache& tile_cache() {
  static TileCache cache;
  return cache;
}

}  // namespace

AmScreen Am::screen(const HalftoneSettings& settings) {
  const AmScreen screen{.cell = cell_of(settings),
                        .dot = static_cast<Dot>(whole(settings, "dot")),
                        .minimum_dot = static_cast<uint32_t>(whole(settings, "minimum_dot"))};
  const uint32_t most = most_minimum_dot(screen.cell);
  if (screen.minimum_dot > most) {
    throw Error(ErrorKind::kUsage,
                "a minimum_dot of " + std::to_string(screen.minimum_dot) +
                    " px is more than a quarter of a cell",
                "use at most " + std::to_string(most) + " px, or a coarser ruling")
        .about("halftone.minimum_dot");
  }
  return screen;
}

std::string Am::check(const HalftoneSettings& settings) {
  HalftoneSettings on_plate = settings;
  double& dpi = on_plate.parameters[kResolution];
  if (dpi == 0) dpi = enough_dpi(settings);
  screen(on_plate);
  return {};
}

InkScreens Am::screens(const HalftoneSettings& settings) {
  const auto lazy = tile_cache().of(screen(settings));
  const ThresholdTile strip = strip_of(lazy->screen().cell);
  return {[lazy](uint32_t) { return PlacedTile{lazy->tile()}; },
          strip.width,
          strip.height,
          kAmMakingBytes * strip.width * strip.height};
}

}  // namespace mezzo::screen
