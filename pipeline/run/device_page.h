// Puts a page on GPUs that make strips of all its planes (kernels/device_chain).
#pragma once

#include <optional>
#include <vector>

#include "pipeline/plan/band_plan.h"
#include "pipeline/run/page_run.h"
#include "stages/chain/chain.h"

namespace mezzo::run {

/// A page that is about to run.
struct PageToRun {
  std::vector<PlaneRun>& planes;      ///< get their planes on GPUs
  std::vector<PlaneGroup>& together;  ///< likewise the inks that are halftoned together
  const PagePreview* preview;         ///< null: none is made
  bool has_linework = false;
  bool decodes = false;   ///< what a GPU codes is decoded there, too
  plan::BandPlan& bands;  ///< gets the bands that suit a GPU, which take no more memory
};

/// The page as it goes up, whose planes become strips there (plan/gpu_way.h); nothing, and nothing
/// changed, where no GPU has room for all of them, where memory cannot be locked for it, or where no
/// bands fit (device_bands.h). Throws Error, kDevice.
std::optional<PageOnDevice> put_on_device(const chain::Chain& chain, const PageToRun& page);

}  // namespace mezzo::run
