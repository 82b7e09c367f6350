#include "kernels/search/cpu/window.h"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/base/error.h"

namespace mezzo::search {

WindowTables::WindowTables(const Square& eye, uint32_t h, uint32_t w)
    : height(h), width(w), radius(static_cast<uint32_t>(eye.radius())) {
  MZ_ASSERT(h >= 1 && h <= kMostWindow && w >= 1 && w <= kMostWindow);
  MZ_ASSERT(radius <= kMostWindowRadius);
  const uint32_t values = region_height() * region_width();
  stride = (values + kRegionQuantum - 1) / kRegionQuantum * kRegionQuantum;
  uint32_t place = 0;
  for (uint32_t y = 0; y < h; y += 2) {
    for (uint32_t x = 0; x < w; x += 2) {
      for (uint32_t dy = 0; dy < std::min(h - y, 2U); ++dy) {
        for (uint32_t dx = 0; dx < std::min(w - x, 2U); ++dx) {
          order[place++] = static_cast<uint8_t>((y + dy) * w + x + dx);
        }
      }
    }
  }
  footprints_.assign(size_t{pixels()} * stride, 0);
  remaining_.assign(size_t{pixels() + 1} * stride, 0);
  const int r = eye.radius();
  for (uint32_t k = pixels(); k-- > 0;) {
    int16_t* footprint = footprints_.data() + size_t{k} * stride;
    const uint32_t y = order[k] / w, x = order[k] % w;
    for (int dy = -r; dy <= r; ++dy) {
      for (int dx = -r; dx <= r; ++dx) {
        const uint32_t row = y + static_cast<uint32_t>(dy + r);
        const uint32_t column = x + static_cast<uint32_t>(dx + r);
        footprint[row * region_width() + column] = static_cast<int16_t>(eye.at(dy, dx));
      }
    }
    for (uint32_t p = 0; p < stride; ++p) {
      remaining_[k * stride + p] =
          static_cast<int16_t>(remaining_[(k + 1) * stride + p] + footprint[p]);
    }
  }
}

WindowTables WindowTables::clipped(const Clip& by) const {
  WindowTables tables = *this;
  tables.clip = by;
  const auto is_outside = [&](uint32_t p) {
    const uint32_t y = p / region_width(), x = p % region_width();
    return y < by.above || y + by.below >= region_height() || x < by.left ||
           x + by.right >= region_width();
  };
  for (uint32_t p = 0; p < region_height() * region_width(); ++p) {
    if (!is_outside(p)) continue;
    for (uint32_t k = 0; k < pixels(); ++k) tables.footprints_[k * stride + p] = 0;
    for (uint32_t k = 0; k < pixels(); ++k) tables.remaining_[k * stride + p] = 0;
  }
  return tables;
}

namespace {

/// Patterns of `pixels` bits with `ink` ones, each two bits from the one before (the revolving
/// door): those without the last bit, then those with it, backwards.
void append_revolving(uint32_t pixels, uint32_t ink, std::vector<uint32_t>& list) {
  if (ink == 0 || ink == pixels) {
    list.push_back((1U << ink) - 1);
    return;
  }
  append_revolving(pixels - 1, ink, list);
  const size_t first = list.size();
  append_revolving(pixels - 1, ink - 1, list);
  std::reverse(list.begin() + static_cast<std::ptrdiff_t>(first), list.end());
  for (size_t i = first; i < list.size(); ++i) list[i] |= 1U << (pixels - 1);
}

class ByBounds {
 public:
  ByBounds(const WindowTask& task, Best best) : task_(task), tables_(*task.tables), best_(best) {}

  Best search() {
    std::copy_n(task_.errors, tables_.stride, errors_[0].begin());
    decide(0, 0, 0);
    return best_;
  }

 private:
  /// Places before `place` are decided as in `pattern`, with `ink` ones; their errors are in
  /// errors_[place].
  void decide(uint32_t place, uint32_t pattern, uint32_t ink) {
    const uint32_t left = tables_.pixels() - place;
    if (ink > task_.most_ink || ink + left < task_.least_ink) return;
    const int32_t bound = bound_at(place);
    // Undecided pixels may stay as they are, which makes the exclusive-or least.
    const uint32_t undecided = undecided_bits(place);
    if (!task_.is_better(bound, pattern | (task_.current & undecided), best_)) return;
    if (left == 0) {
      best_ = {bound, pattern};
      return;
    }
    const uint32_t bit = tables_.bit(place), current = task_.current & bit;
    for (const uint32_t value : {current, current ^ bit}) {
      const int16_t* footprint = tables_.footprint(place);
      for (uint32_t p = 0; p < tables_.stride; ++p) {
        errors_[place + 1][p] = int16_t(errors_[place][p] - (value != 0 ? footprint[p] : 0));
      }
      decide(place + 1, pattern | value, ink + (value != 0 ? 1 : 0));
    }
  }

  int32_t bound_at(uint32_t place) const {
    const int16_t* remaining = tables_.remaining(place);
    int32_t sum = 0;
    for (uint32_t p = 0; p < tables_.stride; ++p) {
      const int32_t error = errors_[place][p];
      sum += std::max({0, error - remaining[p], -error});
    }
    return sum;
  }

  uint32_t undecided_bits(uint32_t place) const {
    uint32_t bits = 0;
    for (uint32_t k = place; k < tables_.pixels(); ++k) bits |= tables_.bit(k);
    return bits;
  }

  const WindowTask& task_;
  const WindowTables& tables_;
  Best best_;
  std::array<std::array<int16_t, kMostRegion>, kMostPixels + 1> errors_;
};

}  // namespace

const std::vector<uint32_t>& revolving_door(uint32_t pixels, uint32_t ink) {
  MZ_ASSERT(pixels <= kMostLiteralPixels && ink <= pixels);
  static const auto lists = [] {
    std::array<std::array<std::vector<uint32_t>, kMostLiteralPixels + 1>, kMostLiteralPixels + 1>
        all;
    for (uint32_t n = 1; n <= kMostLiteralPixels; ++n) {
      for (uint32_t k = 0; k <= n; ++k) append_revolving(n, k, all[n][k]);
    }
    return all;
  }();
  return lists[pixels][ink];
}

Best search_by_bounds(const WindowTask& task, Best best) {
  return ByBounds(task, best).search();
}

Best exhaustive(const SearchWindow& search, WindowTask task, Best current) {
  task.least_ink = 0;
  task.most_ink = task.tables->pixels();
  return search(task, current);
}

Best partial(const SearchWindow& search, WindowTask task, Best current) {
  const uint32_t pixels = task.tables->pixels();
  const auto ink = static_cast<uint32_t>(std::popcount(task.current));
  task.least_ink = ink - std::min(ink, 1U);
  task.most_ink = std::min(ink + 1, pixels);
  Best best = search(task, current);
  const auto found = static_cast<uint32_t>(std::popcount(best.pattern));
  if (found == ink) return best;
  const int step = found > ink ? 1 : -1;
  for (int next = static_cast<int>(found) + step; next >= 0 && next <= static_cast<int>(pixels);
       next += step) {
    task.least_ink = task.most_ink = static_cast<uint32_t>(next);
    const Best further = search(task, best);
    if (further.error == best.error) break;
    best = further;
  }
  return best;
}

SearchWindow window_search(bool is_partial, SearchWindow search) {
  return [kind = is_partial ? partial : exhaustive, search = std::move(search)](
             const WindowTask& task, Best current) { return kind(search, task, current); };
}

}  // namespace mezzo::search
