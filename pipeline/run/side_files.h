// Makes the files beside the plates of a sheet that is published: proofs and PPF files.
//
// The plates are good and may be on their way to the setter, so nothing here fails the sheet: a file that
// cannot be made, also for lack of space, is a warning that says why, and the next run of the job makes
// it. A request to stop ends it likewise.
#pragma once

#include <functional>
#include <string>

#include "kernels/band/team.h"
#include "pipeline/plan/job_plan.h"
#include "pipeline/run/result.h"

namespace mezzo::run {

/// What earlier runs made. Used from several threads.
class SideFileMemory {
 public:
  virtual ~SideFileMemory() = default;

  /// Whether the file is there, as a run with this text made it.
  virtual bool is_current(const std::string& path, const std::string& text) = 0;

  /// The file was made; `text` says all that decides its content.
  virtual void made(const std::string& path, const std::string& text) = 0;
};

struct SideFileContext {
  std::string job;  ///< its name
  Team& team;
  files::FileSystem& files;
  SideFileMemory* memory =
      nullptr;  ///< null: a file of a sheet that was made before is right if it is there
  std::function<void()> go_on;  ///< may throw anything to stop
};

/// Adds side_files, warnings and notes to the result of a good sheet. What earlier runs made of the same
/// plates stays as it is. Throws nothing.
void make_side_files(const plan::SheetPlan& sheet,
                     const SideFileContext& context,
                     SheetResult& result);

}  // namespace mezzo::run
