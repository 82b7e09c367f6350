// Numbers drawn for changes of inputs: the same for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace mezzo::fuzz {

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}

  /// 0 to `end` - 1; `end` is at least 1.
  size_t below(size_t end) { return engine_() % end; }
  bool one_in(size_t times) { return below(times) == 0; }

  /// One of a list that is not empty.
  template <typename List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::minstd_rand engine_;
};

}  // namespace mezzo::fuzz
