// Planes for the kernel tests: made input, guarded output and how to compare.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/band/tone.h"
#include "kernels/gpu/gpu.h"
#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "kernels/screen/tile_values.h"
#include "tests/support/thread_team.h"

namespace mezzo::test {

/// A plane of samples of its own.
struct SamplePlane {
  SamplePlane(uint32_t width_px, uint32_t rows, uint32_t bytes_per_sample)
      : bytes(size_t{width_px} * rows * bytes_per_sample),
        band{bytes.data(),
             width_px,
             rows,
             size_t{width_px} * bytes_per_sample,
             0,
             bytes_per_sample} {}
  SamplePlane(const SamplePlane&) = delete;

  void set(uint32_t x, uint32_t y, uint32_t value) {
    if (band.bytes_per_sample == 1) {
      band.row(y)[x] = static_cast<std::byte>(value);
    } else {
      const auto narrow = static_cast<uint16_t>(value);
      std::memcpy(band.row(y) + 2 * size_t{x}, &narrow, 2);
    }
  }
  uint32_t get(uint32_t x, uint32_t y) const {
    return band.bytes_per_sample == 1 ? band.row8(y)[x] : band.row16(y)[x];
  }

  std::vector<std::byte> bytes;
  MutableSampleBand band;
};

/// How to fill a plane.
enum class Fill { kNoise, kRamp, kPaper, kSolid, kExtremes, kMidtone };

/// Samples 0 .. max_sample of the given kind; solid is sample 0 (a plane whose maximum is paper).
inline void fill(SamplePlane& plane, Fill kind, uint32_t max_sample, uint64_t seed) {
  std::mt19937_64 random(seed);
  const uint32_t width = plane.band.width_px;
  for (uint32_t y = 0; y < plane.band.rows; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      uint32_t value = 0;
      switch (kind) {
        case Fill::kNoise:
          value = static_cast<uint32_t>(random() % (max_sample + 1));
          break;
        case Fill::kRamp:
          value =
              static_cast<uint32_t>(uint64_t{max_sample} * ((x + y) % (width + 7)) / (width + 6));
          break;
        case Fill::kPaper:
          value = max_sample;
          break;
        case Fill::kSolid:
          value = 0;
          break;
        case Fill::kExtremes:
          value = random() % 2 ? max_sample : 0;
          break;
        case Fill::kMidtone:
          value = max_sample / 2 + static_cast<uint32_t>(random() % 2);
          break;
      }
      plane.set(x, y, value);
    }
  }
}

/// A bit plane whose rows end at an odd stride, filled with ones so that unwritten bits show, and
/// with a guard row on either side.
struct BitPlane {
  static constexpr uint8_t kUnwritten = 0xA5;

  BitPlane(uint32_t width_px, uint32_t rows)
      : stride(bit_row_bytes(width_px) + 3),
        bytes(stride * (size_t{rows} + 2), kUnwritten),
        band{bytes.data() + stride, width_px, rows, stride, 0} {}
  BitPlane(const BitPlane&) = delete;

  /// True when neither the guard rows nor the bytes between rows were written.
  bool guards_intact() const {
    const size_t used = bit_row_bytes(band.width_px);
    for (size_t row = 0; row * stride < bytes.size(); ++row) {
      const bool guard = row == 0 || row == size_t{band.rows} + 1;
      for (size_t i = guard ? 0 : used; i < stride; ++i) {
        if (bytes[row * stride + i] != kUnwritten) return false;
      }
    }
    return true;
  }

  size_t stride;
  std::vector<uint8_t> bytes;
  BitBand band;
};

/// Equal bits, or where the first difference is, with the bits around it.
inline ::testing::AssertionResult same_bits(const BitBand& expected, const BitBand& found) {
  for (uint32_t y = 0; y < expected.rows; ++y) {
    const size_t bytes = bit_row_bytes(expected.width_px);
    if (std::memcmp(expected.row(y), found.row(y), bytes) == 0) continue;
    uint32_t x = 0;
    while (x < expected.width_px && expected.ink(x, y) == found.ink(x, y)) ++x;
    auto result = ::testing::AssertionFailure()
                  << "first difference at x " << x << ", y " << y << " of " << expected.width_px
                  << " x " << expected.rows << (x == expected.width_px ? " (padding bits)" : "");
    for (uint32_t j = y; j < std::min(y + 8, expected.rows); ++j) {
      std::string line = "\n  ";
      for (const BitBand& band : {expected, found}) {
        for (uint32_t i = x; i < std::min(x + 8, band.width_px); ++i) {
          line += band.ink(i, j) ? '#' : '.';
        }
        line += "   ";
      }
      result << line;
    }
    return result;
  }
  return ::testing::AssertionSuccess();
}

/// Runs the method band by band: bands of the given heights, cyclically, or of its own.
inline void run_in_bands(const Halftoner& halftoner,
                         const SampleBand& in,
                         const ToneCurve& curve,
                         const BitBand& out,
                         const std::vector<uint32_t>& heights,
                         Team& team) {
  const auto state = halftoner.make_state(in.width_px);
  const uint32_t own_rows = halftoner.traits().band_rows;
  for (uint32_t row = 0, i = 0; row < in.rows; ++i) {
    const uint32_t height = own_rows != 0 ? own_rows : heights[i % heights.size()];
    const uint32_t rows = std::min(height, in.rows - row);
    halftoner.run(in.slice(row, rows), curve, out.slice(row, rows), state.get(), team);
    row += rows;
  }
}

inline void run_whole(const Halftoner& halftoner,
                      const SampleBand& in,
                      const ToneCurve& curve,
                      const BitBand& out) {
  SoloTeam solo;
  run_plane(halftoner, in, curve, out, solo);
}

/// False for a schedule that wants a GPU on a machine without one.
inline bool is_runnable(const ScheduleInfo& schedule) {
  static const bool kHasGpu = !gpu::list_gpus().gpus.empty();
  return schedule.engine == Engine::kCpu || kHasGpu;
}

inline std::vector<ScheduleInfo> runnable_schedules(const MethodInfo& method) {
  std::vector<ScheduleInfo> schedules;
  std::ranges::copy_if(method.schedules, std::back_inserter(schedules), is_runnable);
  return schedules;
}

using Parameters = std::map<std::string, double, std::less<>>;

/// Settings of a method that can run: with a tile where it takes one, of an odd size and with every
/// value.
inline HalftoneSettings settings_of(const MethodInfo& method) {
  HalftoneSettings settings{.method = std::string(method.name)};
  if (!method.takes_tile) return settings;
  screen::TileValues tile{.width = 21, .height = 13, .bits = 8, .values = {}};
  for (uint32_t i = 0; i < tile.width * tile.height; ++i) {
    tile.values.push_back(static_cast<uint16_t>(i * 101 % 256));
  }
  settings.tile = {.path = "tile.tif",
                   .digest = "of a test",
                   .values = std::make_shared<const screen::TileValues>(std::move(tile))};
  return settings;
}

/// The plate of tests that run every method.
inline const CompleteSettings::Plate kPlate{.dpi = 2400};

/// The halftoner of a method's schedule, other parameters at their defaults.
inline std::unique_ptr<Halftoner> make(const MethodInfo& method,
                                       const ScheduleInfo& schedule,
                                       const Parameters& parameters = {}) {
  HalftoneSettings settings = settings_of(method);
  settings.engine = schedule.engine;
  settings.schedule = schedule.name;
  settings.parameters = parameters;
  return make_halftoner(complete(settings, kPlate)).halftoner;
}

/// The reference of a method.
inline std::unique_ptr<Halftoner> reference_of(const MethodInfo& method,
                                               const Parameters& parameters = {}) {
  HalftoneSettings settings = settings_of(method);
  settings.parameters = parameters;
  return make_reference(complete(settings, kPlate));
}

/// True for methods that take microseconds a pixel and more: their tests have small planes.
inline bool is_slow(const MethodInfo& method) {
  return reference_of(method)->traits().band_rows != 0;
}

/// The sides that planes of slow methods have at most.
inline constexpr uint32_t kSlowSide = 40;

/// What the tests run a method with: its defaults, slabs where it searches and can do with them,
/// dots of several pixels, and the other eye of windows. Windows and masks are smaller and rounds
/// fewer than by default, which is the same code in less time.
inline std::vector<Parameters> tested_parameters(const MethodInfo& method) {
  const auto has = [&](std::string_view name) {
    return std::ranges::find(method.parameters, name, &ParameterInfo::name) !=
           method.parameters.end();
  };
  Parameters quick;
  if (has("window")) quick = {{"start", 0}, {"rounds", 2}};
  if (has("size")) quick = {{"size", 64}};
  if (method.takes_tile) return {{}, {{"shift", 8}}, {{"values", 1}}};
  std::vector<Parameters> tested = {quick};
  if (has("slab_rows")) {
    quick["slab_rows"] = 16;  // some in a plane of kSlowSide
    tested.push_back(quick);
  }
  const auto dot = std::ranges::find(method.parameters, kDotParameter.name, &ParameterInfo::name);
  if (dot != method.parameters.end() && dot->choices.empty()) {
    quick["dot"] = 2;
    tested.push_back(quick);
  }
  if (has("window")) {
    const Parameters published = {{"eye", 1}, {"window", 3}, {"rounds", 2}};
    tested.push_back(published);
    tested.push_back(published);
    tested.back()["slab_rows"] = 16;
  }
  return tested;
}

}  // namespace mezzo::test
