// The steps between a page and its halftoner: one table, in their order, with all that planning asks about each.
//
//   rotate (by the reader), crop, samples to ink15, colour to the inks of the press, inks that are
//   printed and mixed, ink limit, scale, copies
//
// A page that needs none of them keeps its samples and its bits. What is the same at the page's
// resolution and at the plate's is done at the page's, which has a fraction of the pixels: the page
// is cropped before it is scaled, so its new edges are scaled as those of a file that was cropped.
// Copies come last: each has the samples of the one page that was scaled, whose edges do not mix
// with the gap, and the gap is exact to half a pixel of the plate.
//
// The memory of a step, and whether a GPU can do it, are asked of its stage (stages/chain/stage.h).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/prepress/scaler.h"
#include "manifests/job.h"
#include "pipeline/plan/ink_map.h"
#include "stages/chain/chain.h"
#include "stages/chain/colour_stage.h"
#include "stages/chain/limit_stage.h"

namespace mezzo::plan {

/// A page on its way through the steps.
struct PageToChain {
  const PageInfo& page;  ///< as its file has it, not turned yet
  const manifests::PageSettings& settings;
  const std::string& place;            ///< for messages: "in.tif: page 1"
  const std::string& ink;              ///< that its only ink has in its job, if another
  const chain::PageColourPtr& colour;  ///< its conversion

  // Set by the steps, each for those behind it.
  InkMap inks = {};
  std::optional<chain::LimitSettings> limit = {};
  std::optional<prepress::Scaling> scaling = {};
};

/// A row of the table.
struct ChainStep {
  std::string_view name;

  /// Adds the stages that the page needs. Throws Error (kUnsupported, kData, kLimit) by `place` where it cannot have
  /// them. Before "inks" the page has the inks of its file, behind it those of its plates.
  void (*add)(PageToChain& page, chain::Chain& chain);

  /// Whether a page of paper and solids alone still is one; null: always. Methods pass such pages on as they are.
  bool (*keeps_solids)(const manifests::PageSettings& settings) = nullptr;

  /// The time that a pixel of the plate takes a thread, where a GPU would do it, in that of linear scaling
  /// (CpuCosts::scale); 0 for a page without the step. Null: little, or the CPU does it at any rate.
  double (*work)(const PageInfo& page,
                 const PageInfo& plate,
                 const manifests::PageSettings& settings) = nullptr;
};

std::span<const ChainStep> chain_steps();

/// The time of all steps together.
bool keep_solids(const manifests::PageSettings& settings);
double work_of_steps(const PageInfo& page,
                     const PageInfo& plate,
                     const manifests::PageSettings& settings);

/// The names of the inks of a page, whose only ink may have another one.
std::vector<std::string> inks_of(const PageInfo& page, const std::string& ink);

}  // namespace mezzo::plan
