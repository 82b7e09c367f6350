// Plates of one page that would take the place of another page's.
#pragma once

#include <string>
#include <vector>

#include "stages/files/file_system.h"

namespace mezzo::run {

/// Throws Error(kCannotCreate) when a file has the name of the plate and is not an earlier plate of
/// the same pages, whose samples have these digests.
void refuse_other_page(files::FileSystem& files,
                       const std::string& plate,
                       const std::vector<std::string>& sample_hashes);

}  // namespace mezzo::run
