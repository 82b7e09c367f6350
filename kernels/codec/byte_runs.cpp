#include "kernels/codec/byte_runs.h"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/codec/byte_runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Marks 64 bytes, which have `distance` others before them, in each of `words`.
void mark_words(const uint8_t* bytes, size_t distance, size_t words, uint64_t* marks) {
  const hn::CappedTag<uint8_t, 64> d;
  const size_t lanes = hn::Lanes(d);
  for (size_t word = 0; word < words; ++word) {
    uint64_t marked = 0;
    for (size_t i = 0; i < 64; i += lanes) {
      const uint8_t* at = bytes + 64 * word + i;
      uint64_t part = 0;
      hn::StoreMaskBits(d,
                        hn::Eq(hn::LoadU(d, at), hn::LoadU(d, at - distance)),
                        reinterpret_cast<uint8_t*>(&part));
      marked |= part << i;
    }
    marks[word] = marked;
  }
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::codec {

HWY_EXPORT(mark_words);

ByteRuns::ByteRuns(std::span<const uint8_t> bytes, size_t distance)
    : size_(bytes.size()), marks_((bytes.size() + 63) / 64) {
  const auto mark = [&](size_t first, size_t end) {
    for (size_t at = std::max(first, distance); at < end; ++at) {
      marks_[at / 64] |= uint64_t{bytes[at] == bytes[at - distance]} << at % 64;
    }
  };
  const size_t end = bytes.size() / 64, whole = std::min((distance + 63) / 64, end);
  mark(0, whole * 64);
  HWY_DYNAMIC_DISPATCH(mark_words)
  (bytes.data() + whole * 64, distance, end - whole, marks_.data() + whole);
  mark(end * 64, bytes.size());
}

}  // namespace mezzo::codec
#endif  // HWY_ONCE
