// The page of `mezzotint compare --html`: reads the planes once more, for their pictures, and
// writes the page.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stages/files/publish.h"
#include "tools/compare/pages.h"
#include "tools/compare/report.h"

namespace mezzo::compare {

/// The pairs compared: halftones[i] with plane planes[i] of the contone.
struct ComparedPages {
  const OpenPage& contone;
  const std::vector<OpenPage>& halftones;
  const std::vector<uint32_t>& planes;
};

/// Makes the file at `path` ready for the page; the file that it replaces stays until the page is
/// whole. Throws Error(kUsage) when it is one of `inputs`, else as PendingFile does.
std::unique_ptr<files::PendingFile> create_html(const std::string& path,
                                                files::ExistingFile existing,
                                                const std::vector<std::string>& inputs);

/// Writes the page of `reports`, one a halftone, and gives `file` its name. Throws Error:
/// kInterrupted after a signal, kDiskFull, and the errors of reading; also when an input was
/// changed meanwhile.
void write_comparison_html(files::PendingFile& file,
                           const ComparedPages& pages,
                           const std::vector<NamedReport>& reports,
                           Team& team);

}  // namespace mezzo::compare
