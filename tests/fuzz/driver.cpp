// Fuzzing without libFuzzer: inputs made of others by small changes. Crashes, sanitizers and runs of
// more than `kMostSeconds` end it, and leave the input in fuzz-input.
//
//   TARGET SECONDS [SEED [FILE...]]
//
// Every run begins with the same numbers for the same SEED. FILEs are inputs beside the target's own.

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>

#include "tests/fuzz/fuzz_target.h"

namespace {

using mezzo::fuzz::Bytes;

constexpr unsigned kMostSeconds = 10;

/// Numbers at which programs break.
constexpr uint32_t kOddNumbers[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    16,
                                    127,
                                    128,
                                    255,
                                    256,
                                    4096,
                                    32767,
                                    65535,
                                    0x10000,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFF};

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}

  Bytes changed(const std::vector<Bytes>& inputs) {
    Bytes bytes = inputs[below(inputs.size())];
    for (size_t i = 1 + below(6); i > 0 && !bytes.empty(); --i) change(bytes);
    if (below(10) != 0) mezzo::fuzz::mend(bytes);
    return bytes;
  }

 private:
  size_t below(size_t end) { return random_() % end; }

  /// A place that is more often near the beginning, where heads and lists are.
  size_t place(const Bytes& bytes) {
    return below(2) == 0 ? below(std::min<size_t>(bytes.size(), 400)) : below(bytes.size());
  }

  void put(Bytes& bytes, size_t at, size_t size, uint32_t value) {
    for (size_t i = 0; i < size && at + i < bytes.size(); ++i) {
      bytes[at + i] = static_cast<std::byte>(value >> (8 * (size - 1 - i)));
    }
  }

  void change(Bytes& bytes) {
    const size_t at = place(bytes), other = place(bytes);
    const size_t length = std::min(1 + below(64), bytes.size() - std::max(at, other));
    switch (below(7)) {
      case 0:
        bytes[at] ^= static_cast<std::byte>(1U << below(8));
        break;
      case 1:
        bytes[at] = static_cast<std::byte>(random_());
        break;
      case 2:
        put(bytes, at & ~size_t{3}, 4, kOddNumbers[below(std::size(kOddNumbers))]);
        break;
      case 3:
        put(bytes, at & ~size_t{1}, 2, kOddNumbers[below(std::size(kOddNumbers))]);
        break;
      case 4: {  // one place has what another has
        const Bytes copy(bytes.begin() + static_cast<std::ptrdiff_t>(other),
                         bytes.begin() + static_cast<std::ptrdiff_t>(other + length));
        std::copy(copy.begin(), copy.end(), bytes.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      }
      case 5:
        if (below(4) == 0) bytes.resize(1 + below(bytes.size()));
        break;
      default:
        put(bytes, at & ~size_t{3}, 4, static_cast<uint32_t>(below(2 * bytes.size())));
    }
  }

  std::mt19937 random_;
};

Bytes bytes_of(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

void keep(const Bytes& input) {
  std::ofstream("fuzz-input", std::ios::binary)
      .write(reinterpret_cast<const char*>(input.data()),
             static_cast<std::streamsize>(input.size()));
}

}  // namespace

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 1);
  Mutator mutator(argc > 2 ? static_cast<uint32_t>(std::atoi(argv[2])) : 1);
  std::vector<Bytes> inputs = mezzo::fuzz::seeds();
  for (int i = 3; i < argc; ++i) inputs.push_back(bytes_of(argv[i]));
  uint64_t runs = 0, taken = 0;
  for (const Bytes& input : inputs) taken += mezzo::fuzz::run(input) ? 1 : 0;
  if (taken != inputs.size()) return std::puts("a seed is refused"), 1;
  taken = 0;
  double longest = 0;
  while (Clock::now() < end) {
    const Bytes input = mutator.changed(inputs);
    keep(input);
    alarm(kMostSeconds);
    const auto before = Clock::now();
    taken += mezzo::fuzz::run(input) ? 1 : 0;
    longest = std::max(longest, std::chrono::duration<double>(Clock::now() - before).count());
    ++runs;
  }
  std::printf("%llu inputs, %llu taken, the longest %.2f s\n",
              static_cast<unsigned long long>(runs),
              static_cast<unsigned long long>(taken),
              longest);
  return taken == 0;
}
