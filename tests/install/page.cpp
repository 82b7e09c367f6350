// Halftones a ramp of 16 x 4 greys and prints its dots.
#include <cstdio>
#include <mezzotint/mezzotint.hpp>
int main() {
  std::vector<uint8_t> grey;
  for (int i = 0; i < 64; ++i) grey.push_back(static_cast<uint8_t>(i % 16 * 17));
  const mezzo::Dots dots = mezzo::halftone(grey, 16, 4, "floyd-steinberg");
  for (unsigned y = 0; y < dots.height; ++y, std::puts(""))
    for (unsigned x = 0; x < dots.width; ++x) std::putchar(dots.ink(x, y) ? '#' : '.');
}
