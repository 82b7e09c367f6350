#include "kernels/pinwheel/pinwheel.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "kernels/band/team.h"
#include "kernels/pinwheel/band_work.h"
#include "kernels/pinwheel/simd.h"

namespace mezzo::pinwheel {

void run_block(const BandWork& work,
               const Walk& walk,
               const BlockPlace& place,
               const RowBorders& borders) {
  const BlockShape& shape = walk.shape;
  std::array<int, kMostSize * kMostSize> received_error;
  std::array<int, kBorderPlaces> border;
  std::fill_n(received_error.begin(), walk.steps.size(), 0);
  border.fill(0);
  if (!shape.outward) {
    for (uint32_t i = 0; i < walk.steps.size(); ++i) {
      const auto [y, x] = std::pair{walk.steps[i].y, walk.steps[i].x};
      const auto& [above, below, left, right] = shape.neighbours;
      if (y == 0 && above) received_error[i] += borders.above.at(kBelow, x)[place.border_index()];
      if (y == shape.rows - 1 && below)
        received_error[i] += borders.below.at(kAbove, x)[place.border_index()];
      if (x == 0 && left) received_error[i] += borders.own.at(kRight, y)[place.border_index_left()];
      if (x == shape.columns - 1 && right) {
        received_error[i] += borders.own.at(kLeft, y)[place.border_index_right()];
      }
    }
  }
  const uint32_t noise = block_noise(work.rule.noise.seed, work.in.plane, place.y, place.x);
  for (uint32_t i = 0; i < walk.steps.size(); ++i) {
    const Step& step = walk.steps[i];
    const Pixel pixel{work.tone(place.y + step.y, place.x + step.x),
                      received_error[i],
                      place.y + step.y,
                      place.x + step.x,
                      noise,
                      i == 0};
    const Place on_walk{step.kind, step.legal, step.threshold_class, step.noise_factor};
    const Entry entry = entry_of(work.rule, on_walk, pixel);
    const Outcome outcome = decide(work.rule.noise, step.legal, pixel, work.in.plane, entry);
    for (int k = 0; k < kTargets; ++k) {
      if ((step.legal >> k & 1) == 0) continue;
      int& target = step.targets[k] < kBorder ? received_error[step.targets[k]]
                                              : border[step.targets[k] - kBorder];
      target += outcome.shares[k];
    }
    if (outcome.ink && work.is_own(pixel.y)) {
      uint8_t& byte = work.out.row(pixel.y - work.in.first_row)[pixel.x / 8];
      byte = static_cast<uint8_t>(byte | 0x80 >> pixel.x % 8);
    }
  }
  if (!shape.outward) return;
  for (const Side side : {kAbove, kBelow, kLeft, kRight}) {
    const int length = side == kAbove || side == kBelow ? shape.columns : shape.rows;
    for (int along = 0; along < length; ++along) {
      borders.own.at(side, static_cast<uint32_t>(along))[place.border_index()] =
          static_cast<int16_t>(border[border_place(side, along)]);
    }
  }
}

namespace {

struct PinwheelState final : HalftonerState {
  explicit PinwheelState(Path path) : walk_cache(path) {}
  WalkCache walk_cache;
  BlockBorders borders;
};

class Pinwheel final : public Halftoner {
 public:
  Pinwheel(const Settings& settings, bool in_lanes) : settings_(settings), in_lanes_(in_lanes) {}

  HalftonerTraits traits() const override {
    return {.row_multiple = settings_.size, .context_rows = context_rows(settings_.size)};
  }

  std::unique_ptr<HalftonerState> make_state(uint32_t) const override {
    return std::make_unique<PinwheelState>(settings_.path);
  }

  void run(const SampleBand& in,
           const ToneCurve& curve,
           const BitBand& out,
           HalftonerState* state,
           Team& team) const override {
    const Rule rule = settings_.tables->rule(settings_.noise);
    const BandWork work{in, curve, out, rule};
    const PageGrid grid{in.width_px,
                        in.first_row + in.rows + in.rows_below,
                        in.rows_below < context_rows(settings_.size),
                        settings_.size};
    const uint32_t size = settings_.size;
    const uint32_t first = in.first_row / size, last = (in.first_row + in.rows - 1) / size;
    // Rows of blocks whose outward blocks are needed.
    const uint32_t from = first - std::min(first, 1U);
    const uint32_t to = grid.ends ? std::min(last + 1, (grid.end_row - 1) / size) : last + 1;
    auto& carried = static_cast<PinwheelState&>(*state);
    carried.borders.resize(to - from + 3, grid.block_columns(), size);
    lay_out_walks(grid, from, to, carried.walk_cache);
    for (uint32_t i = 0; i < in.rows; ++i) {
      std::memset(out.row(i), 0, bit_row_bytes(in.width_px));
    }
    const auto borders_of = [&](uint32_t row) {
      // Place 0 is above the first row, which is never read where there is nothing.
      const uint32_t at = row - from + 1;
      return RowBorders{
          carried.borders.row(at), carried.borders.row(at - 1), carried.borders.row(at + 1)};
    };
    for_each_index(team, to - from + 1, [&](uint32_t i) {
      run_row(work, grid, carried.walk_cache, from + i, true, borders_of(from + i));
    });
    for_each_index(team, last - first + 1, [&](uint32_t i) {
      run_row(work, grid, carried.walk_cache, first + i, false, borders_of(first + i));
    });
  }

 private:
  /// So that threads find every walk in the walk_cache: rows and columns of blocks at the page's
  /// ends are unlike the others, and of all there are both colours.
  void lay_out_walks(const PageGrid& grid,
                     uint32_t from,
                     uint32_t to,
                     WalkCache& walk_cache) const {
    const uint32_t last = grid.block_columns() - 1;
    for (const uint32_t row : {from, std::min(from + 1, to), std::min(from + 2, to), to}) {
      for (const uint32_t column : {0U, std::min(1U, last), std::min(2U, last), last}) {
        walk_cache.walk(grid.shape(row, column));
      }
    }
  }

  /// One colour of the blocks of a row of blocks.
  void run_row(const BandWork& work,
               const PageGrid& grid,
               const WalkCache& walk_cache,
               uint32_t row,
               bool outward,
               const RowBorders& borders) const {
    const uint32_t columns = grid.block_columns();
    for (uint32_t column = (row + (outward ? 0 : 1)) % 2; column < columns; column += 2) {
      const BlockPlace place{row * grid.size, column * grid.size, column};
      const Walk& walk = walk_cache.known_walk(grid.shape(row, column));
      // All but the blocks at either end of a row are alike.
      if (in_lanes_ && column > 0 && column + 1 < columns) {
        const uint32_t alike = (columns - 1 - column + 1) / 2;
        const uint32_t blocks = std::min(alike, simd::blocks_at_once());
        simd::run_blocks(work, walk, place, blocks, borders);
        column += 2 * (blocks - 1);
      } else {
        run_block(work, walk, place, borders);
      }
    }
  }

  Settings settings_;
  bool in_lanes_;
};

}  // namespace

std::unique_ptr<Halftoner> make_scalar(const Settings& settings) {
  return std::make_unique<Pinwheel>(settings, false);
}

std::unique_ptr<Halftoner> make_simd(const Settings& settings) {
  return std::make_unique<Pinwheel>(settings, true);
}

}  // namespace mezzo::pinwheel
