// The settings of direct binary search (dbs.h).
#pragma once

#include <cstdint>

#include "kernels/search/eye.h"

namespace mezzo::search {

/// The target of the halftone: the picture as the eye sees it, or the picture itself, which
/// sharpens edges.
enum class DbsTarget { kFiltered, kOriginal };

struct DbsSettings {
  Square eye;
  DbsTarget target = DbsTarget::kFiltered;
  uint32_t cell = 0;  ///< least_dbs_cell() .. kMostDbsCell
};

inline constexpr uint32_t kMostDbsCell = 64;

constexpr uint32_t least_dbs_cell(uint32_t radius) {
  return 2 * radius + 2;
}

}  // namespace mezzo::search
