// The chain of a page, from its settings: which stages it has, in their order.
//
//   samples to ink15, scale
//
// A page that needs none of them keeps its samples and its bits.
#pragma once

#include <memory>
#include <string>

#include "manifests/job.h"
#include "pipeline/plan/job_plan.h"
#include "stages/chain/chain.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo::plan {

/// "in.tif: page 1", for messages; `page` counts from 0.
std::string place_of(const SheetPlan& sheet, uint32_t page);

/// `page` as its file has it, at `place` in messages. Throws Error
/// (kUnsupported, kData, kLimit) when the page cannot become what the settings ask for.
chain::Chain make_chain(const PageInfo& page,
                        const manifests::PageSettings& settings,
                        const std::string& place);

/// The tones that are protected on the plates of `page`, as its file has it. A page of one bit is
/// line work, or halftoned already: both its tones, so that every method passes it on as it is.
prepress::Protect protect_of(const PageInfo& page, const manifests::PageSettings& settings);

/// The reader of the page as `chain` makes it; `chain` must outlive it.
std::unique_ptr<tiff::PageReader> through(const chain::Chain& chain,
                                          std::unique_ptr<tiff::PageReader> reader);

}  // namespace mezzo::plan
