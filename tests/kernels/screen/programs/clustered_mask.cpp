// Writes the ranks of a clustered stochastic screen, for an oracle in another language.
//
//   clustered_mask SIDE AREA SEED > ranks
//
// 32 bits each, row by row, in the order of this machine.

#include <cstdio>
#include <cstdlib>

#include "kernels/screen/clustered.h"

int main(int argc, char** argv) {
  if (argc != 4) return 64;
  const auto number = [&](int i) {
    return static_cast<uint32_t>(std::strtoul(argv[i], nullptr, 10));
  };
  const auto ranks = mezzo::screen::clustered_ranks(number(1), number(2), number(3));
  return std::fwrite(ranks.data(), 4, ranks.size(), stdout) == ranks.size() ? 0 : 1;
}
