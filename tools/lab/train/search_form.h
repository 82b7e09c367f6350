// The tables of the tone form of searches (kernels/search/form.h).
#pragma once

#include <cstdint>
#include <vector>

namespace mezzo::train {

/// Half a table each: the values at distances 0, 1, ..
struct FormTables {
  std::vector<int32_t> eye, near, middle, far, blur, dot;
};

/// From the formulas of form.h; nothing of it is random.
FormTables form_tables();

}  // namespace mezzo::train
