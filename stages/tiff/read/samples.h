// Converts stored samples to the planes that the reader returns: bits to bytes, and colours to grey
// or inks.
//
// Pure arithmetic on rows in memory, host byte order. Internal to stages/tiff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stages/tiff/read/layout.h"

namespace mezzo::tiff {

/// Converts pieces of rows. Immutable; any number of threads may share one, each with its scratch.
class RowConverter {
 public:
  using Scratch = std::vector<std::byte>;

  /// Keeps a reference to `layout`.
  explicit RowConverter(const PageLayout& layout) : layout_(layout) {}

  /// Bytes that `scratch` grows to for rows of a block.
  size_t scratch_bytes() const;

  /// `stored` are the decoded bytes of `pixels` pixels: one pointer when samples are contiguous,
  /// else one for each used sample. `planes` receive `pixels` samples each.
  void convert(std::span<const std::byte* const> stored,
               uint32_t pixels,
               std::span<std::byte* const> planes,
               Scratch& scratch) const;

 private:
  bool is_unpacked() const { return layout_.bits == 8 || layout_.bits == 16; }
  template <typename T>
  void convert_unpacked(std::span<const T* const> samples,
                        size_t step,
                        uint32_t pixels,
                        std::span<std::byte* const> planes) const;

  const PageLayout& layout_;
};

/// Exchanges the bytes of `count` 16-bit samples.
void swap_bytes(std::byte* samples, size_t count);

/// Turns whole decoded rows of a block into those that libtiff gives: byte order and predictor.
void finish_rows(const PageLayout& layout, std::byte* to, size_t size);

}  // namespace mezzo::tiff
