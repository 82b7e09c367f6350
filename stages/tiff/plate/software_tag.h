// The program that wrote a TIFF file, by its tag Software.
#pragma once

#include <string>

namespace mezzo::tiff {

/// The tag of the first page; empty without one, and where the file is no TIFF that can be read.
std::string software_of(const std::string& path);

}  // namespace mezzo::tiff
