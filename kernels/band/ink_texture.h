// Inks whose dots lie apart.
//
// A method whose dots depend on the tone alone gives equal tones of two inks the same dots: dot on
// dot, which makes colour depend on the register of the press. Such methods add a texture to the
// tones of every ink but black, another one for each ink. It moves dots, and leaves the mean tone
// and the grain of a plane nearly as they were.
//
//     h          white noise, -32768 .. 32767
//     texture    = h less a weighted mean of its neighbours (7/16 left, 1/16 up-left, 5/16 up, 3/16
//                  up-right), halved: noise without low frequencies, whose mean is 0
//     amplitude  = min(256 + max(0, 1024 - 8 min(m, 2 |m - 1024|)), tone, 4096 - tone),
//                  m = |tone - 2048|
//     textured   = tone + ((texture amplitude + 2^14) >> 15)         in Q12, 0 .. 4096
//
// With these weights the texture does in Floyd-Steinberg's diffusion what noise in the threshold
// does, and the tone stays in the range that the diffusion's bounds are derived for. The amplitude
// is largest at 1/4, 1/2 and 3/4, whose patterns are so regular that little noise does not move
// them. Paper stays paper and solid stays solid.
//
// The texture is a tile of 64 x 64 pixels. Each square of 64 x 64 pixels of the page has it at an
// offset of its own, which is a hash of the square and the ink, so that it does not repeat.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/band/coverage.h"
#include "kernels/base/host_device.h"
#include "kernels/base/noise.h"

namespace mezzo {

/// The number by which an ink's texture differs from others, for SampleBand::texture: 0, which is
/// none, for black; for any other ink a number made from its name, so that a further ink on the
/// page changes no other plate.
uint32_t texture_of_ink(std::string_view name);

inline constexpr uint32_t kTextureSide = 64;
/// Each row twice, so that kTextureSide pixels from any column of the first half on lie side by
/// side; and zeros behind the last, so that as many values can be read from any place.
inline constexpr uint32_t kTextureStride = 2 * kTextureSide;
using TextureTile = std::array<int16_t, size_t{kTextureSide} * kTextureStride + kTextureSide>;
extern const TextureTile kTextureTile;

/// The part of texture_place() that the pixels of a row share.
MZ_HD constexpr uint32_t texture_row(uint32_t texture, uint32_t y) {
  return row_noise(texture, 0, y / kTextureSide);
}

/// Where in the tile the pixel (x, y) lies; `row` is texture_row(). The pixels right of it follow,
/// up to the next multiple of kTextureSide. The place is a multiple of 4 where x is.
MZ_HD constexpr uint32_t texture_place_in_row(uint32_t row, uint32_t x, uint32_t y) {
  const uint32_t offset = mix_bits(row ^ x / kTextureSide);
  const uint32_t tile_row = (y + (offset >> 4)) % kTextureSide;
  return tile_row * kTextureStride + offset % 16 * 4 + x % kTextureSide;
}

MZ_HD constexpr uint32_t texture_place(uint32_t texture, uint32_t x, uint32_t y) {
  return texture_place_in_row(texture_row(texture, y), x, y);
}

MZ_HD constexpr int texture_amplitude(int tone) {
  constexpr int kSolidTone = static_cast<int>(kSolid), kHalf = kSolidTone / 2, kQuarter = kHalf / 2;
  const int from_half = tone < kHalf ? kHalf - tone : tone - kHalf;
  const int from_quarter = from_half < kQuarter ? kQuarter - from_half : from_half - kQuarter;
  const int from_either = from_half < 2 * from_quarter ? from_half : 2 * from_quarter;
  const int peak = kQuarter - 8 * from_either;
  const int amplitude = 256 + (peak > 0 ? peak : 0);
  const int room = kHalf - from_half;
  return amplitude < room ? amplitude : room;
}

/// `value` is that of the tile.
MZ_HD constexpr int textured_tone(int tone, int value) {
  return tone + ((value * texture_amplitude(tone) + (1 << 14)) >> 15);
}

/// The texture of an ink along a row of the page.
class TextureRow {
 public:
  TextureRow(uint32_t texture, uint32_t y)
      : has_texture_(texture != 0), y_(y), row_(has_texture_ ? texture_row(texture, y) : 0) {}

  /// 0 where the ink has none. Columns that follow each other cost least.
  int value(uint32_t x) {
    if (!has_texture_) return 0;
    if (x / kTextureSide != square_) {
      square_ = x / kTextureSide;
      values_ = &kTextureTile[texture_place_in_row(row_, square_ * kTextureSide, y_)];
    }
    return values_[x % kTextureSide];
  }

 private:
  bool has_texture_;
  uint32_t y_;
  uint32_t row_;
  uint32_t square_ = UINT32_MAX;
  const int16_t* values_ = nullptr;
};

}  // namespace mezzo
