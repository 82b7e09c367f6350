// The files that a sheet gets beside its plates: proofs and PPF files (manifests/side_settings.h).
//
// They are made after the plates are published, from these or from the page, and decide nothing about
// them: one that cannot be made is a warning. What can be known before is refused before, as for plates:
// paths that would replace plates, inputs or each other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/proof/neugebauer.h"
#include "manifests/press.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// "proof", "ppf".
std::string_view name_of(SideKind kind);

/// Fills in SheetPlan::side_files. Throws Error(kUsage) where several pages would have one name, and for a
/// proof by the press's profile where there is none.
void plan_side_files(SheetPlan& sheet);

/// The table of ink zones beside a PPF file.
std::string zones_path(const std::string& ppf);

/// All paths that the side files of a sheet take.
std::vector<std::string> side_paths(const SheetPlan& sheet);

/// The colours of inks in print, as far as the press says them, else the usual ones.
struct KnownColours {
  proof::PrintColours colours;
  std::vector<std::string> unknown;  ///< inks that are shown grey, as nothing says their colour
};
KnownColours colours_of(const manifests::Press* press, const std::vector<std::string>& inks);

/// The name of a plate's ink, without the bit of levels.
std::string ink_of(const PlatePlan& plate);

/// The ink of each plate on its press, for its colour: without the bit of levels.
std::string print_ink_of(const SheetPlan& sheet, size_t plate);

}  // namespace mezzo::plan
