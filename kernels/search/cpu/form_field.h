// The state that a search with the tone form starts from, counted from scratch.
#pragma once

#include <cstdint>

#include "kernels/band/team.h"
#include "kernels/search/cpu/dbs_field.h"

namespace mezzo::search::form {

struct FormField {
  dbs::DbsField field;  ///< c of the free pixels
  int64_t error;        ///< E
};

/// From the bits and tones of `in`; `area` is its layout for a radius of kHalfRadius.
FormField count_form(const Area& in, const dbs::DbsArea& area, Team& team);

}  // namespace mezzo::search::form
