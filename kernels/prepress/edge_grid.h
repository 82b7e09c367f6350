// Values of the page pixels in a part of a page, for scaling by edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace mezzo::prepress {

constexpr uint32_t kEdgeColumns = 256;  ///< of a page, at most
constexpr uint32_t kEdgeRows = 32;      ///< of a page, at most
constexpr int32_t kEdgeReach = 5;       ///< px around them that count
constexpr int32_t kEdgeLanes = 32;      ///< of the longest vector

/// A value for each page pixel, with some around the part.
template <typename T>
class EdgeGrid {
 public:
  static constexpr ptrdiff_t kBefore = 8;  ///< columns
  static constexpr ptrdiff_t kStride = kBefore + kEdgeColumns + kBefore + 2 * kEdgeLanes;
  static constexpr uint64_t kMostBytes = kStride * (kEdgeRows + 2 * kEdgeReach) * sizeof(T);

  /// For parts of `rows` at most.
  explicit EdgeGrid(uint32_t rows)
      : values_(std::make_unique<T[]>(size_t{kStride} * (rows + 2 * kEdgeReach))) {}
  T* at(ptrdiff_t row, ptrdiff_t column) const {
    return &values_[static_cast<size_t>((row + kEdgeReach) * kStride + kBefore + column)];
  }

 private:
  std::unique_ptr<T[]> values_;
};

}  // namespace mezzo::prepress
