// The line work of a sheet (kernels/prepress/overlay.h): which of its plates print it, and whether
// its file fits them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/prepress/overlay.h"
#include "pipeline/plan/job_plan.h"
#include "stages/band/bit_reader.h"
#include "stages/chain/chain.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::plan {

/// Whether other inks stay below it: as the settings say, else below black alone.
bool overprints(const manifests::Linework& linework);

/// "type.tif in black, over the other inks; marks.tif in all inks", for people; empty without line work.
std::string linework_text(const SheetPlan& sheet);

/// The effect of the line work on the plate of that ink.
prepress::Overlay overlay_of(const manifests::Linework& linework,
                             const std::string& ink,
                             const manifests::PageSettings& page);

/// Returns, for each plate, the effect of each line work of the sheet. Throws Error(kUnsupported) when the
/// ink of one has no plate.
std::vector<std::vector<prepress::Overlay>> overlays_of(const SheetPlan& sheet);

/// Throws Error(kUnsupported) when `file` is not of one page, bilevel and one plane, or has not the size
/// and resolution of the plates that `chain`, with `copies`, makes of a page. Sizes may differ by less
/// than a pixel of the page, as both are rounded from one layout: see linework_frame(). Its page may be
/// refused as by TiffFile::page().
void check_linework(const tiff::TiffFile& file,
                    const chain::Chain& chain,
                    const manifests::Copies& copies);

/// Returns where line work is placed on its plates. If the sizes differ, the top left corners of the
/// unturned pages coincide, as renderers begin there. `rotate: 90` puts that corner at the top right.
BitReader::Frame linework_frame(const PageInfo& linework,
                                const PageInfo& plate,
                                const manifests::Geometry& geometry);

/// Opens the line work of a sheet whose only page is described and becomes its plates through `chain`:
/// replaces entries of each ink by one for every ink, checks that each file fits, and sets marks and digests.
/// Adds the memory of reading all files, at `memory_bytes` and at the least, to the needs of the page's
/// reader. Throws Error (kMissing, kIo, kData, kUnsupported, kLimit, kChecksum).
void plan_linework(files::FileSystem& files,
                   const chain::Chain& chain,
                   uint64_t memory_bytes,
                   uint32_t threads,
                   SheetPlan& sheet);

/// The file that was planned. Throws Error(kData) when it has changed since.
std::unique_ptr<tiff::TiffFile> open_linework(const LineworkPlan& linework,
                                              files::FileSystem& files);

}  // namespace mezzo::plan
