// Plates of one page that would take the place of another page's.
#pragma once

#include <string>
#include <vector>

#include "stages/files/file_system.h"

namespace mezzo::run {

/// Returns, for each plate, the file that has its name, or a name that many file systems take for the same: one that
/// differs only in upper and lower case or in its Unicode form. Empty if no file has. Reads each folder once.
std::vector<std::string> files_with_names_of(files::FileSystem& files,
                                             const std::vector<std::string>& plates);

/// Throws Error(kUsage) when `taken`, one of these files, is not an earlier plate of the same pages, whose samples
/// have these digests.
void refuse_other_page(files::FileSystem& files,
                       const std::string& plate,
                       const std::string& taken,
                       const std::vector<std::string>& sample_hashes);

}  // namespace mezzo::run
