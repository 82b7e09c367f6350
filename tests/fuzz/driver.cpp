// Fuzzing without libFuzzer: inputs made of others by small changes. Crashes, sanitizers and runs of
// more than `kMostSeconds` end it, and leave the input in fuzz-input.TARGET.
//
//   TARGET SECONDS [SEED [FILE or FOLDER...]]
//
// Every run begins with the same numbers for the same SEED. FILEs are inputs beside the target's own, which
// need not be good: all of them are run first, so what was found once is looked for every time.

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "tests/fuzz/support.h"

namespace {

using mezzo::fuzz::Bytes;
using mezzo::fuzz::Random;
using Clock = std::chrono::steady_clock;

constexpr unsigned kMostSeconds = 10;
constexpr uint64_t kMostRefused = 200;

Bytes changed(const std::vector<Bytes>& inputs, Random& random) {
  Bytes bytes = random.of(inputs);
  for (size_t i = 1 + random.below(4); i > 0 && !bytes.empty(); --i) {
    random.one_in(3) ? mezzo::fuzz::change_bytes(bytes, random)
                     : mezzo::fuzz::change(bytes, random);
  }
  if (!random.one_in(10)) mezzo::fuzz::mend(bytes);
  return bytes;
}

void keep(const Bytes& input) {
  static const std::string name = std::string("fuzz-input.") + program_invocation_short_name;
  std::ofstream(name, std::ios::binary)
      .write(reinterpret_cast<const char*>(input.data()),
             static_cast<std::streamsize>(input.size()));
}

/// Counts inputs, and how long they take.
class Runs {
 public:
  bool operator()(const Bytes& input) {
    keep(input);
    alarm(kMostSeconds);
    const auto before = Clock::now();
    const bool is_taken = mezzo::fuzz::run(input);
    longest_ = std::max(longest_, std::chrono::duration<double>(Clock::now() - before).count());
    ++count_;
    taken_ += is_taken ? 1 : 0;
    return is_taken;
  }
  uint64_t count() const { return count_; }
  uint64_t taken() const { return taken_; }
  void print() const {
    std::printf("%llu inputs, %llu taken, the longest %.2f s\n",
                static_cast<unsigned long long>(count_),
                static_cast<unsigned long long>(taken_),
                longest_);
  }

 private:
  uint64_t count_ = 0, taken_ = 0;
  double longest_ = 0;
};

void add(const std::filesystem::path& path, std::vector<Bytes>& inputs) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read\n", path.c_str());
    std::exit(66);
  }
  inputs.push_back(mezzo::fuzz::bytes_of(std::string((std::istreambuf_iterator<char>(file)), {})));
}

/// The files that a path names, by their names.
void add_all(const std::filesystem::path& path, std::vector<Bytes>& inputs) {
  if (!std::filesystem::is_directory(path)) return add(path, inputs);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) add(file, inputs);
}

}  // namespace

int main(int argc, char** argv) {
  const auto is_number = [](const char* text) {
    return *text != 0 &&
           std::string_view(text).find_first_not_of("0123456789") == std::string::npos;
  };
  if ((argc > 1 && !is_number(argv[1])) || (argc > 2 && !is_number(argv[2]))) {
    std::fprintf(stderr, "usage: %s [SECONDS [SEED [FILE...]]]\n", argv[0]);
    return 64;
  }
  Random random(argc > 2 ? static_cast<uint32_t>(std::atoi(argv[2])) : 1);
  std::vector<Bytes> inputs = mezzo::fuzz::seeds();
  Runs runs;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!runs(inputs[i])) return std::printf("seed %zu is refused\n", i), 1;
  }
  const size_t seeds = inputs.size();
  for (int i = 3; i < argc; ++i) add_all(argv[i], inputs);
  for (size_t i = seeds; i < inputs.size(); ++i) runs(inputs[i]);
  const uint64_t count = runs.count(), taken = runs.taken();
  const auto end = Clock::now() + std::chrono::seconds(argc > 1 ? std::atoi(argv[1]) : 1);
  while (Clock::now() < end) runs(changed(inputs, random));
  runs.print();
  // Changes that are refused every time look for nothing.
  return runs.count() - count > kMostRefused && runs.taken() == taken;
}
