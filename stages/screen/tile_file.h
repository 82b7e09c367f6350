// Tiles of thresholds as files: grey TIFFs of 8 or 16 bits, one value a pixel.
//
// The values count as they are stored: MinIsBlack and MinIsWhite are the same here, and a file that
// has both thresholds and an orientation is read upright.
#pragma once

#include <string>

#include "kernels/screen/tile_values.h"
#include "kernels/settings.h"
#include "stages/files/file_system.h"

namespace mezzo::screen {

/// Reads the values of a tile and takes their digest. Throws Error: kMissing, kIo, kData,
/// kUnsupported for anything but one page of grey with 8 or 16 bits, kLimit above kMostTile values.
TileFile read_tile(const std::string& path, files::FileSystem& files = files::FileSystem::real());

/// Writes a tile whose values give these thresholds again, and its shift. It replaces an older file.
/// Throws Error: kCannotCreate, kDiskFull, kIo.
void write_tile(const std::string& path, const ThresholdTile& tile);

}  // namespace mezzo::screen
