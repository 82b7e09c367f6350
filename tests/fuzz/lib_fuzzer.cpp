// A target of fuzzing for libFuzzer, which finds its own way through the code.
//
// CMakeLists.txt has the commands.

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>

#include "tests/fuzz/fuzz_target.h"

using mezzo::fuzz::Bytes;

// NOLINTBEGIN(readability-identifier-naming): libFuzzer has these names.
extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most, unsigned seed) {
  size = LLVMFuzzerMutate(data, size, most);
  Bytes bytes(reinterpret_cast<std::byte*>(data), reinterpret_cast<std::byte*>(data) + size);
  if (seed % 16 != 0) mezzo::fuzz::mend(bytes);
  for (size_t i = 0; i < size; ++i) data[i] = static_cast<uint8_t>(bytes[i]);
  return size;
}

/// `--seeds=FOLDER` writes the target's own inputs there.
extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  const std::string first = *argc > 1 ? (*argv)[1] : "";
  if (!first.starts_with("--seeds=")) return 0;
  int number = 0;
  for (const Bytes& seed : mezzo::fuzz::seeds()) {
    std::ofstream(first.substr(8) + "/seed" + std::to_string(number++), std::ios::binary)
        .write(reinterpret_cast<const char*>(seed.data()),
               static_cast<std::streamsize>(seed.size()));
  }
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  mezzo::fuzz::run(Bytes(begin, begin + size));
  return 0;
}
// NOLINTEND(readability-identifier-naming)
