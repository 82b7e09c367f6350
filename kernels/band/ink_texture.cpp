#include "kernels/band/ink_texture.h"

#include <algorithm>

namespace mezzo {
namespace {

constexpr uint32_t kSeed = 7;

constexpr TextureTile make_tile() {
  constexpr uint32_t kSide = kTextureSide;
  std::array<int, kSide * kSide> white{};
  for (uint32_t y = 0; y < kSide; ++y) {
    for (uint32_t x = 0; x < kSide; ++x) {
      white[y * kSide + x] = static_cast<int>(pixel_noise(kSeed, 0, y, x) >> 16) - 32768;
    }
  }
  const auto at = [&](uint32_t y, uint32_t x) { return white[y % kSide * kSide + x % kSide]; };
  TextureTile tile{};
  for (uint32_t y = 0; y < kSide; ++y) {
    const uint32_t above = y + kSide - 1;
    for (uint32_t x = 0; x < kSide; ++x) {
      const uint32_t before = x + kSide - 1;
      const int neighbours =
          7 * at(y, before) + at(above, before) + 5 * at(above, x) + 3 * at(above, x + 1);
      const int value = std::clamp((16 * at(y, x) - neighbours + 16) >> 5, -32767, 32767);
      tile[y * kTextureStride + x] = static_cast<int16_t>(value);
      tile[y * kTextureStride + kSide + x] = static_cast<int16_t>(value);
    }
  }
  return tile;
}

}  // namespace

constinit const TextureTile kTextureTile = make_tile();

uint32_t texture_of_ink(std::string_view name) {
  if (name == "black") return 0;
  uint32_t hash = 0x811C9DC5U;  // FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo, public domain)
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x01000193U;
  return hash == 0 ? 1 : hash;
}

}  // namespace mezzo
