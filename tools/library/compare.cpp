// mezzotint_compare() of mezzotint.h.
#include <vector>

#include "kernels/base/error.h"
#include "kernels/quality/judge.h"
#include "kernels/quality/memory_pair.h"
#include "kernels/quality/metrics.h"
#include "tools/library/guard.h"
#include "tools/library/settings.h"

namespace mezzo::library {
namespace {

/// The samples side by side; `copy` holds them where the caller's are not.
SampleBand without_gaps(const mezzotint_image& page, SampleBand in, std::vector<std::byte>& copy) {
  if (page.pixel_bytes == 0 || page.pixel_bytes == in.bytes_per_sample) return in;
  const size_t row_bytes = size_t{in.width_px} * in.bytes_per_sample;
  copy.resize(row_bytes * in.rows);
  for (uint32_t y = 0; y < in.rows; ++y) {
    gather(
        in.row(y), page.pixel_bytes, in.width_px, in.bytes_per_sample, copy.data() + y * row_bytes);
  }
  in.data = copy.data();
  in.stride_bytes = row_bytes;
  return in;
}

/// The dots eight to a byte; `copy` holds them where the caller's are not.
BitBand packed(const mezzotint_dots& dots, const SampleBand& page, std::vector<uint8_t>& copy) {
  auto* data = static_cast<uint8_t*>(dots.data);
  const size_t row_bytes = row_bytes_of(dots, page.width_px);
  BitBand band = {
      .data = data, .width_px = page.width_px, .rows = page.rows, .stride_bytes = row_bytes};
  if (dots.bits_per_pixel == 1) return band;
  band.stride_bytes = bit_row_bytes(page.width_px);
  copy.assign(band.stride_bytes * page.rows, 0);
  for (uint32_t y = 0; y < page.rows; ++y) {
    uint8_t* to = copy.data() + y * band.stride_bytes;
    for (uint32_t x = 0; x < page.width_px; ++x) {
      if (data[y * row_bytes + x] != 0) to[x / 8] |= static_cast<uint8_t>(0x80 >> x % 8);
    }
  }
  band.data = copy.data();
  return band;
}

}  // namespace
}  // namespace mezzo::library

using namespace mezzo;           // NOLINT(google-build-using-namespace)
using namespace mezzo::library;  // NOLINT(google-build-using-namespace)

int mezzotint_compare(const mezzotint_settings* settings,
                      const mezzotint_image* page,
                      const mezzotint_dots* dots,
                      double dpi,
                      double distance_inch,
                      double* values,
                      size_t count,
                      mezzotint_error* error) {
  return guard(error, [&] {
    require(settings, "settings");
    require(page, "page");
    require(dots, "dots");
    require(values, "values");
    if (page->memory != MEZZOTINT_HOST || dots->memory != MEZZOTINT_HOST) {
      refuse("page and dots are compared in the memory of the host; bring them there");
    }
    constexpr double kUsualSight = 3500;  // dpi x distance of print research
    if (distance_inch == 0 && dpi > 0) distance_inch = kUsualSight / dpi;
    const double sight = dpi * distance_inch;
    if (!(dpi > 0 && sight >= quality::kMinSight && sight <= quality::kMaxSight)) {
      refuse("dpi times distance_inch must be 100 to 38000; 300 dpi from 11.6667 inches is usual");
    }
    std::vector<std::byte> samples;
    std::vector<uint8_t> bits;
    const SampleBand in = without_gaps(*page, band_of(*page, *settings), samples);
    const ToneCurve curve = settings->options.curve(in.bytes_per_sample);
    settings->options.check_samples(in);
    quality::MemoryPair pair(
        in, curve.max_sample(), settings->options.polarity, packed(*dots, in, bits));
    Threads threads(*settings);
    const quality::Report report =
        quality::judge(pair, {.dpi = dpi, .distance_inch = distance_inch}, threads.team());
    size_t i = 0;
    for (const quality::Metric& metric : quality::metrics()) {
      if (metric.key.empty()) continue;
      if (i == count) break;
      values[i++] = metric.value(report);
    }
  });
}
