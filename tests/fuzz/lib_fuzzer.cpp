// A target of fuzzing for libFuzzer, which finds its own way through the code. README.md has the commands.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "tests/fuzz/fuzz_target.h"

using mezzo::fuzz::Bytes;
using mezzo::fuzz::Random;

namespace {

double longest_seconds = 0;

void print_longest() {
  std::fprintf(stderr, "longest run: %.3f s\n", longest_seconds);
}

Bytes bytes_of(const uint8_t* data, size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  return {begin, begin + size};
}

void write_seeds(const std::string& folder) {
  int number = 0;
  for (const Bytes& seed : mezzo::fuzz::seeds()) {
    std::ofstream(folder + "/seed" + std::to_string(number++), std::ios::binary)
        .write(reinterpret_cast<const char*>(seed.data()),
               static_cast<std::streamsize>(seed.size()));
  }
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): libFuzzer has these names.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  Random random(seed);
  const bool knows_format = random.one_in(2);
  if (!knows_format) size = LLVMFuzzerMutate(data, size, most);
  Bytes bytes = bytes_of(data, size);
  if (knows_format) mezzo::fuzz::change(bytes, random);
  if (!random.one_in(16)) mezzo::fuzz::mend(bytes);
  if (bytes.empty()) bytes.emplace_back();
  size = std::min(bytes.size(), most);
  std::memcpy(data, bytes.data(), size);
  return size;
}

/// `--seeds=FOLDER` writes the target's own inputs there.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::string first = *argc > 1 ? (*argv)[1] : "";
  if (first.starts_with("--seeds=")) {
    write_seeds(first.substr(8));
    std::exit(0);
  }
  std::atexit(print_longest);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using Clock = std::chrono::steady_clock;
  const auto before = Clock::now();
  mezzo::fuzz::run(bytes_of(data, size));
  longest_seconds =
      std::max(longest_seconds, std::chrono::duration<double>(Clock::now() - before).count());
  return 0;
}
// NOLINTEND(readability-identifier-naming)
