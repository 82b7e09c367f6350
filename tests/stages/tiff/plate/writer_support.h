// What the tests of the writers share: bits that look like the halftones that plates are made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/tiff/plate/encode.h"
#include "stages/tiff/plate/plate_reader.h"
#include "stages/tiff/plate/writer.h"
#include "tests/support/content_of.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thread_team.h"

namespace mezzo::test {

using test::TempFolder;
using test::ThreadTeam;

/// A whole plane of bits, and how it was made.
class Bits {
 public:
  Bits(uint32_t width_px, uint32_t height_px)
      : width_px_(width_px), height_px_(height_px), bytes_(bit_row_bytes(width_px) * height_px) {}

  BitBand band() { return {bytes_.data(), width_px_, height_px_, bit_row_bytes(width_px_)}; }
  const std::vector<uint8_t>& bytes() const { return bytes_; }
  void set(uint32_t x, uint32_t y) {
    bytes_[bit_row_bytes(width_px_) * y + x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
  }

  /// Coin tosses: no compression makes them smaller.
  static Bits noise(uint32_t width_px, uint32_t height_px, uint32_t seed = 1) {
    std::mt19937 random(seed);
    Bits bits(width_px, height_px);
    for (uint32_t y = 0; y < height_px; ++y) {
      for (uint32_t x = 0; x < width_px; ++x) {
        if (random() >> 31 != 0) bits.set(x, y);
      }
    }
    return bits;
  }

  /// Error diffusion of a soft ramp with a little noise, as a photograph gives.
  static Bits diffused(uint32_t width_px, uint32_t height_px, uint32_t seed = 1) {
    std::mt19937 random(seed);
    Bits bits(width_px, height_px);
    std::vector<int> below(width_px + 2);
    for (uint32_t y = 0; y < height_px; ++y) {
      std::vector<int> next(width_px + 2);
      int left = 0;
      for (uint32_t x = 0; x < width_px; ++x) {
        const int tone = static_cast<int>((x * 3 + y * 2) / 8 % 256 + random() % 8);
        const int sum = tone * 16 + below[x + 1] / 16 + left;
        if (sum >= 2048) bits.set(x, y);
        const int error = sum >= 2048 ? sum - 4096 : sum;
        left = error * 7 / 16;
        next[x] += error * 3;
        next[x + 1] += error * 5;
        next[x + 2] += error;
      }
      below = std::move(next);
    }
    return bits;
  }

  /// Black bars on white: line art.
  static Bits bars(uint32_t width_px, uint32_t height_px) {
    Bits bits(width_px, height_px);
    for (uint32_t y = 0; y < height_px; ++y) {
      for (uint32_t x = 0; x < width_px; ++x) {
        if (x / 97 % 3 == 0 && y / 31 % 2 == 0) bits.set(x, y);
      }
    }
    return bits;
  }

 private:
  uint32_t width_px_;
  uint32_t height_px_;
  std::vector<uint8_t> bytes_;
};

/// The page of a plate of these bits; `rows_per_strip` 0 takes the one that plates have.
inline tiff::PlatePage page_of(const BitBand& bits, uint32_t rows_per_strip = 0) {
  tiff::PlatePage page;
  page.width_px = bits.width_px;
  page.height_px = bits.rows;
  page.rows_per_strip =
      rows_per_strip != 0 ? rows_per_strip : tiff::plate_rows_per_strip(bits.width_px);
  return page;
}

inline void write_page(tiff::PlateFile& file,
                       const tiff::PlatePage& page,
                       const BitBand& bits,
                       tiff::Compression compression,
                       const std::string& software = "",
                       const std::string& description = "",
                       bool never_larger = false) {
  file.begin_page(page, compression, never_larger);
  for (uint32_t s = 0; s < tiff::strip_count(page); ++s) {
    const BitBand strip = bits.slice(s * page.rows_per_strip, tiff::strip_rows(page, s));
    file.write_strip(tiff::summed(strip, tiff::encode_strip(strip, compression)));
  }
  file.end_page(software, description);
}

/// All that stands between the last page and a plate under its final name.
inline void publish(tiff::PlateFile& file,
                    Team& team,
                    tiff::VerifyLevel level = tiff::VerifyLevel::kDecode) {
  file.seal(level, team);
  file.publish();
  file.commit();
}

/// Writes and publishes a plate of one page; returns its content hash.
inline std::string write_plate(const std::string& path,
                               const tiff::PlatePage& page,
                               const BitBand& bits,
                               tiff::Compression compression,
                               bool never_larger = false) {
  const auto file = tiff::PlateFile::create(path, 1 << 20);
  write_page(*file, page, bits, compression, "", "", never_larger);
  SoloTeam team;
  publish(*file, team);
  return file->content_sum();
}

/// All that a plate can have.
inline std::vector<tiff::Compression> real_compressions() {
  std::vector<tiff::Compression> all;
  for (const tiff::CompressionInfo& info : tiff::compressions()) {
    if (info.compression != tiff::Compression::kAutomatic) all.push_back(info.compression);
  }
  return all;
}

}  // namespace mezzo::test
