#include "kernels/codec/deflate_segments.h"

#include <bit>
#include <utility>

#include "kernels/codec/byte_runs.h"

namespace mezzo::codec {
namespace {

/// Marks that begin a row of `count` marks within the word, a power of 2.
uint64_t long_runs(uint64_t marks, uint32_t count) {
  for (uint32_t half = 1; half < count; half *= 2) marks &= marks >> half;
  return marks;
}

/// Cuts bytes where a repetition begins that a match writes shorter. Shorter ones than twice these
/// are missed where they lie across a word of marks.
class Cutter {
 public:
  Cutter(std::span<const uint8_t> bytes, size_t row_bytes)
      : bytes_(bytes),
        runs_(bytes, 1),
        rows_(bytes, row_bytes <= kFarthestRow ? row_bytes : bytes.size()) {}

  std::vector<Segment> cut() {
    for (size_t word = 0; word < runs_.words(); ++word) {
      while (const uint64_t starts = starts_in(word)) {
        take(64 * word + static_cast<size_t>(std::countr_zero(starts)));
      }
    }
    if (at_ < bytes_.size()) segments_.push_back({bytes_.subspan(at_)});
    return std::move(segments_);
  }

 private:
  static constexpr uint32_t kShortestRun = 8, kShortestRow = 16;

  /// Of repetitions behind all segments.
  uint64_t starts_in(size_t word) const {
    if (at_ >= 64 * (word + 1)) return 0;
    const uint64_t ahead = at_ > 64 * word ? UINT64_MAX << at_ % 64 : UINT64_MAX;
    return long_runs(runs_.marks(word) & ahead, kShortestRun) |
           long_runs(rows_.marks(word) & ahead, kShortestRow);
  }

  /// The longer of the two; a run at equal length, as its distance takes no bits of its own.
  void take(size_t first) {
    const size_t end_of_run = runs_.find_unmarked(first), end_of_row = rows_.find_unmarked(first);
    const bool is_run = end_of_run - first >= kShortestRun;
    const bool from_row = end_of_row > (is_run ? end_of_run : first) + kShortestRow - 1;
    const size_t end = from_row ? end_of_row : end_of_run;
    segments_.push_back({bytes_.subspan(at_, first - at_), end - first, from_row});
    at_ = end;
  }

  std::span<const uint8_t> bytes_;
  ByteRuns runs_, rows_;
  std::vector<Segment> segments_;
  size_t at_ = 0;  // the first byte in no segment
};

}  // namespace

std::vector<Segment> deflate_segments(std::span<const uint8_t> rows, size_t row_bytes) {
  return Cutter(rows, row_bytes).cut();
}

}  // namespace mezzo::codec
