#include "tools/wedge/layout.h"

#include <algorithm>

#include "stages/files/xxh3.h"

namespace mezzo::wedge {
namespace {

constexpr uint32_t kPatches = kTones.size() * kRepeats;
constexpr uint32_t kRows = (kPatches + kColumns - 1) / kColumns;
constexpr uint32_t kBlockUm = kHeadUm + kRows * kPitchYUm;

uint64_t hash_of(const std::string& text) {
  files::Xxh3 hash;
  hash.add(text.data(), text.size());
  return hash.value64();
}

/// A, B .. Z, AA, AB ..
std::string row_name(uint32_t row) {
  const std::string last(1, static_cast<char>('A' + row % 26));
  return row < 26 ? last : row_name(row / 26 - 1) + last;
}

/// The tones of a block in the order of its places.
std::vector<uint8_t> scattered(const std::string& shuffle, size_t ink) {
  struct Place {
    uint64_t hash;
    uint8_t percent;
  };
  std::vector<Place> places;
  for (uint32_t repeat = 0; repeat < kRepeats; ++repeat) {
    for (const uint8_t percent : kTones) {
      const std::string key = shuffle + "/" + std::to_string(ink) + "/" + std::to_string(percent) +
                              "/" + std::to_string(repeat);
      places.push_back({hash_of(key), percent});
    }
  }
  std::ranges::sort(places, {}, [](const Place& one) { return std::pair(one.hash, one.percent); });
  std::vector<uint8_t> tones;
  for (const Place& place : places) tones.push_back(place.percent);
  return tones;
}

}  // namespace

uint32_t block_top_um(size_t ink) {
  return kMarginUm + static_cast<uint32_t>(ink) * kBlockUm;
}

Layout make_layout(size_t inks, const std::string& seed) {
  files::Xxh3 hash;
  hash.add(seed.data(), seed.size());
  Layout layout{.width_um = 2 * kMarginUm + kColumns * kPitchXUm,
                .height_um = block_top_um(inks) + kMarginUm,
                .shuffle = hash.hex64(),
                .patches = {}};
  for (size_t ink = 0; ink < inks; ++ink) {
    const std::vector<uint8_t> tones = scattered(layout.shuffle, ink);
    for (uint32_t i = 0; i < tones.size(); ++i) {
      const uint32_t row = i / kColumns, column = i % kColumns;
      const auto block_row = static_cast<uint32_t>(ink) * kRows + row;
      layout.patches.push_back(
          {.id = static_cast<uint32_t>(layout.patches.size()) + 1,
           .name = row_name(block_row) + std::to_string(column + 1),
           .ink = ink,
           .percent = tones[i],
           .left_um = kMarginUm + column * kPitchXUm,
           .top_um = block_top_um(ink) + kHeadUm + row * kPitchYUm + kLabelUm});
    }
  }
  return layout;
}

}  // namespace mezzo::wedge
