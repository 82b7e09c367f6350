#include "kernels/quality/colour/printed_light.h"

#include <algorithm>
#include <cmath>

#include "kernels/base/error.h"

namespace mezzo::quality {
namespace {

/// For each column of the place, `margin` more on either side, the column of an ink's plane.
std::vector<uint32_t> columns_of(const Place& place,
                                 size_t ink,
                                 uint32_t width_px,
                                 uint32_t margin) {
  const int64_t shift = (place.moved_inks >> ink & 1) != 0 ? place.shift_px : 0;
  std::vector<uint32_t> columns(place.width_px + 2 * margin);
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i] = mirrored(place.x + static_cast<int64_t>(i) - margin - shift, width_px);
  }
  return columns;
}

std::vector<std::vector<uint32_t>> columns_of(std::span<const Window> windows,
                                              const Place& place,
                                              uint32_t margin) {
  std::vector<std::vector<uint32_t>> columns;
  for (size_t k = 0; k < windows.size(); ++k) {
    columns.push_back(columns_of(place, k, windows[k].width_px(), margin));
  }
  return columns;
}

void resize(Fields& fields, const Place& place) {
  for (Patch& field : fields) field.resize(place.width_px, place.height_px);
}

void put(const proof::Xyz& value, Fields& fields, uint32_t x, uint32_t y) {
  for (size_t c = 0; c < 3; ++c) fields[c].row(y)[x] = value[c];
}

/// The part of a pixel that ink covers; `rows` are those above, of and below it, `columns` those left,
/// of and right of it.
double grown(const std::array<const uint8_t*, 3>& rows, const uint32_t* columns, double gain) {
  const auto dot = [&](size_t down, size_t across) { return rows[down][columns[across]]; };
  if (dot(1, 1) != 0) return 1;
  const double width = std::max(0.0, 1 - gain * (dot(1, 0) + dot(1, 2)));
  const double height = std::max(0.0, 1 - gain * (dot(0, 1) + dot(2, 1)));
  int corners = 0;
  for (const size_t down : {0, 2}) {
    for (const size_t across : {0, 2}) {
      if (dot(down, 1) == 0 && dot(1, across) == 0) corners += dot(down, across);
    }
  }
  return 1 - std::max(0.0, width * height - gain * gain * corners);
}

}  // namespace

PrintedLight::PrintedLight(const Print& print)
    : roots_(proof::light_of_sets(print.colours)), gain_px_(print.gain_px) {
  MZ_ASSERT(print.gain_px >= 0 && print.gain_px <= 1);
  for (proof::Xyz& root : roots_) {
    for (double& value : root) value = std::sqrt(std::max(value, 0.0));
  }
}

/// Demichel's areas, folded ink by ink.
proof::Xyz PrintedLight::mix(std::span<const double> coverage) const {
  std::array<proof::Xyz, size_t{1} << (kMostColourInks - 1)> folded;
  const proof::Xyz* from = roots_.data();
  size_t sets = roots_.size();
  for (const double part : coverage) {
    sets /= 2;
    for (size_t set = 0; set < sets; ++set) {
      const proof::Xyz &without = from[2 * set], &with = from[2 * set + 1];
      for (size_t c = 0; c < 3; ++c) {
        folded[set][c] = without[c] + part * (with[c] - without[c]);
      }
    }
    from = folded.data();
  }
  return from[0];
}

void PrintedLight::of_contone(std::span<const Window> windows,
                              const Place& place,
                              Fields& roots) const {
  const auto columns = columns_of(windows, place, 0);
  const size_t inks = windows.size();
  std::vector<const uint16_t*> rows(inks);
  std::vector<double> coverage(inks);
  resize(roots, place);
  for (uint32_t j = 0; j < place.height_px; ++j) {
    const uint32_t y = mirrored(place.y + j, windows[0].height_px());
    for (size_t k = 0; k < inks; ++k) rows[k] = windows[k].ink(y);
    for (uint32_t i = 0; i < place.width_px; ++i) {
      for (size_t k = 0; k < inks; ++k) coverage[k] = windows[k].coverage(rows[k][columns[k][i]]);
      put(mix(coverage), roots, i, j);
    }
  }
}

void PrintedLight::of_plates(std::span<const Window> windows,
                             const Place& place,
                             Fields& roots) const {
  resize(roots, place);
  gain_px_ > 0 ? of_grown_plates(windows, place, roots) : of_bits(windows, place, roots);
}

void PrintedLight::of_bits(std::span<const Window> windows,
                           const Place& place,
                           Fields& roots) const {
  const auto columns = columns_of(windows, place, 0);
  std::vector<uint32_t> sets(place.width_px);
  for (uint32_t j = 0; j < place.height_px; ++j) {
    const uint32_t y = mirrored(place.y + j, windows[0].height_px());
    std::ranges::fill(sets, 0U);
    for (size_t k = 0; k < windows.size(); ++k) {
      const uint8_t* bits = windows[k].bits(y);
      for (uint32_t i = 0; i < place.width_px; ++i) {
        sets[i] |= static_cast<uint32_t>(bits[columns[k][i]]) << k;
      }
    }
    for (uint32_t i = 0; i < place.width_px; ++i) put(roots_[sets[i]], roots, i, j);
  }
}

void PrintedLight::of_grown_plates(std::span<const Window> windows,
                                   const Place& place,
                                   Fields& roots) const {
  const auto columns = columns_of(windows, place, 1);
  std::vector<double> coverage(windows.size());
  std::vector<std::array<const uint8_t*, 3>> rows(windows.size());
  for (uint32_t j = 0; j < place.height_px; ++j) {
    for (size_t k = 0; k < windows.size(); ++k) {
      for (uint32_t down = 0; down < 3; ++down) {
        rows[k][down] = windows[k].bits(mirrored(place.y + j + down - 1, windows[k].height_px()));
      }
    }
    for (uint32_t i = 0; i < place.width_px; ++i) {
      for (size_t k = 0; k < windows.size(); ++k) {
        coverage[k] = grown(rows[k], &columns[k][i], gain_px_);
      }
      put(mix(coverage), roots, i, j);
    }
  }
}

bool is_blank(std::span<const Window> windows, const Place& place) {
  for (size_t k = 0; k < windows.size(); ++k) {
    const auto columns = columns_of(place, k, windows[k].width_px(), 1);
    for (uint32_t j = 0; j < place.height_px; ++j) {
      const uint32_t y = mirrored(place.y + j, windows[k].height_px());
      const uint16_t* ink = windows[k].ink(y);
      const uint8_t* bits = windows[k].bits(y);
      for (const uint32_t x : columns) {
        if (ink[x] != 0 || bits[x] != 0) return false;
      }
    }
  }
  return true;
}

}  // namespace mezzo::quality
