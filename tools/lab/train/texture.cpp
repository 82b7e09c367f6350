#include "tools/lab/train/texture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

namespace mezzo::train {
namespace {

/// Lanes that compilers keep in registers, unlike those of an array.
using FloatVector [[gnu::vector_size(64), gnu::may_alias]] = float;
constexpr size_t kVectorLanes = sizeof(FloatVector) / sizeof(float);

const FloatVector& at(const Reals& reals, size_t lane) {
  return *reinterpret_cast<const FloatVector*>(&reals.lane[lane]);
}

double sum_of_products(const Reals* a, const Reals* b, size_t count) {
  double sum = 0;
  for (size_t l = 0; l < kLanes; l += kVectorLanes) {
    FloatVector sums = {};
    for (size_t i = 0; i < count; ++i) sums += at(a[i], l) * at(b[i], l);
    for (size_t i = 0; i < kVectorLanes; ++i) sum += sums[i];
  }
  return sum;
}

/// Pixel k of line i is at k pixel_stride + i line_stride.
struct Lines {
  size_t count, length, pixel_stride, line_stride;
};

/// Filters along the lines, at every `step`-th pixel.
void filter(const Reals* in,
            Reals* out,
            const Lines& from,
            const Lines& to,
            const std::vector<float>& taps,
            size_t step) {
  std::vector<std::array<size_t, 2>> sides(taps.size());  // the pixels that share a tap
  for (size_t k = 0; k < to.length; ++k) {
    for (size_t t = 0; t < taps.size(); ++t) {
      const size_t back = k * step + from.length * t - t, on = k * step + t;
      sides[t] = {back % from.length * from.pixel_stride, on % from.length * from.pixel_stride};
    }
    for (size_t i = 0; i < from.count; ++i) {
      const Reals* line = in + i * from.line_stride;
      Reals& result = out[i * to.line_stride + k * to.pixel_stride];
      for (size_t l = 0; l < kLanes; l += kVectorLanes) {
        FloatVector sum = taps[0] * at(line[sides[0][0]], l);
        for (size_t t = 1; t < taps.size(); ++t) {
          sum += taps[t] * (at(line[sides[t][0]], l) + at(line[sides[t][1]], l));
        }
        std::memcpy(&result.lane[l], &sum, sizeof sum);
      }
    }
  }
}

/// Two lags that are each other's mirror image, in pixels.
struct LagPair {
  size_t x1;
  int y1;
  size_t x2;
  int y2;
};

double correlation(const ErrorField& field, const Window& window, size_t dx, int dy) {
  double sum = 0;
  for (size_t y = window.top; y < window.bottom; ++y) {
    const size_t other = static_cast<size_t>(static_cast<std::ptrdiff_t>(y) + dy);
    sum += sum_of_products(&field.errors[y * field.width + window.left],
                           &field.errors[other * field.width + window.left + dx],
                           window.right - window.left);
  }
  return sum;
}

/// A complex number of each lane of a vector.
struct Complex {
  FloatVector real, imaginary;
};

/// Every `stride`-th of some numbers.
struct ComplexLine {
  Complex* first;
  size_t length, stride;
  Complex& operator[](size_t i) const { return first[i * stride]; }
};

/// The Fourier transform in place (radix 2); the length is a power of two.
void transform(const ComplexLine& line) {
  for (size_t i = 1, j = 0; i < line.length; ++i) {
    size_t bit = line.length / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(line[i], line[j]);
  }
  for (size_t half = 1; half < line.length; half *= 2) {
    for (size_t k = 0; k < half; ++k) {
      const double angle = -std::numbers::pi * static_cast<double>(k) / static_cast<double>(half);
      const auto cosine = static_cast<float>(std::cos(angle));
      const auto sine = static_cast<float>(std::sin(angle));
      for (size_t i = k; i < line.length; i += 2 * half) {
        Complex &even = line[i], &odd = line[i + half];
        const FloatVector real = cosine * odd.real - sine * odd.imaginary;
        const FloatVector imaginary = cosine * odd.imaginary + sine * odd.real;
        odd = {even.real - real, even.imaginary - imaginary};
        even = {even.real + real, even.imaginary + imaginary};
      }
    }
  }
}

/// The spectrum of some lanes of a window.
std::vector<Complex> spectrum(const ErrorField& field, const Window& window, size_t lane) {
  const size_t width = window.right - window.left, height = window.bottom - window.top;
  std::vector<Complex> numbers(width * height);
  for (size_t y = 0; y < height; ++y) {
    for (size_t x = 0; x < width; ++x) {
      const size_t from = (window.top + y) * field.width + window.left + x;
      numbers[y * width + x] = {at(field.errors[from], lane), FloatVector{}};
    }
    transform({&numbers[y * width], width, 1});
  }
  for (size_t x = 0; x < width; ++x) transform({&numbers[x], height, width});
  return numbers;
}

}  // namespace

std::vector<float> gaussian(double sigma) {
  const int radius = static_cast<int>(std::ceil(4 * sigma));
  double sum = 0;
  for (int i = -radius; i <= radius; ++i) sum += std::exp(-i * i / (2 * sigma * sigma));
  std::vector<float> taps;
  for (int i = 0; i <= radius; ++i) {
    taps.push_back(static_cast<float>(std::exp(-i * i / (2 * sigma * sigma)) / sum));
  }
  return taps;
}

ErrorField blurred(const ErrorField& field, const std::vector<float>& taps, size_t step) {
  const size_t width = field.width / step, height = field.height / step;
  RealField rows(width * field.height);
  filter(field.errors.data(),
         rows.data(),
         {field.height, field.width, 1, field.width},
         {field.height, width, 1, width},
         taps,
         step);
  ErrorField result{width, height, RealField(width * height)};
  filter(rows.data(),
         result.errors.data(),
         {width, field.height, width, 1},
         {width, height, width, 1},
         taps,
         step);
  return result;
}

double mean_square(const ErrorField& field, const Window& window) {
  const double pixels =
      static_cast<double>((window.right - window.left) * (window.bottom - window.top) * kLanes);
  return 255.0 * 255.0 * correlation(field, window, 0, 0) / pixels;
}

double filtered_mean_square(const ErrorField& field,
                            const Window& window,
                            const std::vector<double>& squared_response) {
  double sum = 0;
  for (size_t l = 0; l < kLanes; l += kVectorLanes) {
    const std::vector<Complex> numbers = spectrum(field, window, l);
    for (size_t i = 0; i < numbers.size(); ++i) {
      const auto& [real, imaginary] = numbers[i];
      const FloatVector power = real * real + imaginary * imaginary;
      double of_lanes = 0;
      for (size_t k = 0; k < kVectorLanes; ++k) of_lanes += power[k];
      sum += squared_response[i] * of_lanes;
    }
  }
  const auto pixels = static_cast<double>(squared_response.size());
  return 255.0 * 255.0 * sum / (pixels * pixels * kLanes);  // by Parseval's theorem
}

double repeated_mean_square(const ErrorField& field, size_t period) {
  const bool halves = period % 2 == 0;
  const size_t half = period / 2, rows = halves ? half : period;
  RealField sums(rows * period);
  for (size_t y = 0; y < field.height; ++y) {
    for (size_t x = 0; x < field.width; ++x) {
      const bool lower = halves && y % period >= half;
      const size_t column = (x + (lower ? half : 0)) % period;
      Reals& sum = sums[(lower ? y % period - half : y % period) * period + column];
      const Reals& error = field.errors[y * field.width + x];
      for (size_t l = 0; l < kLanes; ++l) sum.lane[l] += error.lane[l];
    }
  }
  const auto places = static_cast<double>(sums.size());
  const double copies = static_cast<double>(field.errors.size()) / places;
  const double of_means = 255.0 * 255.0 * sum_of_products(sums.data(), sums.data(), sums.size()) /
                          (places * kLanes * copies * copies);
  return std::max(0.0, (copies * of_means - mean_square(field)) / (copies - 1));
}

double anisotropy(const ErrorField& field, const Window& window) {
  static constexpr LagPair kPairs[] = {{1, 0, 0, 1},
                                       {2, 0, 0, 2},
                                       {3, 0, 0, 3},
                                       {1, 1, 1, -1},
                                       {2, 2, 2, -2},
                                       {3, 3, 3, -3},
                                       {2, 1, 2, -1},
                                       {1, 2, 1, -2}};
  const double power = correlation(field, window, 0, 0);
  double sum = 0;
  for (const LagPair& pair : kPairs) {
    const double difference = (correlation(field, window, pair.x1, pair.y1) -
                               correlation(field, window, pair.x2, pair.y2)) /
                              power;
    sum += difference * difference;
  }
  return power == 0 ? 0 : std::sqrt(sum / static_cast<double>(std::size(kPairs)));
}

}  // namespace mezzo::train
