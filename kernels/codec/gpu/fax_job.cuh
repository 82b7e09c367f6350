// The memory that the kernels of T.6 work on, for the sources that have them.
#pragma once

#include <algorithm>

#include "kernels/base/error.h"
#include "kernels/codec/fax_codes.h"
#include "kernels/codec/gpu/coded_strip.h"
#include "kernels/codec/gpu/device_rows.cuh"
#include "kernels/codec/gpu/fax_row_check.h"

namespace mezzo::codec {

/// Widest row.
inline constexpr uint32_t kMostFaxColumns = 1U << 28;

/// Two end-of-line codes end a strip.
constexpr uint32_t kEndBits = 2 * kEndOfLine.length;
constexpr uint32_t kEndWord =
    uint32_t{kEndOfLine.bits} << (32 - kEndBits / 2) | uint32_t{kEndOfLine.bits} << (32 - kEndBits);

/// What the kernels work on.
struct FaxJob {
  DeviceRows rows;
  uint32_t rows_per_strip;
  uint32_t strips;
  uint32_t room_words;       ///< for a coded row
  uint32_t* coded;           ///< rows, a room_words() apart; the first bit of a word is topmost
  uint32_t* row_bits;        ///< how many of them are used
  uint64_t* row_begin;       ///< bits from the start of the strip
  RowPlace* places_in_rows;  ///< where each row stood after each of its steps
  CodedIndex* index;
  CodedStrip* places;  ///< by strip
  uint64_t first_offset;
  size_t capacity;

  __device__ uint32_t rows_of(uint32_t strip) const {
    return min(rows_per_strip, rows.rows - strip * rows_per_strip);
  }
  __device__ bool has_room_for(const CodedStrip& place) const {
    return place.offset + (place.bytes + 3) / 4 * 4 <= capacity;
  }
  __device__ uint32_t* words_of(const CodedStrip& place) const {
    return reinterpret_cast<uint32_t*>(reinterpret_cast<std::byte*>(index) + place.offset);
  }
};

/// Steps of a warp along a row, and the pixel behind it.
MZ_HD constexpr uint32_t steps_of(uint32_t width_px) {
  return width_px / kStepColumns + 1;
}

constexpr size_t whole_lines(size_t bytes) {
  return (bytes + 127) / 128 * 128;
}

/// Parts of the workspace, in order.
struct Workspace {
  Workspace(uint32_t width_px, uint32_t rows)
      : room_words((width_px / 32 + 1) * 7 + 4),
        coded_bytes(whole_lines(size_t{rows} * room_words * 4)),
        row_bits_bytes(whole_lines(size_t{rows} * 4)),
        row_begin_bytes(whole_lines(size_t{rows} * 8)),
        row_places_bytes(whole_lines(size_t{rows} * steps_of(width_px) * sizeof(RowPlace))) {}
  size_t bytes() const { return coded_bytes + row_bits_bytes + row_begin_bytes + row_places_bytes; }

  uint32_t room_words;
  size_t coded_bytes, row_bits_bytes, row_begin_bytes, row_places_bytes;
};

inline FaxJob job_of(const DeviceRows& rows,
                     uint32_t rows_per_strip,
                     std::byte* workspace,
                     CodedMemory to) {
  MZ_ASSERT(rows.rows > 0 && rows.width_px > 0 && rows.width_px <= kMostFaxColumns);
  MZ_ASSERT(rows_per_strip > 0 && to.capacity >= index_bytes(rows.rows, rows_per_strip));
  const Workspace parts(rows.width_px, rows.rows);
  const uint32_t strip_rows = std::min(rows_per_strip, rows.rows);
  std::byte* const bits = workspace + parts.coded_bytes;
  std::byte* const begin = bits + parts.row_bits_bytes;
  return {.rows = rows,
          .rows_per_strip = strip_rows,
          .strips = strips_of(rows.rows, strip_rows),
          .room_words = parts.room_words,
          .coded = reinterpret_cast<uint32_t*>(workspace),
          .row_bits = reinterpret_cast<uint32_t*>(bits),
          .row_begin = reinterpret_cast<uint64_t*>(begin),
          .places_in_rows = reinterpret_cast<RowPlace*>(begin + parts.row_begin_bytes),
          .index = reinterpret_cast<CodedIndex*>(to.data),
          .places = reinterpret_cast<CodedStrip*>(to.data + sizeof(CodedIndex)),
          .first_offset = index_bytes(rows.rows, rows_per_strip),
          .capacity = to.capacity};
}

/// By all threads of a block.
template <typename Tables>
__device__ void copy_tables(const Tables* from, Tables& to) {
  const auto* words = reinterpret_cast<const uint32_t*>(from);
  for (uint32_t i = threadIdx.x; i < sizeof(Tables) / 4; i += blockDim.x) {
    reinterpret_cast<uint32_t*>(&to)[i] = words[i];
  }
  __syncthreads();
}

}  // namespace mezzo::codec
