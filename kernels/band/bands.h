// Views of bands: a band is the full width of a page and some of its rows.
//
// Views are trivially copyable, are passed by value and own nothing; the caller keeps the memory
// alive. Rows count from the top of the page, so that a method may depend on (x, y).
//
// A band of samples may know rows of the page around it: its context.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mezzo {

/// Rows [first_row, first_row + rows) of one plane, a value of type T per pixel.
template <typename T>
struct BandView {
  T* data = nullptr;
  uint32_t width_px = 0;
  uint32_t rows = 0;
  size_t stride_px = 0;    ///< distance between rows, in values of T
  uint32_t first_row = 0;  ///< row of the page that data points at

  /// Row `i` of the band (not of the page), 0 <= i < rows.
  T* row(uint32_t i) const { return data + i * stride_px; }

  /// Rows [begin, begin + count) of this band.
  BandView slice(uint32_t begin, uint32_t count) const {
    return {row(begin), width_px, count, stride_px, first_row + begin};
  }
};

/// Contone samples of one plane as in the file, 8 or 16 bits wide (host byte order). Their range
/// and polarity are in the plane's ToneCurve. `Byte` is std::byte for samples that are written,
/// const std::byte for those that are only read.
template <typename Byte>
struct BasicSampleBand {
  Byte* data = nullptr;
  uint32_t width_px = 0;
  uint32_t rows = 0;
  size_t stride_bytes = 0;
  uint32_t first_row = 0;
  uint32_t bytes_per_sample = 1;  ///< 1 or 2
  uint32_t plane = 0;             ///< number of the page's ink, so that noise can differ by ink
  uint32_t texture = 0;           ///< of the ink, ink_texture.h; 0: none
  uint32_t rows_above = 0;        ///< of the page, in memory before row 0
  uint32_t rows_below = 0;        ///< and after the last row

  /// Row `i` of the band, -rows_above <= i < rows + rows_below.
  Byte* row(int64_t i) const { return data + i * static_cast<int64_t>(stride_bytes); }
  const uint8_t* row8(int64_t i) const { return reinterpret_cast<const uint8_t*>(row(i)); }
  const uint16_t* row16(int64_t i) const { return reinterpret_cast<const uint16_t*>(row(i)); }

  /// Rows [begin, begin + count) of this band; the others become context.
  BasicSampleBand slice(uint32_t begin, uint32_t count) const {
    return rows_of_page(first_row + begin, count);
  }

  /// Rows [first, first + count) of the page, of this band or of its context; the others become
  /// context.
  BasicSampleBand rows_of_page(uint32_t first, uint32_t count) const {
    const int64_t begin = int64_t{first} - first_row;
    return {row(begin),
            width_px,
            count,
            stride_bytes,
            first,
            bytes_per_sample,
            plane,
            texture,
            static_cast<uint32_t>(rows_above + begin),
            static_cast<uint32_t>(int64_t{rows} + rows_below - begin - count)};
  }

  /// The same band, for reading only.
  template <typename To>
  requires std::same_as<To, BasicSampleBand<const std::byte>> &&(!std::is_const_v<Byte>)
  operator To() const {  // NOLINT(google-explicit-constructor): reading needs no cast
    return {data,
            width_px,
            rows,
            stride_bytes,
            first_row,
            bytes_per_sample,
            plane,
            texture,
            rows_above,
            rows_below};
  }
};
using SampleBand = BasicSampleBand<const std::byte>;
using MutableSampleBand = BasicSampleBand<std::byte>;

/// Bytes of a packed row of `width_px` pixels.
constexpr size_t bit_row_bytes(uint32_t width_px, uint32_t bits_per_px = 1) {
  return (size_t{width_px} * bits_per_px + 7) / 8;
}

/// Bilevel pixels: 1 is ink, the most significant bit is leftmost, padding bits are 0 (on disk:
/// MinIsWhite, FillOrder 1). Pixels of several levels (drop_levels.h) have 2 or 4 bits.
struct BitBand {
  uint8_t* data = nullptr;
  uint32_t width_px = 0;
  uint32_t rows = 0;
  size_t stride_bytes = 0;  ///< at least bit_row_bytes(width_px, bits_per_px)
  uint32_t first_row = 0;
  uint32_t bits_per_px = 1;  ///< 1, 2 or 4

  uint8_t* row(uint32_t i) const { return data + i * stride_bytes; }
  bool ink(uint32_t x, uint32_t i) const { return (row(i)[x / 8] >> (7 - x % 8) & 1) != 0; }
  /// The value of a pixel of any number of bits.
  uint32_t level(uint32_t x, uint32_t i) const {
    const uint32_t in_byte = 8 / bits_per_px;
    const uint32_t from_right = in_byte - 1 - x % in_byte;
    return uint32_t{row(i)[x / in_byte]} >> from_right * bits_per_px & ((1U << bits_per_px) - 1);
  }

  BitBand slice(uint32_t begin, uint32_t count) const {
    return {row(begin), width_px, count, stride_bytes, first_row + begin, bits_per_px};
  }
};

}  // namespace mezzo
