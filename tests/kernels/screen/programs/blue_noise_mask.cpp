// Writes the ranks of a mask of blue noise, for an oracle in another language.
//
//   blue_noise_mask SIDE SEED > ranks
//
// 32 bits each, row by row, in the order of this machine.

#include <cstdio>
#include <cstdlib>

#include "kernels/screen/blue_noise.h"

int main(int argc, char** argv) {
  if (argc != 3) return 64;
  const auto number = [&](int i) { return std::strtoul(argv[i], nullptr, 10); };
  const auto ranks = mezzo::screen::blue_noise_ranks(static_cast<uint32_t>(number(1)),
                                                     static_cast<uint32_t>(number(2)));
  return std::fwrite(ranks.data(), 4, ranks.size(), stdout) == ranks.size() ? 0 : 1;
}
