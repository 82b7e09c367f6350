// Writes the tile of a TIFF as PostScript to standard output, for gs_oracle.py.

#include <exception>
#include <iostream>

#include "kernels/screen/tile_values.h"
#include "stages/screen/postscript_halftone.h"
#include "stages/screen/tile_file.h"

int main(int count, char** arguments) {
  try {
    if (count != 2) throw std::invalid_argument("usage: tile_postscript TILE.tif");
    const auto tile = mezzo::screen::read_tile(arguments[1]).values;
    mezzo::screen::write_postscript(mezzo::screen::tile_of_thresholds(*tile, tile->shift),
                                    std::cout);
    return std::cout.flush() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
