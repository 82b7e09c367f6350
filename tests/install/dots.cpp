// Halftones a ramp of 16 x 4 greys and prints its dots.
#include <cstdio>
#include <vector>

#include "kernels/halftone.h"

int main() {
  std::vector<unsigned char> grey;
  for (int i = 0; i < 64; ++i) grey.push_back(static_cast<unsigned char>(i % 16 * 17));
  const mezzo::Bits dots = mezzo::halftone(grey, 16, 4, {.method = "floyd-steinberg"});
  for (unsigned y = 0; y < dots.height; ++y, std::puts(""))
    for (unsigned x = 0; x < dots.width; ++x) std::putchar(dots.ink(x, y) ? '#' : '.');
}
