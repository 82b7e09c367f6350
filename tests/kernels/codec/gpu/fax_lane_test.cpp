// The lanes that code T.6 on a GPU, one after another on the host, against libtiff.

#include "kernels/codec/gpu/fax_lane.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "tests/kernels/codec/bit_pages.h"
#include "tests/support/libtiff_strip.h"

namespace mezzo::test::fax_lane_test {
namespace {

using codec::FaxLane;
using codec::kFaxTables;
using codec::kLaneColumns;
using codec::kStepColumns;

/// Bits behind each other, the first topmost.
class BitString {
 public:
  void add(uint32_t word, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) bits_.push_back((word >> (31 - i) & 1) != 0);
  }
  std::vector<uint8_t> bytes() const {
    std::vector<uint8_t> bytes((bits_.size() + 7) / 8);
    for (size_t i = 0; i < bits_.size(); ++i) {
      if (bits_[i]) bytes[i / 8] |= static_cast<uint8_t>(0x80U >> i % 8);
    }
    return bytes;
  }

 private:
  std::vector<bool> bits_;
};

/// A row as lanes read it; null: the white row above a strip.
class LaneRow {
 public:
  LaneRow(const uint8_t* row, uint32_t width) : row_(row), width_(width) {}

  uint32_t word(int64_t i) const {
    uint32_t word = 0;
    for (int64_t x = 0; i >= 0 && x < 32; ++x) {
      if (pixel(i * 32 + x)) word |= 1U << x;
    }
    return word;
  }

 private:
  bool pixel(int64_t x) const {
    if (x >= width_) return !pixel(width_ - 1);
    return row_ != nullptr && (row_[x / 8] >> (7 - x % 8) & 1) != 0;
  }

  const uint8_t* row_;
  int64_t width_;
};

/// Where a lane puts its codes.
struct Words {
  std::vector<uint32_t>* words;
  void put(uint32_t word) { words->push_back(word); }
};

/// What passes from step to step of a row.
struct Carried {
  bool passing = false, horizontal = false;
  uint32_t last_event = 0;
};

/// The 32 lanes of a step.
class Step {
 public:
  Step(const LaneRow& coded, const LaneRow& above, uint32_t first_column, uint32_t width) {
    for (uint32_t i = 0; i < 32; ++i) {
      const int64_t w = first_column / 32 + i;
      lanes_[i].take(
          {coded.word(w), coded.word(w - 1), above.word(w), above.word(w - 1), above.word(w + 1)},
          first_column + i * kLaneColumns,
          width);
    }
  }

  /// Decides all events.
  void decide(Carried& carried) {
    const uint64_t carries =
        codec::lane_carries(mask(&FaxLane::generates), mask(&FaxLane::propagates), carried.passing);
    carried.passing = carries >> 32 != 0;
    for (uint32_t i = 0; i < 32; ++i) lanes_[i].pass((carries >> i & 1) != 0);
    const uint32_t near = mask(&FaxLane::has_near), ends = mask(&FaxLane::ends_horizontal);
    for (uint32_t i = 0; i < 32; ++i) {
      lanes_[i].horizontal(codec::within_code_before(i, near, ends, carried.horizontal));
    }
    carried.horizontal = lanes_[31].ends_horizontal();
  }

  void put(Carried& carried, BitString& bits) const {
    bool is_first = true;
    for (const FaxLane& lane : lanes_) {
      if (is_first && lane.events() != 0) put_long_run(lane.long_run(carried.last_event), bits);
      std::vector<uint32_t> words;
      const uint32_t count = lane.put(kFaxTables, carried.last_event, Words{&words});
      EXPECT_LE(words.size(), FaxLane::kMostWords);
      for (uint32_t i = 0; i < count; i += 32) bits.add(words[i / 32], std::min(count - i, 32U));
      if (lane.events() == 0) continue;
      is_first = false;
      carried.last_event = lane.last_event();
    }
  }

 private:
  uint32_t mask(bool (FaxLane::*has)() const) const {
    uint32_t mask = 0;
    for (uint32_t i = 0; i < 32; ++i) mask |= static_cast<uint32_t>((lanes_[i].*has)()) << i;
    return mask;
  }
  static void put_long_run(const codec::LongRun& run, BitString& bits) {
    if (run.makeups > 0 && run.has_mode) bits.add(kFaxTables.mode, kFaxTables.mode & 31);
    for (uint32_t i = 0; i < run.makeups; ++i) {
      const uint32_t code = kFaxTables.makeups[run.ink][40];
      bits.add(code, code & 31);
    }
  }

  FaxLane lanes_[32];
};

std::vector<uint8_t> strip_in_lanes(const BitBand& rows) {
  BitString bits;
  const uint8_t* above = nullptr;
  for (uint32_t y = 0; y < rows.rows; ++y) {
    Carried carried;
    for (uint32_t x = 0; x <= rows.width_px; x += kStepColumns) {
      Step step({rows.row(y), rows.width_px}, {above, rows.width_px}, x, rows.width_px);
      step.decide(carried);
      step.put(carried, bits);
    }
    above = rows.row(y);
  }
  for (int i = 0; i < 2; ++i) bits.add(0x00100000, 12);
  return bits.bytes();
}

::testing::AssertionResult is_libtiffs(const BitBand& rows) {
  if (strip_in_lanes(rows) == libtiff_strip(rows, COMPRESSION_CCITTFAX4)) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << rows.width_px << " x " << rows.rows;
}

TEST(FaxLanes, CodeEveryPairOfNarrowRows) {
  for (uint32_t width = 1; width <= 6; ++width) {
    for (uint32_t bits = 0; bits < 1U << 2 * width; ++bits) {
      BitPlane plane(width, 2);
      clear(plane);
      for (uint32_t i = 0; i < 2 * width; ++i) {
        set_ink(plane.band, i % width, i / width, (bits >> i & 1) != 0);
      }
      ASSERT_TRUE(is_libtiffs(plane.band)) << "bits " << bits;
    }
  }
}

TEST(FaxLanes, CodeRandomRows) {
  std::mt19937 random(3);
  for (uint32_t i = 0; i < 1500; ++i) {
    const uint32_t most = i % 3 == 0 ? 70 : i % 3 == 1 ? 2100 : 9000;
    const auto width = static_cast<uint32_t>(1 + random() % most);
    BitPlane plane(width, static_cast<uint32_t>(1 + random() % 4));
    clear(plane);
    fill_with_runs(plane.band, random);
    ASSERT_TRUE(is_libtiffs(plane.band)) << "page " << i;
  }
}

TEST(FaxLanes, CodeRowsThatEndAtAWord) {
  std::mt19937 random(4);
  for (const uint32_t whole : {32U, 64U, 1024U, 2048U}) {
    for (uint32_t width = whole - 4; width <= whole + 4; ++width) {
      for (int i = 0; i < 20; ++i) {
        BitPlane plane(width, 3);
        clear(plane);
        fill_with_runs(plane.band, random);
        ASSERT_TRUE(is_libtiffs(plane.band));
      }
    }
  }
}

/// Runs on both sides of every number of the longest make-up codes.
TEST(FaxLanes, CodeLongRuns) {
  for (const uint32_t run : {63U, 64U, 2559U, 2560U, 2623U, 2624U, 2625U, 5183U, 5184U, 12800U}) {
    for (const uint32_t begin : {0U, 1U, 1023U, 1030U}) {
      for (const bool ink : {false, true}) {
        BitPlane plane(begin + run + 40, 2);
        clear(plane);
        for (uint32_t x = 0; x < plane.band.width_px; ++x) {
          set_ink(plane.band, x, 0, (x >= begin && x < begin + run) == ink);
          set_ink(plane.band, x, 1, x % 2 == 0 && (x < begin || x >= begin + run));
        }
        ASSERT_TRUE(is_libtiffs(plane.band)) << run << " from " << begin;
      }
    }
  }
}

/// The rows that code worst: single pixels below white, or each beside another way.
TEST(FaxLanes, FitTheirWords) {
  for (uint32_t period = 2; period <= 14; ++period) {
    for (uint32_t bits = 0; bits < 1U << period; bits += period < 9 ? 1 : 37) {
      BitPlane plane(2150, 2);
      clear(plane);
      for (uint32_t x = 0; x < 2150; ++x) {
        set_ink(plane.band, x, 0, (bits >> x % period & 1) != 0);
        set_ink(plane.band, x, 1, (bits >> (x + period / 2) % period & 1) != (x % 2 == 0));
      }
      ASSERT_TRUE(is_libtiffs(plane.band)) << "bits " << bits << " of " << period;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::fax_lane_test
