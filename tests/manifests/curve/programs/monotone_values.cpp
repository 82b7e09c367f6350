// Isotonic regression and monotone cubics of numbers on standard input, for monotone_oracle.py:
//   isotonic N values.. weights..
//   cubic N x.. y.. M places..
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "manifests/curve/monotone.h"

namespace {

std::vector<double> numbers(size_t count) {
  std::vector<double> found(count);
  for (double& one : found) std::cin >> one;
  return found;
}

void print(const std::vector<double>& values) {
  for (const double value : values) std::printf("%.17g ", value);
  std::printf("\n");
}

}  // namespace

int main() {
  std::string what;
  size_t count = 0;
  while (std::cin >> what >> count) {
    std::vector<double> first = numbers(count), second = numbers(count);
    if (what == "isotonic") {
      print(mezzo::curve::isotonic(first, second));
      continue;
    }
    const mezzo::curve::MonotoneCubic cubic(std::move(first), std::move(second));
    std::cin >> count;
    std::vector<double> values;
    for (const double place : numbers(count)) values.push_back(cubic.at(place));
    print(values);
  }
  return 0;
}
