// Proofs of plates that are on disk: those of a sheet, or of any page whose plates are given.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "manifests/job.h"
#include "pipeline/plan/job_plan.h"
#include "stages/proof/plate_proof.h"

namespace mezzo::run {

/// A plate and how it prints.
struct PrintedPlate {
  proof::PlatePageFile file;
  std::string ink;                        ///< on its press
  std::optional<DropLevels> levels = {};  ///< of its ink
  std::optional<uint32_t> drop_bit = {};  ///< of these, which the plate has alone
  ToneSettings tone = {};                 ///< that its dots were made with
};

/// The proof of one page.
struct ProofJob {
  std::vector<PrintedPlate> plates;  ///< of the page, at least one
  Resolution resolution;             ///< of these
  manifests::ProofSettings settings;
  std::optional<manifests::Press> press;
  std::string profile = {};       ///< of the press, for colours by it
  bool is_press_profile = false;  ///< the press file names it: it is read wherever it lies
  std::string path = {};          ///< of the proof
};

struct ProofMade {
  uint32_t width_px = 0, height_px = 0;
  double dpi = 0;
  uint64_t file_bytes = 0;
  std::vector<std::string> notes = {};  ///< what people should know of its colours
};

/// Makes the file, whole or not at all. `go_on` is called between rows and may throw. Throws Error.
ProofMade make_proof(const ProofJob& job,
                     Team& team,
                     files::FileSystem& files,
                     const std::function<void()>& go_on);

/// The files among which the profile is: all those of the machine where the press file names it.
files::FileSystem& files_of_profile(bool is_press_profile, files::FileSystem& files);

/// The proof of page `page` of a sheet that is published.
ProofJob proof_of(const plan::SheetPlan& sheet, size_t page, const std::string& path);

}  // namespace mezzo::run
