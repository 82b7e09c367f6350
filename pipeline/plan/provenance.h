// The origin of a plate, in its tags Software and ImageDescription: enough to
// make it again years later, and nothing that differs between two runs that give the same bits (no
// date, no schedule, no machine).
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// "mezzotint 0.1.0".
std::string provenance_software();

/// Every parameter of the method that decides on bits, and its value as a manifest has it.
std::vector<std::pair<std::string, std::string>> parameter_texts(const HalftoneSettings& halftone);

/// Where the settings of the plate differ from those of its page, as names and values: method with
/// its parameters, levels, tone, protect, compression; and the screen and curves that follow from its ink.
std::vector<std::pair<std::string, std::string>> ink_texts(const SheetPlan& sheet,
                                                           const PlatePlan& plate);

/// One line of "key=value; " pairs: method, parameters and tile, tone, ink, input file, what was done to the
/// page and the plate, the digests of measured curves, the press and the digest of its file, the input's digest (the manifest's SHA-256
/// when there is one), and the digest of the page's samples. origin.h reads it.
std::string provenance_text(const SheetPlan& sheet,
                            size_t page,
                            const std::string& ink,
                            const std::string& sample_hash);

/// The digest of the page's samples in such a line; empty when there is none.
std::string sample_hash_of(const std::string& provenance);

/// All settings that decide the bytes of a sheet's plates, as "name=value" lines: equal texts,
/// equal plates. Engine, schedule, threads and memory, which do not, are left out.
std::string settings_text(const SheetPlan& sheet, const std::string& ink);

}  // namespace mezzo::plan
