// Trained tables as files for the build. That of raster diffusion is CSV, too, for other uses.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "kernels/diffusion/rules/tables/tone_table.h"
#include "kernels/pinwheel/tables/tables.h"
#include "tools/lab/train/levels.h"
#include "tools/lab/train/search_form.h"

namespace mezzo::train {

/// A file's name and its first line.
struct TableFile {
  std::filesystem::path folder;
  std::string name;     ///< of the file, without its ending, and of the function that gives it
  std::string made_by;  ///< the command
  std::string remark;   ///< the trained levels, and the costs
};

/// Writes <name>.inc; throws std::runtime_error if it cannot, as the others do.
void write_pinwheel(const TableFile& file, const pinwheel::ToneRows& rows);

/// Writes <name>.cpp and <name>.csv.
void write_raster(const TableFile& file, const diffusion::ToneRows& rows);

/// Writes <name>.h.
void write_form(const TableFile& file, const FormTables& tables);

}  // namespace mezzo::train
