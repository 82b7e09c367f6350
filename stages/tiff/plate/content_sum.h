// The digest of all rows of a plate file: it depends on the bits alone, not on strips, compression or
// the machine that makes it. It finds damage; it is no defence against forgery.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/codec/row_sum.h"

namespace mezzo::tiff {

class ContentSum {
 public:
  /// Pages in their order, each with the sum of its rows.
  void add_page(const codec::RowSum& rows) {
    sum_ +=
        {codec::placed_sum(rows.first, 0, pages_, 0), codec::placed_sum(rows.second, 1, pages_, 0)};
    ++pages_;
  }
  std::string hex() const { return sum_.hex(); }  ///< 32 lower-case hexadecimal digits

 private:
  codec::RowSum sum_;
  uint32_t pages_ = 0;
};

}  // namespace mezzo::tiff
