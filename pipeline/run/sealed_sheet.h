// A sheet between its making and its publication.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pipeline/plan/job_plan.h"
#include "pipeline/run/result.h"
#include "stages/files/file_mark.h"

namespace mezzo::run {

/// A plate's file before it has its name.
struct SealedFile {
  std::string path;
  files::FileMark mark;
  std::string digest;  ///< that of verify_plate(): "xxh3:..."
};

/// A sheet whose plates are complete and checked, before they get their names.
struct SealedSheet {
  const plan::SheetPlan& sheet;
  const SheetResult& result;
  const files::FileMark& input_file;
  const std::string& input_digest;       ///< "xxh3:..." or "sha256:..."
  const std::vector<SealedFile>& files;  ///< of its plates, in their order
};

/// Called from several threads; may throw Error, and the sheet is not published then.
using OnSealed = std::function<void(const SealedSheet&)>;

/// Called when the plates of a sheet have their names, from several threads; throws nothing.
using OnPublished = std::function<void(const plan::SheetPlan&)>;

}  // namespace mezzo::run
