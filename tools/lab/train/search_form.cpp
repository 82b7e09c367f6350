#include "tools/lab/train/search_form.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace mezzo::train {
namespace {

constexpr int32_t kNearSum = 2048;
/// Two of its squares are three of kNearSum's: the weight of the wide eye.
constexpr int32_t kWideSum = 2508;

using Half = std::vector<double>;  ///< by distance

Half gaussian(double sigma, size_t radius) {
  Half half;
  for (size_t d = 0; d <= radius; ++d) {
    half.push_back(std::exp(-static_cast<double>(d * d) / (2 * sigma * sigma)));
  }
  return half;
}

double at(const Half& half, size_t d) {
  return d < half.size() ? half[d] : 0;
}

/// Sums over all places of the table times itself moved by 0, 1, ..
Half autocorrelation(const Half& half) {
  const auto radius = static_cast<int>(half.size()) - 1;
  Half sums;
  for (int d = 0; d <= 2 * radius; ++d) {
    double sum = 0;
    for (int x = -radius; x <= radius; ++x) {
      sum += at(half, static_cast<size_t>(std::abs(x))) *
             at(half, static_cast<size_t>(std::abs(x + d)));
    }
    sums.push_back(sum);
  }
  return sums;
}

/// In whole numbers that add up to `whole` over both sides; the middle takes the rounding error.
std::vector<int32_t> rounded(const Half& half, int32_t whole) {
  double sum = half[0];
  for (size_t d = 1; d < half.size(); ++d) sum += 2 * half[d];
  std::vector<int32_t> table(half.size());
  table[0] = whole;
  for (size_t d = 1; d < half.size(); ++d) {
    table[d] = static_cast<int32_t>(std::lround(half[d] / sum * whole));
    table[0] -= 2 * table[d];
  }
  return table;
}

/// Half of the price of ink by tone, in parts of kNearSum^2: 0.12 (1 - sqrt(tone / 5 %)).
std::vector<int32_t> prices() {
  constexpr double kPrice = 0.12, kEnd = 0.05;
  std::vector<int32_t> table = {0};  // where there is no tone no ink is wanted
  for (int tone = 1; table.back() > 0 || tone == 1; ++tone) {
    const double part = std::sqrt(tone / (4096 * kEnd));
    table.push_back(
        std::max(0, static_cast<int>(std::lround(kPrice * (1 - part) / 2 * kNearSum * kNearSum))));
  }
  return table;
}

}  // namespace

FormTables form_tables() {
  const Half eye = gaussian(1, 3);
  // Squares of the eyes that see these are what the form adds up; the second looks wider than it is,
  // as its own Gaussian is cut off at 8 pixels.
  const Half middle = gaussian(3 / std::sqrt(2.0), 8), far = gaussian(5.3, 8);
  FormTables tables;
  tables.eye = rounded(eye, 256);
  tables.near = rounded(autocorrelation(Half(tables.eye.begin(), tables.eye.end())), kNearSum);
  tables.middle = rounded(autocorrelation(middle), kWideSum);
  tables.far = rounded(autocorrelation(far), kWideSum);
  tables.blur = rounded(gaussian(2, 6), 256);
  tables.dot = prices();
  return tables;
}

}  // namespace mezzo::train
