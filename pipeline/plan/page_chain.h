// The chain of a page, from its settings: which stages it has, in their order.
//
//   rotate (by the reader), crop, samples to ink15, scale, copies
//
// A page that needs none of them keeps its samples and its bits. What is the same at the page's
// resolution and at the plate's is done at the page's, which has a fraction of the pixels: the page
// is cropped before it is scaled, so its new edges are scaled as those of a file that was cropped.
// Copies come last: each has the samples of the one page that was scaled, whose edges do not mix
// with the gap, and the gap is exact to half a pixel of the plate.
#pragma once

#include <memory>
#include <optional>
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

/// What the largest sample of the page's spot channels stands for, when these become inks; empty when
/// it is printed without, or has none. Throws Error(kUnsupported) when the settings refuse a channel
/// of the page, by name where it has one.
std::optional<Polarity> spots_of(const PageInfo& page,
                                 const manifests::PageSettings& settings,
                                 const std::string& place);

/// The reader of the page as `chain` makes it; `chain` must outlive it.
std::unique_ptr<tiff::PageReader> through(const chain::Chain& chain,
                                          std::unique_ptr<tiff::PageReader> reader);

}  // namespace mezzo::plan
