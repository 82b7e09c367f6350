// The state that direct binary search starts from, counted from scratch.
#pragma once

#include <vector>

#include "kernels/band/team.h"
#include "kernels/search/cpu/dbs_area.h"

namespace mezzo::search::dbs {

/// c of the free pixels, with room around them for the changes of visits.
class DbsField {
 public:
  /// All of it 0.
  explicit DbsField(const DbsArea& area);

  size_t stride() const { return stride_; }
  /// c of pixel (y, x); up to edge() outside the free pixels there is memory, and to the right
  /// kSpare more.
  int32_t* at(int y, int x) {
    return values_.data() + static_cast<size_t>(y - first_row_) * stride_ +
           static_cast<size_t>(x + edge_);
  }

  static constexpr int kSpare = 16;

 private:
  int edge_;
  int first_row_;  ///< that there is memory for
  size_t stride_;
  std::vector<int32_t> values_;
};

/// The state of a start: c, and E.
struct CountedField {
  DbsField field;
  uint64_t error;
};

/// Of the eye and target of `settings`, from the bits of `in`.
CountedField count_field(const DbsSettings& settings,
                         const Area& in,
                         const DbsArea& area,
                         Team& team);

}  // namespace mezzo::search::dbs
