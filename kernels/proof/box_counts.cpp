#include "kernels/proof/box_counts.h"

#include <array>
#include <bit>
#include <cstring>

#include "kernels/base/error.h"

namespace mezzo::proof {
namespace {

/// Pixels of a row that are looked at together: so many are in 8 bytes wherever they begin.
constexpr uint32_t kAtOnce = 56;

/// `count` pixels of a packed row from `first` on, the first in the highest of the low `count` bits.
uint64_t pixels(const uint8_t* row, size_t row_bytes, uint32_t first, uint32_t count) {
  const size_t at = first / 8;
  uint64_t bits = 0;
  if (at + 8 <= row_bytes) {
    std::memcpy(&bits, row + at, 8);
    if constexpr (std::endian::native == std::endian::little) bits = __builtin_bswap64(bits);
  } else {
    for (size_t i = 0; i < 8; ++i) bits = bits << 8 | (at + i < row_bytes ? row[at + i] : 0);
  }
  return bits << first % 8 >> (64 - count);
}

/// The part of row `i` of the plate that lies under row `y` of boxes.
uint64_t weight_of(const BoxAxis& down, uint32_t y, uint32_t i) {
  const uint64_t begin = std::max(down.begin(y), uint64_t{i} * down.p);
  return std::min(down.end(y), (uint64_t{i} + 1) * down.p) - begin;
}

/// The areas of one row of boxes, for `Inks` plates. Areas below *all* inks of a set are counted,
/// by an AND and a count of ones for each set; those of the set *alone* follow from them.
template <size_t Inks>
class Counter {
 public:
  static constexpr uint32_t kSets = 1U << Inks;

  Counter(const BoxAxis& across, std::span<const BitBand> plates, std::span<uint64_t> out)
      : across_(across), plates_(plates), out_(out) {
    std::ranges::fill(out_, 0);
  }

  /// A row of the plates, whose boxes it covers by `weight`.
  void add_row(uint32_t row, uint64_t weight) {
    std::array<const uint8_t*, Inks> rows;
    for (size_t k = 0; k < Inks; ++k) rows[k] = plates_[k].row(row - plates_[k].first_row);
    const uint32_t boxes = across_.boxes();
    uint64_t begin = 0;
    for (uint32_t box = 0; box < boxes; ++box) {
      const uint64_t end = across_.end(box);
      add_box(rows, begin, end, weight, &out_[size_t{box} * kSets]);
      begin = end;
    }
  }

  /// Sets that were counted with all that hold them become sets alone.
  void finish() {
    const uint32_t boxes = across_.boxes();
    for (uint32_t box = 0; box < boxes; ++box) {
      uint64_t* areas = &out_[size_t{box} * kSets];
      for (uint32_t bit = 1; bit < kSets; bit *= 2) {
        for (uint32_t set = 0; set < kSets; ++set) {
          if ((set & bit) == 0) areas[set] -= areas[set | bit];
        }
      }
    }
  }

 private:
  void add_box(const std::array<const uint8_t*, Inks>& rows,
               uint64_t begin,
               uint64_t end,
               uint64_t weight,
               uint64_t* areas) const {
    const uint64_t p = across_.p;
    const auto first = static_cast<uint32_t>(begin / p), last = static_cast<uint32_t>(end / p);
    const uint64_t before = begin % p, behind = end % p;  // of the outermost pixels
    std::array<uint32_t, kSets> counts{};
    for (uint32_t at = first; at < last; at += kAtOnce)
      count(rows, at, std::min(last - at, kAtOnce), counts);
    for (uint32_t set = 0; set < kSets; ++set) areas[set] += weight * p * counts[set];
    if (before != 0) add_part(rows, first, -(weight * before), areas);
    if (behind != 0) add_part(rows, last, weight * behind, areas);
  }

  void count(const std::array<const uint8_t*, Inks>& rows,
             uint32_t first,
             uint32_t count,
             std::array<uint32_t, kSets>& counts) const {
    std::array<uint64_t, kSets> all;  // inks of a set
    counts[0] += count;
    for (size_t k = 0; k < Inks; ++k)
      all[size_t{1} << k] = pixels(rows[k], row_bytes_, first, count);
    for (uint32_t set = 1; set < kSets; ++set) {
      const uint32_t rest = set & (set - 1);
      if (rest != 0) all[set] = all[rest] & all[set ^ rest];
      counts[set] += static_cast<uint32_t>(std::popcount(all[set]));
    }
  }

  /// Adds to all sets that the inks of a pixel hold; a negative weight wraps around, and back.
  void add_part(const std::array<const uint8_t*, Inks>& rows,
                uint32_t pixel,
                uint64_t weight,
                uint64_t* areas) const {
    uint32_t inks = 0;
    for (size_t k = 0; k < Inks; ++k) inks |= (rows[k][pixel / 8] >> (7 - pixel % 8) & 1U) << k;
    for (uint32_t set = 0; set < kSets; ++set) {
      if ((set & ~inks) == 0) areas[set] += weight;
    }
  }

  const BoxAxis across_;
  const std::span<const BitBand> plates_;
  const std::span<uint64_t> out_;
  const size_t row_bytes_ = bit_row_bytes(across_.plate_px);
};

template <size_t Inks>
void count_sets(const BoxAxis& across,
                const BoxAxis& down,
                uint32_t y,
                std::span<const BitBand> plates,
                std::span<uint64_t> out) {
  Counter<Inks> counter(across, plates, out);
  for (uint32_t i = down.first_px(y); i < down.end_px(y + 1); ++i) {
    counter.add_row(i, weight_of(down, y, i));
  }
  counter.finish();
}

}  // namespace

void count_overprints(const BoxAxis& across,
                      const BoxAxis& down,
                      uint32_t y,
                      std::span<const BitBand> plates,
                      std::span<uint64_t> out) {
  MZ_ASSERT(plates.size() <= kMostCounted);
  MZ_ASSERT(out.size() == size_t{across.boxes()} << plates.size());
  constexpr std::array kCount = {
      count_sets<0>, count_sets<1>, count_sets<2>, count_sets<3>, count_sets<4>};
  kCount[plates.size()](across, down, y, plates, out);
}

void count_ink(const BoxAxis& across,
               const BoxAxis& down,
               uint32_t y,
               const BitBand& plate,
               const DropLevels* levels,
               std::span<uint64_t> out) {
  MZ_ASSERT(out.size() == across.boxes());
  std::ranges::fill(out, 0);
  const auto tone = [&](uint32_t x, uint32_t row) -> uint64_t {
    const uint32_t level = plate.level(x, row);
    if (levels == nullptr) return level;
    return levels->tones[std::min(level, levels->count - 1)];
  };
  for (uint32_t i = down.first_px(y); i < down.end_px(y + 1); ++i) {
    const uint64_t weight = weight_of(down, y, i);
    for (uint32_t box = 0; box < out.size(); ++box) {
      uint64_t sum = 0;
      for (uint32_t x = across.first_px(box); x < across.end_px(box + 1); ++x) {
        sum += weight_of(across, box, x) * tone(x, i - plate.first_row);
      }
      out[box] += weight * sum;
    }
  }
}

}  // namespace mezzo::proof
