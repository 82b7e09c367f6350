#include "kernels/codec/packbits.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/codec/byte_runs.h"

namespace mezzo::codec {
namespace {

/// Writes packets: a header of n - 1 and n literals, or a header of 1 - n and a byte that stands for
/// n, each of 128 bytes at most. Needs kSpare bytes behind all packets.
class PacketsOut {
 public:
  static constexpr size_t kSpare = 16;

  PacketsOut(uint8_t* to, const uint8_t* end_of_rows) : to_(to), end_of_rows_(end_of_rows) {}

  uint8_t* end() const { return to_; }

  /// A packet ends with its row.
  void begin_row() { literals_ = before_pair_ = nullptr; }

  /// Bytes that differ from their neighbours. A pair of equal bytes before them joins the literals on
  /// both sides, where there are any and all fit in a packet: that saves a header.
  void put_literals(const uint8_t* bytes, size_t count) {
    if (count > 0 && before_pair_ != nullptr) {
      to_[-2] = to_[-1];
      literals_ = std::exchange(before_pair_, nullptr);
      *literals_ = static_cast<uint8_t>(*literals_ + 2);
    }
    while (count > 0) {
      if (literals_ == nullptr || *literals_ == kMost - 1) {
        literals_ = to_++;
        *literals_ = UINT8_MAX;  // 0 literals
      }
      const size_t part = std::min<size_t>(count, kMost - static_cast<uint8_t>(*literals_ + 1));
      copy(bytes, part);
      *literals_ = static_cast<uint8_t>(*literals_ + part);
      bytes += part;
      count -= part;
    }
  }

  /// The same byte, at least twice.
  void put_run(uint8_t byte, size_t count) {
    uint8_t* const before = std::exchange(literals_, nullptr);
    before_pair_ = count == 2 && before != nullptr && *before < kMost - 2 ? before : nullptr;
    for (; count > kMost; count -= kMost) put_packet(kMost, byte);
    if (count == 1) literals_ = to_;
    put_packet(count, byte);
  }

 private:
  static constexpr size_t kMost = 128;

  /// Of 1 byte it is one of literals, too.
  void put_packet(size_t count, uint8_t byte) {
    *to_++ = static_cast<uint8_t>(1 - count);
    *to_++ = byte;
  }

  /// Most parts are short: a copy of one size needs no call.
  void copy(const uint8_t* bytes, size_t count) {
    const bool is_short = count <= kSpare && static_cast<size_t>(end_of_rows_ - bytes) >= kSpare;
    std::memcpy(to_, bytes, is_short ? kSpare : count);
    to_ += count;
  }

  uint8_t* to_;
  const uint8_t* end_of_rows_;
  uint8_t* literals_ = nullptr;  // header of the packet of literals that ends at to_
  uint8_t* before_pair_ =
      nullptr;  // header of one that ends before a pair at to_, and has room for it
};

}  // namespace

std::vector<std::byte> packbits(std::span<const uint8_t> rows, size_t row_bytes) {
  MZ_ASSERT(row_bytes > 0 && rows.size() % row_bytes == 0);
  ByteRuns runs(rows, 1);
  for (size_t row = 0; row < rows.size(); row += row_bytes) runs.unmark(row);
  const size_t most = rows.size() * 3 / 2 + rows.size() / row_bytes * 2 + PacketsOut::kSpare;
  const auto packets = std::make_unique_for_overwrite<uint8_t[]>(most);
  PacketsOut out(packets.get(), rows.data() + rows.size());
  for (size_t row = 0; row < rows.size(); row += row_bytes) {
    out.begin_row();
    const size_t end = row + row_bytes;
    for (size_t at = row; at < end;) {
      const size_t second = runs.find_marked(at);  // of equal bytes
      const size_t run = second < end ? second - 1 : end;
      out.put_literals(&rows[at], run - at);
      if (run == end) break;
      at = runs.find_unmarked(second);
      out.put_run(rows[run], at - run);
    }
  }
  const auto* first = reinterpret_cast<const std::byte*>(packets.get());
  return {first, reinterpret_cast<const std::byte*>(out.end())};
}

}  // namespace mezzo::codec
