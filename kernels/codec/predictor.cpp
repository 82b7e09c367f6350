// In vectors of 16 bytes: after additions of the vector moved by 1, 2, 4, ... steps, each lane has
// the sum of those before it in the vector, to which comes that of the last step of the vector
// before.
#include "kernels/codec/predictor.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/codec/predictor.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Whole vectors of samples; returns how many these were.
template <size_t kStepBytes, typename T>
size_t add_up_vectors(T* row, size_t count) {
  const hn::FixedTag<T, 16 / sizeof(T)> d;
  const hn::Repartition<uint8_t, decltype(d)> bytes;
  alignas(16) uint8_t last_step[16];
  for (size_t i = 0; i < 16; ++i) {
    last_step[i] = static_cast<uint8_t>(16 - kStepBytes + i % kStepBytes);
  }
  const auto from_last_step = hn::Load(bytes, last_step);
  auto before = hn::Zero(d);
  const auto add_moved = [&](auto v, auto moved) { return hn::Add(v, hn::BitCast(d, moved)); };
  size_t i = 0;
  for (; i + hn::Lanes(d) <= count; i += hn::Lanes(d)) {
    auto v = hn::LoadU(d, row + i);
    if constexpr (kStepBytes < 16) {
      v = add_moved(v, hn::ShiftLeftBytes<kStepBytes>(bytes, hn::BitCast(bytes, v)));
    }
    if constexpr (kStepBytes < 8) {
      v = add_moved(v, hn::ShiftLeftBytes<2 * kStepBytes>(bytes, hn::BitCast(bytes, v)));
    }
    if constexpr (kStepBytes < 4) {
      v = add_moved(v, hn::ShiftLeftBytes<4 * kStepBytes>(bytes, hn::BitCast(bytes, v)));
    }
    if constexpr (kStepBytes < 2) {
      v = add_moved(v, hn::ShiftLeftBytes<8 * kStepBytes>(bytes, hn::BitCast(bytes, v)));
    }
    v = hn::Add(v, before);
    hn::StoreU(v, d, row + i);
    before = hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(bytes, v), from_last_step));
  }
  return i;
}

/// Returns how many samples were made; none where a step is no part of a vector.
template <typename T>
size_t add_up_most(T* row, size_t count, size_t step) {
  switch (step * sizeof(T)) {
    case 1:
      if constexpr (sizeof(T) == 1) return add_up_vectors<1>(row, count);
      break;
    case 2:
      return add_up_vectors<2>(row, count);
    case 4:
      return add_up_vectors<4>(row, count);
    case 8:
      return add_up_vectors<8>(row, count);
    case 16:
      return add_up_vectors<16>(row, count);
    default:
      break;
  }
  return 0;
}

size_t add_up_bytes(uint8_t* row, size_t count, size_t step) {
  return add_up_most(row, count, step);
}

size_t add_up_words(uint16_t* row, size_t count, size_t step) {
  return add_up_most(row, count, step);
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::codec {
namespace {

HWY_EXPORT(add_up_bytes);
HWY_EXPORT(add_up_words);

/// From sample `done` on; the last `step` before it are made. The sum stays in a register.
template <typename T>
void add_up_rest(std::span<T> row, size_t step, size_t done) {
  for (size_t first = done; first < std::min(done + step, row.size()); ++first) {
    T sum = first < step ? T{0} : row[first - step];
    for (size_t i = first; i < row.size(); i += step) {
      sum = static_cast<T>(sum + row[i]);
      row[i] = sum;
    }
  }
}

}  // namespace

void add_up(std::span<uint8_t> row, size_t step) {
  add_up_rest(row, step, HWY_DYNAMIC_DISPATCH(add_up_bytes)(row.data(), row.size(), step));
}

void add_up(std::span<uint16_t> row, size_t step) {
  add_up_rest(row, step, HWY_DYNAMIC_DISPATCH(add_up_words)(row.data(), row.size(), step));
}

}  // namespace mezzo::codec
#endif  // HWY_ONCE
