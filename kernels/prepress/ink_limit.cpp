// Sums are made in loops that compilers vectorise; only pixels above the limit are divided.
#include "kernels/prepress/ink_limit.h"

#include <algorithm>

namespace mezzo::prepress {
namespace {

constexpr uint32_t kChunk = 512;

/// Of ink a pixel: 2^16 inks of 32640 fit.
struct ChunkSums {
  uint32_t cmy[kChunk];
  uint32_t all[kChunk];
};

void add_row(const uint16_t* row, uint32_t count, uint32_t* sums) {
  if (row == nullptr) return;
  for (uint32_t i = 0; i < count; ++i) sums[i] += row[i];
}

ChunkSums sums_of(const LimitedInks<const uint16_t>& inks, uint32_t at, uint32_t count) {
  const auto from = [at](const uint16_t* row) { return row == nullptr ? nullptr : row + at; };
  ChunkSums sums;
  std::fill_n(sums.cmy, count, 0);
  for (size_t ink = 0; ink < 3; ++ink) add_row(from(inks.cmyk[ink]), count, sums.cmy);
  std::copy_n(sums.cmy, count, sums.all);
  add_row(from(inks.cmyk[3]), count, sums.all);
  for (const uint16_t* row : inks.spots) add_row(from(row), count, sums.all);
  return sums;
}

InkLimitCounts counts_of(const uint32_t* sums, uint32_t count, uint32_t most) {
  InkLimitCounts counts{.pixels = count};
  uint32_t above = 0, largest = 0;
  for (uint32_t i = 0; i < count; ++i) {
    counts.sum_before += sums[i];
    above += sums[i] > most ? 1 : 0;
    largest = std::max(largest, sums[i]);
  }
  counts.above = above;
  counts.most_before = counts.most_after = largest;
  counts.sum_after = counts.sum_before;
  return counts;
}

/// Keeps pixel i, of these sums, to `most`. Returns its sum then.
uint32_t limit_pixel(
    uint32_t most, const LimitedInks<uint16_t>& inks, uint32_t i, uint32_t cmy, uint32_t all) {
  uint32_t others = all - cmy;
  if (uint16_t* black = inks.cmyk[3]; black != nullptr && black[i] > most) {
    others -= black[i] - most;
    black[i] = static_cast<uint16_t>(most);
  }
  // Less than C + M + Y, and so below 2^17: the product fits 32 bits.
  const uint32_t left = most > others ? most - others : 0;
  if (left >= cmy) return others + cmy;
  uint32_t sum = others;
  for (size_t ink = 0; ink < 3; ++ink) {
    if (inks.cmyk[ink] == nullptr) continue;
    uint16_t& sample = inks.cmyk[ink][i];
    sample = static_cast<uint16_t>(sample * left / cmy);
    sum += sample;
  }
  return sum;
}

constexpr uint32_t kWhole = 4096;  // a factor of 1

using PrintedPlanes = std::span<const PrintedPlane>;

/// What is printed of pixel i once its samples have the factor.
uint32_t printed_of(PrintedPlanes planes, uint32_t i, uint32_t factor) {
  uint32_t sum = 0;
  for (const PrintedPlane& plane : planes) {
    if (plane.printed != nullptr) sum += plane.printed[plane.samples[i] * factor / kWhole];
  }
  return sum;
}

/// Makes pixel i so light that at most `most` is printed of it. Returns how much is.
uint32_t lighten(PrintedPlanes planes, uint32_t i, uint32_t most) {
  uint32_t within = 0, above = kWhole;
  while (above - within > 1) {
    const uint32_t middle = (within + above) / 2;
    (printed_of(planes, i, middle) <= most ? within : above) = middle;
  }
  for (const PrintedPlane& plane : planes) {
    uint16_t& sample = plane.samples[i];
    sample = static_cast<uint16_t>(sample * within / kWhole);
  }
  return printed_of(planes, i, kWhole);
}

void add_printed(PrintedPlanes planes, uint32_t at, uint32_t count, uint32_t* sums) {
  for (const PrintedPlane& plane : planes) {
    if (plane.printed == nullptr) continue;
    const uint16_t* row = plane.samples + at;
    for (uint32_t i = 0; i < count; ++i) sums[i] += plane.printed[row[i]];
  }
}

/// What is printed of each pixel of the chunk that begins at `at`.
ChunkSums printed_sums(const PrintedInks& inks, uint32_t at, uint32_t count) {
  ChunkSums sums;
  std::fill_n(sums.cmy, count, 0);
  add_printed(inks.colours, at, count, sums.cmy);
  std::copy_n(sums.cmy, count, sums.all);
  add_printed(inks.blacks, at, count, sums.all);
  add_printed(inks.others, at, count, sums.all);
  return sums;
}

/// Keeps pixel i, of these sums, to `most`. Returns its sum then.
uint32_t limit_printed_pixel(
    uint32_t most, const PrintedInks& inks, uint32_t i, uint32_t cmy, uint32_t all) {
  uint32_t others = all - cmy;
  const uint32_t black = printed_of(inks.blacks, i, kWhole);
  if (black > most) others -= black - lighten(inks.blacks, i, most);
  const uint32_t left = most > others ? most - others : 0;
  return others + (cmy > left ? lighten(inks.colours, i, left) : cmy);
}

}  // namespace

InkLimitCounts& InkLimitCounts::operator+=(const InkLimitCounts& other) {
  pixels += other.pixels;
  above += other.above;
  changed += other.changed;
  sum_before += other.sum_before;
  sum_after += other.sum_after;
  most_before = std::max(most_before, other.most_before);
  most_after = std::max(most_after, other.most_after);
  return *this;
}

InkLimitCounts count_ink(uint32_t most, const LimitedInks<const uint16_t>& inks, uint32_t count) {
  InkLimitCounts counts;
  for (uint32_t at = 0; at < count; at += kChunk) {
    const uint32_t some = std::min(kChunk, count - at);
    counts += counts_of(sums_of(inks, at, some).all, some, most);
  }
  return counts;
}

namespace {

/// Keeps pixels to `most`, chunk by chunk. `sums_of` gives the sums of a chunk, `limit` keeps one pixel
/// and returns its sum then.
template <typename Sums, typename Limit>
InkLimitCounts limit_chunks(uint32_t most,
                            uint32_t count,
                            const Sums& sums_of,
                            const Limit& limit) {
  InkLimitCounts counts;
  for (uint32_t at = 0; at < count; at += kChunk) {
    const uint32_t some = std::min(kChunk, count - at);
    ChunkSums sums = sums_of(at, some);
    InkLimitCounts found = counts_of(sums.all, some, most);
    if (found.above > 0) {
      for (uint32_t i = 0; i < some; ++i) {
        if (sums.all[i] <= most) continue;
        const uint32_t sum = limit(at + i, sums.cmy[i], sums.all[i]);
        found.changed += sum < sums.all[i] ? 1 : 0;
        sums.all[i] = sum;
      }
      const InkLimitCounts after = counts_of(sums.all, some, most);
      found.sum_after = after.sum_before;
      found.most_after = after.most_before;
    }
    counts += found;
  }
  return counts;
}

}  // namespace

InkLimitCounts limit_ink(uint32_t most, const LimitedInks<uint16_t>& inks, uint32_t count) {
  const auto& [c, m, y, k] = inks.cmyk;
  const LimitedInks<const uint16_t> before{{c, m, y, k}, inks.spots};
  return limit_chunks(
      most,
      count,
      [&](uint32_t at, uint32_t some) { return sums_of(before, at, some); },
      [&](uint32_t i, uint32_t cmy, uint32_t all) { return limit_pixel(most, inks, i, cmy, all); });
}

InkLimitCounts limit_printed_ink(uint32_t most, const PrintedInks& inks, uint32_t count) {
  return limit_chunks(
      most,
      count,
      [&](uint32_t at, uint32_t some) { return printed_sums(inks, at, some); },
      [&](uint32_t i, uint32_t cmy, uint32_t all) {
        return limit_printed_pixel(most, inks, i, cmy, all);
      });
}

InkLimitCounts count_printed_ink(uint32_t most, const PrintedInks& inks, uint32_t count) {
  InkLimitCounts counts;
  for (uint32_t at = 0; at < count; at += kChunk) {
    const uint32_t some = std::min(kChunk, count - at);
    counts += counts_of(printed_sums(inks, at, some).all, some, most);
  }
  return counts;
}

}  // namespace mezzo::prepress
