// Which files this program wrote, by what is in them: the rule of what may be replaced.
//
// A TIFF has the tag Software, "mezzotint" or "mezzotint VERSION". Every other file has a mark in its
// first 4 KiB, as PNG, PDF, SVG, HTML, PostScript, PPF, CGATS, CSV and YAML of this program have it. A
// page that another program saves under the name of a plate has its own Software tag or none.
#pragma once

#include <string>

#include "stages/files/file_system.h"

namespace mezzo::tiff {

enum class FileOrigin {
  kNone,        ///< no regular file has that name, or only what a stopped run left there
  kForeign,     ///< another program wrote it
  kUnreadable,  ///< an empty file, a TIFF whose tags cannot be read, or one that cannot be opened
  kPlate,       ///< a plate of mezzotint: fewer than 8 bits a pixel
  kOther,       ///< another file of mezzotint, such as a page of `synth` or a proof
};

/// Reads the head of the file. Links are followed. Throws nothing.
FileOrigin origin_of_file(const std::string& path,
                          files::FileSystem& files = files::FileSystem::real());

/// A message on a file that an output may not replace; `remedy`
/// ends it: "PATH: this file was not written by mezzotint, and would be replaced; give another name, or
/// REMEDY".
std::string replaced_text(const std::string& path, FileOrigin origin, const std::string& remedy);

}  // namespace mezzo::tiff
