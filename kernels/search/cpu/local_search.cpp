#include "kernels/search/cpu/local_search.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>

#include "kernels/base/error.h"
#include "kernels/search/cpu/local_plane.h"

namespace mezzo::search {
namespace {

using Clock = std::chrono::steady_clock;

class LocalSearch final : public Search {
 public:
  LocalSearch(const LocalSettings& settings, const Area& area, Team& team, SearchWindow search)
      : settings_(settings),
        search_(std::move(search)),
        area_(area),
        grid_(area, settings.window, settings.cell, static_cast<uint32_t>(settings.eye.radius())),
        tables_(settings.eye, area, grid_),
        stride_(area.width_px + 2 * size_t{grid_.radius}),
        errors_(stride_ * (area.rows + 2 * size_t{grid_.radius})),
        is_open_(size_t{grid_.rows} * grid_.columns, 1) {
    MZ_ASSERT(settings.cell >= least_cell(grid_.radius, settings.window));
    MZ_ASSERT(area.settled_rows == 0 || area.settled_rows >= 2 * grid_.radius);
    look(team);
  }

  uint64_t error() const override { return error_ - saved_; }

  double of_255(uint64_t error) const override { return average_of_255(area_, grid_, error); }

  Round round(Team& team, const std::function<void(double)>& pause) override {
    changed_ = 0;
    for (uint32_t group = 0; group < 4; ++group) {
      CellQueue queue(CellsOfGroup(group, grid_));
      while (!queue.is_empty()) {
        const auto until = Clock::now() + settings_.between_pauses;
        team.run([&] {
          do {
            auto work = queue.take();
            if (!work) break;
            if (!search_cell(*work, until)) queue.give_back(*work);
          } while (Clock::now() < until);
        });
        pause((group + queue.part_taken()) / 4);
      }
    }
    error_ -= saved_;
    saved_ = 0;
    return {changed_, error_};
  }

  void finish() override {}

 private:
  /// A cell, and how many of its windows have had their turn.
  struct CellWork {
    uint32_t row, column;
    uint32_t windows = 0;
  };

  /// Cells of a group that are still to be searched.
  class CellQueue {
   public:
    explicit CellQueue(const CellsOfGroup& cells) : cells_(cells) {}

    std::optional<CellWork> take() {
      const std::lock_guard lock(mutex_);
      if (!begun_.empty()) {
        const CellWork work = begun_.back();
        begun_.pop_back();
        return work;
      }
      if (next_ == cells_.count()) return std::nullopt;
      const uint32_t i = next_++;
      return CellWork{cells_.row(i), cells_.column(i)};
    }
    void give_back(const CellWork& work) {
      const std::lock_guard lock(mutex_);
      begun_.push_back(work);
    }
    bool is_empty() const { return begun_.empty() && next_ == cells_.count(); }
    double part_taken() const { return static_cast<double>(next_) / std::max(cells_.count(), 1U); }

   private:
    const CellsOfGroup cells_;
    std::mutex mutex_;
    uint32_t next_ = 0;
    std::vector<CellWork> begun_;
  };

  int16_t* errors(int64_t row, int64_t column) {
    const auto r = static_cast<int64_t>(grid_.radius);
    return errors_.data() + (row + r) * static_cast<int64_t>(stride_) + column + r;
  }

  /// Errors of all pixels that count, and their sum.
  void look(Team& team) {
    const EyeOnPage on_page(settings_.eye, area_);
    std::atomic<uint64_t> sum{0};
    for_each_index(team, area_.rows - grid_.top, [&](uint32_t i) {
      const uint32_t row = grid_.top + i;
      int16_t* out = errors(row, 0);
      const uint16_t* tones = area_.tones + size_t{row} * area_.width_px;
      std::vector<int32_t> seen(area_.width_px);
      see(row, seen);
      uint64_t row_sum = 0;
      for (uint32_t x = 0; x < area_.width_px; ++x) {
        const int32_t error = on_page.target(row, x, tones[x]) - seen[x];
        out[x] = static_cast<int16_t>(error);
        row_sum += static_cast<uint64_t>(std::abs(error));
      }
      sum += row_sum;
    });
    error_ = sum;
  }

  /// The bits of a row through the eye.
  void see(uint32_t row, std::vector<int32_t>& seen) const {
    const int r = settings_.eye.radius();
    const auto width = static_cast<int>(area_.width_px);
    for (int dy = -r; dy <= r; ++dy) {
      const int64_t y = int64_t{row} + dy;
      if (y < 0 || y >= area_.rows) continue;
      const uint8_t* bits = area_.bits + static_cast<size_t>(y) * area_.width_px;
      for (int dx = -r; dx <= r; ++dx) {
        const int32_t weight = settings_.eye.at(dy, dx);
        const int end = std::min(width, width - dx);
        for (int x = std::max(0, -dx); x < end; ++x) {
          seen[static_cast<size_t>(x)] += bits[x + dx] != 0 ? weight : 0;
        }
      }
    }
  }

  /// Searches the cell's windows in turn, one at least; false when time was up before the last.
  bool search_cell(CellWork& work, Clock::time_point until) {
    const uint32_t first_row = grid_.begin_of(work.row), first_column = work.column * grid_.cell;
    const uint32_t columns = std::min(grid_.cell, grid_.columns - first_column);
    const uint32_t count = (grid_.end_of(work.row) - first_row) * columns;
    while (work.windows < count) {
      const uint32_t window = work.windows++;
      const uint32_t row = first_row + window / columns, column = first_column + window % columns;
      if (!is_open(row, column)) continue;
      search_window(row, column);
      open(row, column, 0);
      if (Clock::now() >= until && work.windows < count) return false;
    }
    return true;
  }

  void search_window(uint32_t row, uint32_t column) {
    const WindowTables& tables = tables_.at(row, column);
    alignas(64) int16_t region[kMostRegion];
    const int32_t error = gather(tables, row, column, region);
    uint32_t current = 0;
    for (uint32_t place = 0; place < tables.pixels(); ++place) {
      if (*bit_at(tables, row, column, place) == 0) continue;
      current |= tables.bit(place);
      const int16_t* footprint = tables.footprint(place);
      for (uint32_t p = 0; p < tables.stride; ++p) {
        region[p] = static_cast<int16_t>(region[p] + footprint[p]);
      }
    }
    const Best best = search_({&tables, region, current, 0, 0}, {error, current});
    if (best.pattern == current) return;
    saved_ += static_cast<uint64_t>(error - best.error);
    for (uint32_t place = 0; place < tables.pixels(); ++place) {
      if (((best.pattern ^ current) & tables.bit(place)) == 0) continue;
      const uint32_t pixel = tables.order[place];
      toggle(row + pixel / tables.width, column + pixel % tables.width);
    }
  }

  /// Errors of a window's region, 0 off the page; returns the sum of |error|.
  int32_t gather(const WindowTables& tables, uint32_t row, uint32_t column, int16_t* region) {
    const uint32_t height = tables.region_height(), width = tables.region_width();
    const auto r = static_cast<int64_t>(tables.radius);
    const auto& clip = tables.clip;
    std::memset(region, 0, tables.stride * sizeof(int16_t));
    const uint32_t on_page = width - clip.left - clip.right;
    for (uint32_t y = clip.above; y < height - clip.below; ++y) {
      std::memcpy(region + y * width + clip.left,
                  errors(int64_t{row} + y - r, int64_t{column} + clip.left - r),
                  on_page * sizeof(int16_t));
    }
    int32_t sum = 0;
    for (uint32_t p = 0; p < tables.stride; ++p) sum += std::abs(region[p]);
    return sum;
  }

  uint8_t* bit_at(const WindowTables& tables, uint32_t row, uint32_t column, uint32_t place) {
    const uint32_t pixel = tables.order[place];
    return area_.bits + size_t{row + pixel / tables.width} * area_.width_px + column +
           pixel % tables.width;
  }

  /// Changes a pixel, the errors that the eye sees it in, and opens the windows that see one of
  /// those.
  void toggle(uint32_t row, uint32_t column) {
    uint8_t& bit = area_.bits[size_t{row} * area_.width_px + column];
    bit ^= 1;
    ++changed_;
    const int r = settings_.eye.radius();
    for (int dy = -r; dy <= r; ++dy) {
      int16_t* line = errors(int64_t{row} + dy, column);
      for (int dx = -r; dx <= r; ++dx) {
        const int32_t weight = settings_.eye.at(dy, dx);
        line[dx] = static_cast<int16_t>(bit != 0 ? line[dx] - weight : line[dx] + weight);
      }
    }
    const uint32_t up = 2 * grid_.radius + grid_.height - 1, down = 2 * grid_.radius;
    const uint32_t left = 2 * grid_.radius + grid_.width - 1;
    const uint32_t begin = std::max(row - std::min(row, up), grid_.first);
    const uint32_t end = std::min(row + down + 1, grid_.first + grid_.rows);
    const uint32_t end_column = std::min(column + down + 1, grid_.columns);
    for (uint32_t y = begin; y < end; ++y) {
      for (uint32_t x = column - std::min(column, left); x < end_column; ++x) open(y, x, 1);
    }
  }

  // Two cells of a group may open the same window between them at once.
  void open(uint32_t row, uint32_t column, uint8_t value) {
    std::atomic_ref(is_open_[size_t{row - grid_.first} * grid_.columns + column])
        .store(value, std::memory_order_relaxed);
  }
  bool is_open(uint32_t row, uint32_t column) {
    return std::atomic_ref(is_open_[size_t{row - grid_.first} * grid_.columns + column])
               .load(std::memory_order_relaxed) != 0;
  }

  const LocalSettings settings_;
  const SearchWindow search_;
  const Area area_;
  const WindowGrid grid_;
  const TablesOfArea tables_;
  size_t stride_;
  std::vector<int16_t> errors_;   ///< with `radius` more on every side, which are not used
  std::vector<uint8_t> is_open_;  ///< windows to search
  uint64_t error_ = 0;
  std::atomic<uint64_t> changed_{0}, saved_{0};  ///< in this round
};

}  // namespace

std::unique_ptr<Search> make_local_search(const LocalSettings& settings,
                                          const Area& area,
                                          Team& team,
                                          SearchWindow search) {
  return std::make_unique<LocalSearch>(settings, area, team, std::move(search));
}

std::unique_ptr<Search> make_local_search(const LocalSettings& settings,
                                          const Area& area,
                                          Team& team) {
  return make_local_search(settings, area, team, window_search(settings.partial, search_in_lanes));
}

}  // namespace mezzo::search
