// A colour table as a file: what a plan hands to those who work on it, and what is kept beside a job
// that must give the same plates for years.
//
// All numbers have their low byte first:
//
//   "mezzotint colour table\n"   23 bytes
//   version                      ColourTable::kVersion, 32 bits, as are those that follow
//   inputs, outputs, grid
//   rule of black                0: none, 1: black alone, 2: black point, 3: neutrals
//   output that is black
//   points of the curve of black
//   the curve, then the nodes    16 bits a value
//   digest                       32 hexadecimal digits of ColourTable::digest()
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "kernels/prepress/colour_table.h"
#include "stages/files/file_system.h"

namespace mezzo::colour {

/// The bytes of a file.
std::string table_bytes(const prepress::ColourTable& table);

/// The table of a file's bytes; `place` names it in messages. Whatever the bytes are, no more memory
/// is taken than a few times their number. Throws Error: kData for anything but a whole table with
/// its own digest, kUnsupported for a version that is not known.
std::shared_ptr<const prepress::ColourTable> parse_table(std::string_view bytes,
                                                         const std::string& place);

/// Reads a file. A `digest` that is not empty must be the table's. Throws as parse_table(), also
/// kData for another digest, and kMissing, kIo, kLimit.
std::shared_ptr<const prepress::ColourTable> read_table(
    const std::string& path,
    std::string_view digest = {},
    files::FileSystem& files = files::FileSystem::real());

/// Writes a file, whole or not at all, in the place of an older one. Throws Error: kCannotCreate,
/// kDiskFull, kIo.
void write_table(const std::string& path,
                 const prepress::ColourTable& table,
                 files::FileSystem& files = files::FileSystem::real());

}  // namespace mezzo::colour
