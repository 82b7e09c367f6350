// Prints AM screens for am_oracle.py. `am_ranks choose DPI RULING ANGLE` prints repeats, m and n of the
// cell; `am_ranks tile REPEATS M N DOT MINIMUM_DOT` those of the tile, its width, height and shift, the
// ranks, the thresholds and the order of its cells, a line each.

#include <algorithm>
#include <array>
#include <iostream>
#include <string>

#include "kernels/screen/am_tile.h"

namespace {

template <typename Numbers>
void print(const Numbers& numbers) {
  for (const auto number : numbers) std::cout << number << ' ';
  std::cout << '\n';
}

void print(const mezzo::screen::Cell& cell) {
  std::cout << cell.repeats << ' ' << cell.m << ' ' << cell.n << '\n';
}

}  // namespace

int main(int count, char** words) {
  using namespace mezzo::screen;  // NOLINT(google-build-using-namespace): a test's main()
  if (count == 5 && std::string(words[1]) == "choose") {
    print(choose_cell(std::stod(words[2]), std::stod(words[3]), std::stod(words[4])));
    return 0;
  }
  if (count != 7 || std::string(words[1]) != "tile") return 64;
  AmScreen screen{.cell = {std::stoi(words[2]), std::stoi(words[3]), std::stoi(words[4])},
                  .minimum_dot = static_cast<uint32_t>(std::stoul(words[6]))};
  screen.dot = static_cast<Dot>(std::ranges::find(kDots, words[5]) - std::begin(kDots));
  const ThresholdTile tile = am_tile(screen);
  print(filled(screen.cell));
  print(std::array{tile.width, tile.height, tile.shift});
  print(am_ranks(screen));
  print(tile.thresholds);
  print(order_of_cells(screen.cell));
}
