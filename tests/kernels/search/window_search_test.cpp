// A window's best pattern: every way to search for it against every pattern there is.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <random>
#include <vector>

#include "kernels/search/cpu/local_plane.h"
#include "kernels/search/cpu/window.h"
#include "tests/support/effort.h"
#include "tests/support/simd_target.h"

namespace mezzo::search::window_search_test {
namespace {

/// std::mt19937 in 32 bits.
struct Random {
  explicit Random(uint32_t seed) : engine(seed) {}
  uint32_t operator()() { return static_cast<uint32_t>(engine()); }
  std::mt19937 engine;
};

/// A small page in some state, and its errors by the definition.
struct Page {
  Page(uint32_t width, uint32_t height, const Square& filter, Random& random)
      : width_px(static_cast<int>(width)), rows(static_cast<int>(height)), eye(filter) {
    const uint32_t kind = random() % 4, level = random() % 4097;
    for (uint32_t i = 0; i < width * height; ++i) {
      const uint32_t tones[] = {
          level, i * 4096 / (width * height), random() % 4097, random() % 2 * 4096};
      tone.push_back(static_cast<int>(tones[kind]));
      // Near the tone, or anything.
      const bool near = static_cast<int>(random() % 4096) < tone.back();
      bit.push_back(kind == 2 ? static_cast<int>(random() % 2) : static_cast<int>(near));
    }
  }

  int error(int y, int x) const {
    int on_page = 0, seen = 0;
    for (int dy = -eye.radius(); dy <= eye.radius(); ++dy) {
      for (int dx = -eye.radius(); dx <= eye.radius(); ++dx) {
        if (y + dy < 0 || y + dy >= rows || x + dx < 0 || x + dx >= width_px) continue;
        on_page += eye.at(dy, dx);
        seen += eye.at(dy, dx) * bit[index(y + dy, x + dx)];
      }
    }
    return (tone[index(y, x)] * on_page + 2048) / 4096 - seen;
  }

  size_t index(int y, int x) const { return size_t(y) * size_t(width_px) + size_t(x); }

  int width_px, rows;
  const Square& eye;
  std::vector<int> tone, bit;
};

/// A window of a page, taken apart by the definition.
struct Place {
  Place(Page& p, int window_row, int window_column, int h, int w)
      : page(p), row(window_row), column(window_column), height(h), width(w) {
    for (int k = 0; k < h * w; ++k) current = current << 1 | static_cast<uint32_t>(pixel(k));
  }
  int& pixel(int k) const { return page.bit[page.index(row + k / width, column + k % width)]; }

  /// The least of all patterns with [least, most] ink pixels: pixels flip one at a time, and the
  /// errors that they change are kept up to date.
  Best least(int least_ink, int most_ink) const {
    const int r = page.eye.radius(), pixels = height * width;
    const int top = std::max(row - r, 0), bottom = std::min(row + height + r, page.rows);
    const int left = std::max(column - r, 0), right = std::min(column + width + r, page.width_px);
    const int span = right - left;
    std::vector<int> errors;
    for (int y = top; y < bottom; ++y) {
      for (int x = left; x < right; ++x) errors.push_back(page.error(y, x));
    }
    uint32_t pattern = current;
    Best best{INT32_MAX, 0};
    for (uint32_t i = 0;; ++i) {
      const int ink = std::popcount(pattern);
      if (ink >= least_ink && ink <= most_ink) {
        int sum = 0;
        for (const int error : errors) sum += std::abs(error);
        const bool first = sum == best.error && (pattern ^ current) < (best.pattern ^ current);
        if (sum < best.error || first) best = {sum, pattern};
      }
      if (i + 1 == 1U << pixels) return best;
      const int k = pixels - 1 - std::countr_zero(i + 1);
      const uint32_t bit = 1U << (pixels - 1 - k);
      const int sign = (pattern & bit) != 0 ? 1 : -1;
      pattern ^= bit;
      const int y0 = row + k / width, x0 = column + k % width;
      for (int y = std::max(y0 - r, top); y <= std::min(y0 + r, bottom - 1); ++y) {
        for (int x = std::max(x0 - r, left); x <= std::min(x0 + r, right - 1); ++x) {
          errors[static_cast<size_t>((y - top) * span + x - left)] +=
              sign * page.eye.at(y - y0, x - x0);
        }
      }
    }
  }

  Page& page;
  int row, column, height, width;
  uint32_t current = 0;
};

/// The same window as the searches are given it.
struct Given {
  Given(const Place& place, const TablesOfArea& tables)
      : task{&tables.at(static_cast<uint32_t>(place.row), static_cast<uint32_t>(place.column)),
             nullptr,
             place.current,
             0,
             0},
        errors(task.tables->stride) {
    const int r = place.page.eye.radius();
    const auto width = static_cast<int>(task.tables->region_width());
    const auto height = static_cast<int>(task.tables->region_height());
    for (int k = 0; k < height * width; ++k) {
      const int y = place.row - r + k / width, x = place.column - r + k % width;
      if (y < 0 || y >= place.page.rows || x < 0 || x >= place.page.width_px) continue;
      errors[static_cast<size_t>(k)] = static_cast<int16_t>(place.page.error(y, x));
    }
    was = {0, place.current};
    for (const int16_t error : errors) was.error += std::abs(error);
    for (uint32_t k = 0; k < task.tables->pixels(); ++k) {
      if ((place.current & task.tables->bit(k)) == 0) continue;
      for (size_t p = 0; p < errors.size(); ++p) {
        errors[p] = static_cast<int16_t>(errors[p] + task.tables->footprint(k)[p]);
      }
    }
    task.errors = errors.data();
  }
  Given(const Given&) = delete;

  WindowTask task;
  std::vector<int16_t> errors;
  Best was;
};

/// Windows at random places of random pages, corners and borders included.
template <typename Visit>
void for_windows(int count, uint32_t window, const Square& eye, const Visit& visit) {
  Random random(window);
  for (int i = 0; i < count; ++i) {
    const uint32_t side = i % 5 == 0 ? 1 + random() % 8 : 8 + random() % 12;
    const uint32_t other = i % 5 == 0 ? 1 + random() % 20 : 8 + random() % 12;
    Page page(side, other, eye, random);
    const Area area{side, other, 0, 0, 0, nullptr, nullptr};
    const WindowGrid grid(area, window, 40, static_cast<uint32_t>(eye.radius()));
    const TablesOfArea tables(eye, area, grid);
    const Place place(page,
                      static_cast<int>(random() % grid.rows),
                      static_cast<int>(random() % grid.columns),
                      static_cast<int>(grid.height),
                      static_cast<int>(grid.width));
    const Given given(place, tables);
    visit(place, given);
    if (::testing::Test::HasFailure()) return;
  }
}

void expect_same(const Best& expected, const Best& found, const char* what) {
  EXPECT_EQ(expected.error, found.error) << what;
  EXPECT_EQ(expected.pattern, found.pattern) << what;
}

const std::pair<const char*, SearchWindow> kSearches[] = {
    {"bounds", search_by_bounds}, {"lanes", search_in_lanes}, {"literally", search_literally}};

TEST(WindowSearch, IsTheLeastOfAllPatternsInManyWindows) {
  const Square eye = gaussian_eye(1.0, 3);
  for_windows(test::effort::choose(200, 2000), 4, eye, [](const Place& place, const Given& given) {
    const Best least = place.least(0, 16);
    expect_same(least, exhaustive(search_by_bounds, given.task, given.was), "bounds");
    expect_same(least, exhaustive(search_in_lanes, given.task, given.was), "lanes");
  });
}

TEST(WindowSearch, IsTheSameForEveryEyeAndWindow) {
  for (const uint32_t radius : {1U, 2U, 3U, 4U, 5U, 6U}) {
    const Square eye = gaussian_eye(0.3 + 0.3 * radius, radius);
    for (const uint32_t window : {2U, 3U}) {
      for_windows(60, window, eye, [&](const Place& place, const Given& given) {
        const Best least = place.least(0, place.height * place.width);
        for (const auto& [name, search] : kSearches) {
          expect_same(least, exhaustive(search, given.task, given.was), name);
        }
      });
    }
    for_windows(10, 4, eye, [&](const Place& place, const Given& given) {
      const Best least = place.least(0, place.height * place.width);
      expect_same(least, exhaustive(search_literally, given.task, given.was), "literally");
      expect_same(least, exhaustive(search_in_lanes, given.task, given.was), "lanes");
    });
  }
}

TEST(WindowSearch, WindowsOfFiveAgree) {
  const Square eye = gaussian_eye(1.0, 2);
  for_windows(20, 5, eye, [](const Place&, const Given& given) {
    expect_same(exhaustive(search_by_bounds, given.task, given.was),
                exhaustive(search_in_lanes, given.task, given.was),
                "lanes");
  });
}

class WindowSearchOnTarget : public test::OnTarget {};
MZ_ON_EVERY_TARGET(Lanes, WindowSearchOnTarget);

TEST_P(WindowSearchOnTarget, IsTheLeastOfAllPatterns) {
  for (const auto& [radius, window] :
       std::vector<std::pair<uint32_t, uint32_t>>{{3, 4}, {1, 2}, {2, 3}, {6, 3}}) {
    const Square eye = gaussian_eye(0.35 * radius, radius);
    for_windows(40, window, eye, [](const Place& place, const Given& given) {
      const Best least = place.least(0, place.height * place.width);
      expect_same(least, exhaustive(search_in_lanes, given.task, given.was), "lanes");
      expect_same(least, exhaustive(search_literally, given.task, given.was), "literally");
    });
  }
}

/// The walk of partial search, from the least pattern of each count of ink.
Best walk(const Place& place) {
  const int pixels = place.height * place.width;
  int ink = std::popcount(place.current);
  Best best = place.least(std::max(ink - 1, 0), std::min(ink + 1, pixels));
  const int step = std::popcount(best.pattern) - ink;
  if (step == 0) return best;
  for (ink += 2 * step; ink >= 0 && ink <= pixels; ink += step) {
    const Best next = place.least(ink, ink);
    if (next.error >= best.error) break;
    best = next;
  }
  return best;
}

TEST(WindowSearch, PartialSearchWalksFromCountToCount) {
  int walked = 0, missed = 0;
  for (const uint32_t window : {2U, 3U}) {
    for_windows(400, window, gaussian_eye(0.7, 2), [&](const Place& place, const Given& given) {
      const Best expected = walk(place);
      for (const auto& [name, search] : kSearches) {
        expect_same(expected, partial(search, given.task, given.was), name);
      }
      const int change = std::popcount(expected.pattern) - std::popcount(place.current);
      walked += std::abs(change) > 1 ? 1 : 0;
      missed += exhaustive(search_in_lanes, given.task, given.was).error < expected.error ? 1 : 0;
    });
  }
  // Random states are far from any tone, so that some walks are long, and few miss anything.
  EXPECT_GT(walked, 50);
  EXPECT_LT(missed, 40);
}

TEST(WindowSearch, RevolvingDoorHasEveryPatternOnceAndTurnsTwoPixels) {
  for (const uint32_t pixels : {1U, 4U, 9U, 16U}) {
    uint64_t all = 0;
    for (uint32_t ink = 0; ink <= pixels; ++ink) {
      std::vector<uint32_t> list = revolving_door(pixels, ink);
      all += list.size();
      for (size_t i = 0; i < list.size(); ++i) {
        EXPECT_EQ(std::popcount(list[i]), static_cast<int>(ink));
        EXPECT_TRUE(i == 0 || std::popcount(list[i] ^ list[i - 1]) == 2);
      }
      std::ranges::sort(list);
      EXPECT_EQ(std::ranges::adjacent_find(list), list.end());
    }
    EXPECT_EQ(all, uint64_t{1} << pixels);
  }
}

}  // namespace
}  // namespace mezzo::search::window_search_test
