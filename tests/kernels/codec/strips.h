// Strips of packed rows for the tests of byte coders.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mezzo::test {

struct Strip {
  std::string name;
  std::vector<uint8_t> bytes;
  size_t row_bytes;
};

/// Floyd-Steinberg of a soft ramp with grain, in raster order; `margin` bytes at both sides are blank.
inline Strip diffused_strip(size_t row_bytes, size_t rows, size_t margin = 0) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(row_bytes * rows);
  const size_t first = 8 * margin, end = 8 * (row_bytes - margin);
  std::vector<int> below(8 * row_bytes + 2);
  for (size_t y = 0; y < rows; ++y) {
    std::vector<int> next(below.size());
    int left = 0;
    for (size_t x = first; x < end; ++x) {
      const int tone = static_cast<int>((x * 3 + y * 2) / 16 % 224 + random() % 16);
      const int sum = tone * 16 + below[x + 1] / 16 + left;
      const bool ink = sum >= 2048;
      if (ink) bytes[y * row_bytes + x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
      const int error = ink ? sum - 4096 : sum;
      left = error * 7 / 16;
      next[x] += error * 3;
      next[x + 1] += error * 5;
      next[x + 2] += error;
    }
    below = next;
  }
  return {"diffused", bytes, row_bytes};
}

/// The same ramp in round dots of an AM screen at 45 degrees.
inline Strip screened_strip(size_t row_bytes, size_t rows) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(row_bytes * rows);
  for (size_t y = 0; y < rows; ++y) {
    for (size_t x = 0; x < 8 * row_bytes; ++x) {
      const size_t tone = x / 16 % 64 + 32;
      const size_t u = (x + y) % 34, v = (x + 34 - y % 34) % 34;
      const size_t far = (u < 17 ? 17 - u : u - 17) + (v < 17 ? 17 - v : v - 17);
      if (far * 4 + random() % 2 < tone)
        bytes[y * row_bytes + x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
    }
  }
  return {"screened", bytes, row_bytes};
}

/// Random bytes, of which a share is the byte before, and others are those of the row above.
inline Strip random_strip(
    size_t row_bytes, size_t rows, unsigned repeats, unsigned from_row, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<uint8_t> bytes(row_bytes * rows);
  for (size_t i = 0; i < bytes.size(); ++i) {
    const auto kind = static_cast<unsigned>(random() % 100);
    if (i > 0 && kind < repeats) {
      bytes[i] = bytes[i - 1];
    } else if (i >= row_bytes && kind < repeats + from_row) {
      bytes[i] = bytes[i - row_bytes];
    } else {
      bytes[i] = static_cast<uint8_t>(random());
    }
  }
  return {"random " + std::to_string(repeats) + " " + std::to_string(from_row), bytes, row_bytes};
}

/// What coders meet in plates, and what is hard for them.
inline std::vector<Strip> any_strips() {
  std::vector<Strip> strips = {diffused_strip(512, 128),
                               diffused_strip(319, 200, 40),
                               screened_strip(512, 128),
                               {"blank", std::vector<uint8_t>(65'536), 512},
                               {"solid", std::vector<uint8_t>(70'001, 0xFF), 1},
                               {"wide", random_strip(40'000, 2, 50, 50, 1).bytes, 40'000},
                               {"large", random_strip(1000, 300, 90, 5, 2).bytes, 1000}};
  for (size_t bytes = 1; bytes <= 70; ++bytes) {
    strips.push_back(random_strip(bytes, 1, 60, 0, static_cast<uint32_t>(bytes)));
    strips.push_back({"one byte", std::vector<uint8_t>(bytes, 7), bytes});
  }
  for (size_t run = 255; run < 265; ++run) {  // around the longest match
    strips.push_back({"a run", std::vector<uint8_t>(run, 7), run});
    strips.push_back(random_strip(run, 1, 0, 0, 1));
    for (size_t i = 0; i < 2 * run; ++i) strips.back().bytes.push_back(strips.back().bytes[i]);
  }
  for (const unsigned repeats : {0U, 30U, 90U, 99U}) {
    for (const unsigned from_row : {0U, 1U, 9U}) {
      for (const size_t row_bytes : {1U, 2U, 33U, 64U, 129U, 1000U}) {
        if (repeats + from_row <= 100) {
          strips.push_back(
              random_strip(row_bytes, 5000 / row_bytes, repeats, from_row, repeats + 1));
        }
      }
    }
  }
  Strip sparse{"sparse", std::vector<uint8_t>(65'536), 256};
  for (size_t i = 100; i < sparse.bytes.size(); i += 997) sparse.bytes[i] = static_cast<uint8_t>(i);
  strips.push_back(sparse);
  Strip all{"every byte", std::vector<uint8_t>(131'071), 131'071};
  for (size_t i = 0; i < all.bytes.size(); ++i)
    all.bytes[i] = static_cast<uint8_t>(i % 256 < i / 256 % 256 ? i : 0);
  strips.push_back(all);
  return strips;
}

}  // namespace mezzo::test
