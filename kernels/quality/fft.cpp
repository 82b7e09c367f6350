#include "kernels/quality/fft.h"

#include <algorithm>
#include <kissfft/kissfft.hh>

namespace mezzo::quality {
namespace {

using Complex = std::complex<double>;

/// Transforms every row of `in` (rows x columns) into `out`.
void transform_rows(const kissfft<double>& plan,
                    const std::vector<Complex>& in,
                    uint32_t columns,
                    std::vector<Complex>& out) {
  for (size_t first = 0; first < in.size(); first += columns) {
    plan.transform(in.data() + first, out.data() + first);
  }
}

/// out[x * rows + y] = in[y * columns + x], in squares that stay in the cache.
void transpose(const std::vector<Complex>& in,
               uint32_t rows,
               uint32_t columns,
               std::vector<Complex>& out) {
  constexpr uint32_t kSquare = 16;
  for (uint32_t top = 0; top < rows; top += kSquare) {
    for (uint32_t left = 0; left < columns; left += kSquare) {
      for (uint32_t x = left; x < std::min(left + kSquare, columns); ++x) {
        for (uint32_t y = top; y < std::min(top + kSquare, rows); ++y) {
          out[size_t{x} * rows + y] = in[size_t{y} * columns + x];
        }
      }
    }
  }
}

}  // namespace

struct Fft2d::Plans {
  Plans(uint32_t rows, uint32_t columns)
      : along_x(columns, false), along_y(rows, false), back_x(columns, true), back_y(rows, true) {}
  kissfft<double> along_x, along_y, back_x, back_y;
};

Fft2d::Fft2d(uint32_t rows, uint32_t columns)
    : rows_(rows),
      columns_(columns),
      plans_(std::make_unique<Plans>(rows, columns)),
      values_(size_t{rows} * columns),
      spectrum_(values_.size()) {}

Fft2d::~Fft2d() = default;

void Fft2d::forward() {
  transform_rows(plans_->along_x, values_, columns_, spectrum_);
  transpose(spectrum_, rows_, columns_, values_);
  transform_rows(plans_->along_y, values_, rows_, spectrum_);
}

void Fft2d::inverse() {
  transform_rows(plans_->back_y, spectrum_, rows_, values_);
  transpose(values_, columns_, rows_, spectrum_);
  transform_rows(plans_->back_x, spectrum_, columns_, values_);
}

uint32_t fast_fft_size(uint32_t size) {
  for (uint32_t candidate = std::max(size, 1U);; ++candidate) {
    uint32_t rest = candidate;
    for (const uint32_t prime : {2U, 3U, 5U}) {
      while (rest % prime == 0) rest /= prime;
    }
    if (rest == 1) return candidate;
  }
}

}  // namespace mezzo::quality
