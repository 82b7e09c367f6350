// The chain of a page, from its settings: by the steps of chain_steps.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "pipeline/plan/job_plan.h"
#include "stages/chain/chain.h"
#include "stages/tiff/read/page_reader.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::plan {

/// "in.tif: page 1", for messages; `page` counts from 0.
std::string place_of(const SheetPlan& sheet, uint32_t page);

/// The names of the inks of page `i`, as `inks` of its settings maps them: those that its file has, or
/// that it is converted to. Its only ink may have another one in its job.
std::vector<std::string> inks_of(const SheetPlan& sheet, size_t i);

/// `page` as its file has it, at `place` in messages; `ink` is that which its only ink has in its job,
/// if another, and `colour` its conversion. Throws Error (kUnsupported, kData, kLimit) when the page
/// cannot become what the settings ask for.
chain::Chain make_chain(const PageInfo& page,
                        const manifests::PageSettings& settings,
                        const std::string& place,
                        const std::string& ink = {},
                        const chain::PageColourPtr& colour = nullptr);

/// What the largest sample of the page's spot channels stands for, when these become inks; empty when
/// it is printed without, or has none. Throws Error(kUnsupported) when the settings refuse a channel
/// of the page, by name where it has one.
std::optional<Polarity> spots_of(const PageInfo& page,
                                 const manifests::PageSettings& settings,
                                 const std::string& place);

/// How the page is read: its spot channels as spots_of() says, and its colours where they are
/// converted. Throws Error(kUnsupported), also for a page that has no meaning without conversion.
tiff::ReadAs read_as(const PageInfo& page,
                     const manifests::PageSettings& settings,
                     const std::string& place);

/// The tones that are protected on a plate of `page`, as its file has it; `own` is what the settings
/// of the plate's ink protect. A page of one bit is
/// line work, or halftoned already: both its tones, so that every method passes it on as it is.
prepress::Protect protect_of(const PageInfo& page,
                             const manifests::PageSettings& settings,
                             prepress::Protect own);

/// The reader of the page as `chain` makes it; `chain` must outlive it.
std::unique_ptr<tiff::PageReader> through(const chain::Chain& chain,
                                          std::unique_ptr<tiff::PageReader> reader);

}  // namespace mezzo::plan
