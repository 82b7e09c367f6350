#include "kernels/quality/tile.h"

#include <algorithm>
#include <cmath>

#include "kernels/quality/wsnr.h"

namespace mezzo::quality {
namespace {

/// Rows of a tile that the direct filters work on at a time, so that they stay in the cache.
constexpr uint32_t kStrip = 64;

double squared(double value) {
  return value * value;
}

double sum_of_squares(const BandView<const double>& values) {
  double sum = 0;
  for (uint32_t y = 0; y < values.rows; ++y) {
    double of_row = 0;
    for (uint32_t x = 0; x < values.width_px; ++x) of_row += squared(values.row(y)[x]);
    sum += of_row;
  }
  return sum;
}

/// product = a * b, pixel by pixel.
void multiply(Patch& a, Patch& b, Patch& product) {
  product.resize(a.width_px(), a.rows());
  const size_t size = size_t{a.width_px()} * a.rows();
  for (size_t i = 0; i < size; ++i) product.row(0)[i] = a.row(0)[i] * b.row(0)[i];
}

}  // namespace

void Sums::add(const Sums& other) {
  hvs_inside += other.hvs_inside;
  hvs_startup += other.hvs_startup;
  hvs_rest += other.hvs_rest;
  gaussian_1_5 += other.gaussian_1_5;
  gaussian_3 += other.gaussian_3;
  average_error += other.average_error;
  hpsnr += other.hpsnr;
  wsnr_signal += other.wsnr_signal;
  wsnr_noise += other.wsnr_noise;
  ssim += other.ssim;
}

TilePlan::TilePlan(uint32_t width_px, uint32_t height_px, const Viewing& viewing)
    : eye(viewing, kTile),
      spectrum_columns(std::min(width_px, kTile)),
      spectrum_rows(std::min(height_px, kTile)),
      sensitivity(squared_sensitivity(spectrum_rows, spectrum_columns)) {}

TileJudge::TileJudge(const TilePlan& plan)
    : plan_(plan),
      sigma_1_(1, 3),
      sigma_1_5_(1.5, 6),
      sigma_2_(2, 5),
      sigma_3_(3, kMirror),
      ssim_window_(1.5, 5),
      eye_fft_(plan.eye.make_fft()),
      noise_fft_(plan.spectrum_rows, plan.spectrum_columns) {}

void TileJudge::judge(const Window& window, const Rect& tile, TileResult& result) {
  result = {};
  result.row_power.assign(tile.height_px, 0);
  result.column_power.assign(tile.width_px, 0);
  count_tile(window, tile, result.counts);
  see(window, tile, result.sums);
  if (tile.width_px == plan_.spectrum_columns && tile.height_px == plan_.spectrum_rows) {
    weigh_noise(window, tile, result.sums);
  }
  for (uint32_t done = 0; done < tile.height_px; done += kStrip) {
    const uint32_t rows = std::min(kStrip, tile.height_px - done);
    compare_strip(window, {tile.x, tile.y + done, tile.width_px, rows}, tile, result);
  }
}

void TileJudge::see(const Window& window, const Rect& tile, Sums& sums) {
  const EyeFilter& eye = plan_.eye;
  const uint32_t r = eye.radius();
  const int64_t width_px = window.width_px();
  const int64_t height_px = window.height_px();
  const uint32_t columns = eye_fft_.columns();
  std::fill(eye_fft_.values().begin(), eye_fft_.values().end(), 0);
  for (uint32_t j = 0; j < tile.height_px + 2 * r; ++j) {
    const int64_t y = int64_t{tile.y} + j - r;
    if (y < 0 || y >= height_px) continue;
    const uint16_t* ink = window.ink(static_cast<uint32_t>(y));
    const uint8_t* bits = window.bits(static_cast<uint32_t>(y));
    const auto error = [&](int64_t x) {
      return x < 0 || x >= width_px ? 0 : bits[x] - window.coverage(ink[x]);
    };
    std::complex<double>* values = eye_fft_.values().data() + size_t{j} * columns;
    for (uint32_t i = 0; i < eye.columns(); ++i) {
      const int64_t x = int64_t{tile.x} + i - r;
      values[i] = {error(x), error(x + kTile / 2)};
    }
  }
  eye.apply(eye_fft_);
  const auto is_inside = [r](int64_t at, int64_t size) { return at >= r && at + r < size; };
  for (uint32_t j = 0; j < tile.height_px; ++j) {
    const int64_t y = int64_t{tile.y} + j;
    const std::complex<double>* values = eye_fft_.values().data() + size_t{j + r} * columns + r;
    double all = 0;
    double inside = 0;
    for (uint32_t i = 0; i < tile.width_px; ++i) {
      const double seen = i < kTile / 2 ? values[i].real() : values[i - kTile / 2].imag();
      all += squared(seen);
      if (is_inside(tile.x + i, width_px)) inside += squared(seen);
    }
    (y < kStartupRows ? sums.hvs_startup : sums.hvs_rest) += all;
    if (is_inside(y, height_px)) sums.hvs_inside += inside;
  }
}

void TileJudge::weigh_noise(const Window& window, const Rect& tile, Sums& sums) {
  double light_squared = 0;
  for (uint32_t j = 0; j < tile.height_px; ++j) {
    const uint16_t* ink = window.ink(tile.y + j) + tile.x;
    const uint8_t* bits = window.bits(tile.y + j) + tile.x;
    std::complex<double>* values = noise_fft_.values().data() + size_t{j} * tile.width_px;
    double of_row = 0;
    for (uint32_t i = 0; i < tile.width_px; ++i) {
      const double asked = window.coverage(ink[i]);
      values[i] = bits[i] - asked;
      of_row += squared(1 - asked);
    }
    light_squared += of_row;
  }
  noise_fft_.forward();
  double noise = 0;
  for (size_t n = 0; n < plan_.sensitivity.size(); ++n) {
    noise += std::norm(noise_fft_.spectrum()[n]) * plan_.sensitivity[n];
  }
  // Parseval: the signal's spectrum has the energy of its pixels, times their number.
  sums.wsnr_signal += light_squared * tile.width_px * tile.height_px;
  sums.wsnr_noise += noise;
}

void TileJudge::compare_strip(const Window& window,
                              const Rect& strip,
                              const Rect& tile,
                              TileResult& result) {
  load_strip(window, strip);
  add_average_error(window, strip, result.sums);
  blur(error_.inner(kMirror - sigma_2_.radius()), sigma_2_, scratch_, blurred_);
  result.sums.hpsnr += sum_of_squares(blurred_.inner(0));
  blur(error_.inner(0), sigma_3_, scratch_, blurred_);
  result.sums.gaussian_3 += sum_of_squares(blurred_.inner(0));

  // Both blurred by sigma 1.5, with 5 pixels around the strip left for the window of SSIM.
  const uint32_t margin = ssim_window_.radius();
  const uint32_t cut = kMirror - sigma_1_5_.radius() - margin;
  blur(asked_.inner(cut), sigma_1_5_, scratch_, soft_asked_);
  blur(got_.inner(cut), sigma_1_5_, scratch_, soft_got_);
  for (uint32_t y = 0; y < strip.height_px; ++y) {
    const double* asked = soft_asked_.row(y + margin) + margin;
    const double* got = soft_got_.row(y + margin) + margin;
    double of_row = 0;
    for (uint32_t x = 0; x < strip.width_px; ++x) {
      const double power = squared(got[x] - asked[x]);
      of_row += power;
      result.column_power[x] += power;
    }
    result.row_power[strip.y - tile.y + y] = of_row;
    result.sums.gaussian_1_5 += of_row;
  }
  add_structure(result.sums);
}

void TileJudge::load_strip(const Window& window, const Rect& strip) {
  const uint32_t width_px = strip.width_px + 2 * kMirror;
  const uint32_t rows = strip.height_px + 2 * kMirror;
  for (Patch* patch : {&asked_, &got_, &error_}) patch->resize(width_px, rows);
  for (uint32_t j = 0; j < rows; ++j) {
    const uint32_t y = mirrored(int64_t{strip.y} + j - kMirror, window.height_px());
    const uint16_t* ink = window.ink(y);
    const uint8_t* bits = window.bits(y);
    for (uint32_t i = 0; i < width_px; ++i) {
      const int64_t at = int64_t{strip.x} + i - kMirror;
      const uint32_t x = at >= 0 && at < window.width_px() ? static_cast<uint32_t>(at)
                                                           : mirrored(at, window.width_px());
      asked_.row(j)[i] = window.coverage(ink[x]);
      got_.row(j)[i] = bits[x];
      error_.row(j)[i] = got_.row(j)[i] - asked_.row(j)[i];
    }
  }
}

void TileJudge::add_average_error(const Window& window, const Rect& strip, Sums& sums) {
  // Nothing outside the page: the mirrored pixels go, and so does their weight.
  const uint32_t r = sigma_1_.radius();
  product_.resize(strip.width_px + 2 * r, strip.height_px + 2 * r);
  const BandView<const double> got = got_.inner(kMirror - r);
  const auto is_outside = [](int64_t at, int64_t size) { return at < 0 || at >= size; };
  for (uint32_t j = 0; j < product_.rows(); ++j) {
    const bool row_outside = is_outside(int64_t{strip.y} + j - r, window.height_px());
    for (uint32_t i = 0; i < product_.width_px(); ++i) {
      const bool outside = row_outside || is_outside(int64_t{strip.x} + i - r, window.width_px());
      product_.row(j)[i] = outside ? 0 : got.row(j)[i];
    }
  }
  blur(product_.inner(0), sigma_1_, scratch_, blurred_);
  const BandView<const double> asked = asked_.inner(kMirror);
  for (uint32_t j = 0; j < strip.height_px; ++j) {
    const double weight_y = sigma_1_.weight_inside(strip.y + j, window.height_px());
    double of_row = 0;
    for (uint32_t i = 0; i < strip.width_px; ++i) {
      const double weight = weight_y * sigma_1_.weight_inside(strip.x + i, window.width_px());
      of_row += std::abs(asked.row(j)[i] - blurred_.row(j)[i] / weight);
    }
    sums.average_error += of_row;
  }
}

void TileJudge::add_structure(Sums& sums) {
  constexpr double kC1 = 0.01 * 0.01;
  constexpr double kC2 = 0.03 * 0.03;
  for (Patch* patch : {&soft_asked_, &soft_got_}) {
    const size_t size = size_t{patch->width_px()} * patch->rows();
    for (size_t i = 0; i < size; ++i) patch->row(0)[i] = 1 - patch->row(0)[i];
  }
  blur(soft_asked_.inner(0), ssim_window_, scratch_, mean_asked_);
  blur(soft_got_.inner(0), ssim_window_, scratch_, mean_got_);
  multiply(soft_asked_, soft_asked_, product_);
  blur(product_.inner(0), ssim_window_, scratch_, asked_squared_);
  multiply(soft_got_, soft_got_, product_);
  blur(product_.inner(0), ssim_window_, scratch_, got_squared_);
  multiply(soft_asked_, soft_got_, product_);
  blur(product_.inner(0), ssim_window_, scratch_, asked_got_);
  for (uint32_t y = 0; y < mean_asked_.rows(); ++y) {
    double of_row = 0;
    for (uint32_t x = 0; x < mean_asked_.width_px(); ++x) {
      const double mu_a = mean_asked_.row(y)[x];
      const double mu_b = mean_got_.row(y)[x];
      const double var_a = asked_squared_.row(y)[x] - mu_a * mu_a;
      const double var_b = got_squared_.row(y)[x] - mu_b * mu_b;
      const double both = asked_got_.row(y)[x] - mu_a * mu_b;
      of_row += (2 * mu_a * mu_b + kC1) * (2 * both + kC2) /
                ((mu_a * mu_a + mu_b * mu_b + kC1) * (var_a + var_b + kC2));
    }
    sums.ssim += of_row;
  }
}

}  // namespace mezzo::quality
