// The published coefficients behind TableRule. The figures are the authors'; ostromoukhov.cpp and
// zhou_fang.cpp name the sources.
#pragma once

#include "kernels/diffusion/rules/table_rule.h"

namespace mezzo::diffusion {

/// kTableLevels entries in host memory, for the life of the program.
const TableEntry* ostromoukhov_entries();
const TableEntry* zhou_fang_entries();

}  // namespace mezzo::diffusion
