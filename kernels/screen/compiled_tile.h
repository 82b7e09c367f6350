// A tile of thresholds, compiled with the curve of a plane: thresholds of samples in place of those
// of tones, so that a pixel costs one compare and no look-up.
//
// Curves never fall, or never rise, so `tone(sample) > threshold` is `sample >= least` or `sample <=
// most`; samples of a falling curve are counted from the largest. Where a threshold is above every
// tone of a curve, and samples use their whole width, no sample threshold says so: then the tones of
// a row are looked up and compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/screen/tile.h"

namespace mezzo {
class ToneCurve;
}  // namespace mezzo

namespace mezzo::screen {

class CompiledTile {
 public:
  /// For samples of 1 or 2 bytes. The curve outlives it.
  CompiledTile(const ThresholdTile& tile, const ToneCurve& curve, uint32_t bytes_per_sample);

  /// The memory of one, of a tile of this size.
  static uint64_t most_bytes(uint32_t width, uint32_t height);

  /// Row `i` of `in`, whose pixels have the thresholds of those (x, y) to the right and below. Writes
  /// the packed bits, padding included.
  void halftone_row(const SampleBand& in, uint32_t i, uint32_t x, uint32_t y, uint8_t* bits) const;

 private:
  enum class Form { kSamples8, kSamples16, kTones };

  /// The least sample, counted as form_ does, whose tone is above each threshold.
  std::vector<uint32_t> least_samples(const ToneCurve& curve) const;
  template <typename Threshold>
  void fill(const ThresholdTile& tile,
            const std::vector<uint32_t>& least,
            std::vector<Threshold>& to) const;

  const ToneCurve& curve_;
  uint32_t width_, height_, shift_;  // of the tile
  uint32_t period_;  // thresholds of a row before it repeats: a multiple of the tile's width
  size_t stride_;    // of rows: some more than a period, so that a vector can start anywhere in it
  uint32_t from_ = 0;  // samples of a falling curve are counted down from here
  bool falls_ = false;
  Form form_ = Form::kTones;
  std::vector<uint8_t> samples8_;
  std::vector<uint16_t> samples16_;  // of kTones: tones
};

}  // namespace mezzo::screen
