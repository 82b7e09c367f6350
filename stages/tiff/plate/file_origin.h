// Tells by the content of a file whether this program wrote it. Outputs replace no other files.
//
// In a TIFF, the tag Software is "mezzotint" or "mezzotint VERSION". Other files (PNG, PDF, SVG, HTML,
// PostScript, PPF, CGATS, CSV, JSON, YAML, colour tables) have a mark in their first 4 KiB. A page that
// another program saved under the name of a plate has that program's Software tag, or none.
#pragma once

#include <string>

#include "kernels/base/error.h"
#include "stages/files/file_system.h"

namespace mezzo::tiff {

enum class FileOrigin {
  kNone,        ///< no regular file has that name, or only the placeholder of a stopped run
  kForeign,     ///< another program wrote it
  kUnreadable,  ///< an empty file, a TIFF whose tags cannot be read, or one that cannot be opened
  kPlate,       ///< a plate of mezzotint: fewer than 8 bits a pixel
  kOther,       ///< another file of mezzotint, such as a page of `synth` or a proof
};

/// Whether an output of the kind `output`, kPlate or kOther, may replace a file of this origin.
constexpr bool may_replace(FileOrigin found, FileOrigin output) {
  return found == FileOrigin::kNone || found == output;
}

/// Reads the head of the file. Links are followed. Throws nothing.
FileOrigin origin_of_file(const std::string& path,
                          files::FileSystem& files = files::FileSystem::real());

/// The error (kUsage) on a file that an output may not replace: "PATH: this file was not written by mezzotint,
/// and would be replaced", with the advice "give another name, or REMEDY".
Error replaced_error(const std::string& path, FileOrigin origin, const std::string& remedy);

}  // namespace mezzo::tiff
