// A test page of any size, computed row by row: the elements of a print shop's test form (ramps,
// step wedges, type, line art, a picture, register and crop marks), for demos, benchmarks and tests
// that need contone pages of 100,000 pixels a side without a file of that size at hand.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tools/synth/layout.h"

namespace mezzo::synth {

/// The page, laid out. Immutable: threads share it. Every sample depends on the options and its
/// position alone, so bands may be asked for in any order and of any height. Memory: some hundred
/// kilobytes, and 30 bytes a column of the picture.
class SynthPage {
 public:
  /// Options must be in range.
  explicit SynthPage(const SynthOptions& options);
  /// A page of these shapes alone.
  SynthPage(const SynthOptions& options, ShapeList shapes);

  const SynthOptions& options() const { return options_; }
  size_t row_bytes() const {
    return size_t{options_.width_px} * options_.planes * (options_.bits / 8);
  }

  /// Writes rows [first_row, first_row + rows) to `out`, `rows * row_bytes()` bytes, as in a file:
  /// planes interleaved, 16-bit samples in host byte order, grey and RGB with 0 as black, CMYK with
  /// the maximum as full ink.
  void render_rows(uint32_t first_row, uint32_t rows, std::byte* out) const;

 private:
  SynthOptions options_;
  ShapeList shapes_;  // in order of drawing
};

}  // namespace mezzo::synth
