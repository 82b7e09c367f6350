// The pages that benchmarks halftone, and the comparison of their bits with a reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/band/tone.h"
#include "kernels/gpu/context.h"
#include "kernels/registry.h"
#include "tools/synth/draw.h"

namespace mezzo::bench {

/// Width and height, px.
struct PlaneSize {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  bool operator==(const PlaneSize&) const = default;
  double pixels() const { return static_cast<double>(width_px) * height_px; }
};

/// "1024" is a square, "1024x768" is not. Throws Error(kUsage).
PlaneSize parse_plane_size(const std::string& text);
std::vector<PlaneSize> parse_plane_sizes(const std::vector<std::string>& texts);
std::string to_string(const PlaneSize& size);

/// Bits of a plane; rows are whole 32-bit words.
using PlaneBits = std::vector<uint8_t>;
PlaneBits make_bits(const PlaneSize& size);
BitBand bits_of(PlaneBits& bits, const PlaneSize& size);

/// A plane of samples in memory.
struct TestPage {
  PlaneSize size;
  uint32_t bytes_per_sample = 1;
  uint32_t max_sample = 255;
  Polarity polarity = Polarity::kMaxIsPaper;
  std::vector<std::byte> bytes = {};

  SampleBand samples() const;
  ToneCurve curve() const { return {max_sample, polarity}; }
};

inline constexpr uint64_t kPhotoSeed = 1;  ///< of photos that are drawn

/// A page of grey shapes (tools/synth/draw.h).
TestPage draw_shapes(const PlaneSize& size, synth::ShapeList shapes);

/// 32-bit words of bits that were compared with a reference.
struct Comparison {
  uint64_t words = 0;
  uint64_t differing = 0;

  /// Both planes have rows of whole words, and the same size.
  void add(std::span<const std::byte> bits, std::span<const std::byte> reference);
  Comparison& operator+=(const Comparison& other);
  std::string text() const;  ///< "  0 of 64", the last cell of a row
};

/// A plane of the synthetic test page in page-locked memory, its bits by the reference of a method,
/// and room for the bits to compare with them.
class BenchPlane {
 public:
  /// Its reference is that of Floyd-Steinberg.
  explicit BenchPlane(const PlaneSize& size);
  BenchPlane(const PlaneSize& size, const HalftoneSettings& settings, Team& team);

  /// Compares with these settings' reference from now on.
  void set_reference(const HalftoneSettings& settings, Team& team);

  const PlaneSize& size() const { return size_; }
  SampleBand samples() const;
  const ToneCurve& curve() const { return curve_; }
  BitBand out() const { return bits(out_); }
  BitBand reference() const { return bits(reference_); }

  /// Overwrites out(), so that a run that writes nothing is found.
  void spoil() const;
  void compare(Comparison& comparison) const;  ///< out() with the reference

 private:
  BitBand bits(const gpu::PinnedMemory& memory) const;

  PlaneSize size_;
  ToneCurve curve_;
  gpu::PinnedMemory samples_;
  gpu::PinnedMemory reference_;
  gpu::PinnedMemory out_;
};

}  // namespace mezzo::bench
