// Two-dimensional Fourier transforms in double precision, for any size.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace mezzo::quality {

/// Transforms of rows x columns values. Its two buffers are its own, so a thread needs one of its
/// own too.
class Fft2d {
 public:
  Fft2d(uint32_t rows, uint32_t columns);
  ~Fft2d();

  /// Value (x, y) is at [y * columns + x]; the caller fills all of it before forward() and reads it
  /// after inverse().
  std::vector<std::complex<double>>& values() { return values_; }

  /// Frequency (u, v) is at [u * rows + v], transposed; u runs along x.
  std::vector<std::complex<double>>& spectrum() { return spectrum_; }

  /// values() -> spectrum(): sum of value exp(-2 pi i (u x / columns + v y / rows)). Spoils
  /// values().
  void forward();

  /// spectrum() -> values(), not scaled: forward() and inverse() multiply by rows x columns. Spoils
  /// spectrum().
  void inverse();

  uint32_t rows() const { return rows_; }
  uint32_t columns() const { return columns_; }

 private:
  struct Plans;
  uint32_t rows_;
  uint32_t columns_;
  std::unique_ptr<const Plans> plans_;
  std::vector<std::complex<double>> values_;
  std::vector<std::complex<double>> spectrum_;
};

/// The smallest size that is at least `size` and has no prime factor above 5, as such sizes are
/// fast.
uint32_t fast_fft_size(uint32_t size);

}  // namespace mezzo::quality
