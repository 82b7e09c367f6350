// mezzotint_halftone() of mezzotint.h, and memory of a GPU for it.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/base/error.h"
#include "kernels/gpu/device_picture.h"
#include "kernels/gpu/gpu.h"
#include "tools/library/guard.h"
#include "tools/library/settings.h"
#include "tools/library/stream.h"

namespace mezzo::library {
namespace {

constexpr size_t kScratchBytes = 4 << 20;  ///< of packed dots on their way to a byte a pixel
constexpr uint32_t kGatheredRows = 64;     ///< whose samples are not side by side

/// Rows of the bands in which dots are made; packed ones are spread after each.
uint32_t band_rows(const HalftonerTraits& traits, const SampleBand& in) {
  if (traits.band_rows != 0) return std::min(traits.band_rows, in.rows);
  const size_t fit = std::max<size_t>(kScratchBytes / bit_row_bytes(in.width_px), 1);
  const size_t multiple = traits.row_multiple;
  return static_cast<uint32_t>(
      std::min<size_t>((fit + multiple - 1) / multiple * multiple, in.rows));
}

/// Makes dots of a bit or a byte each, and asks the pulse before each band.
void halftone_in_bands(const mezzotint_settings& settings,
                       const Method& method,
                       const SampleBand& in,
                       const mezzotint_dots& dots,
                       size_t row_bytes) {
  Threads threads(settings);
  Team& team = threads.team();
  const bool is_spread = dots.bits_per_pixel == 8;
  auto* out = static_cast<uint8_t*>(dots.data);
  const size_t bit_bytes = is_spread ? bit_row_bytes(in.width_px) : row_bytes;
  const uint32_t most = band_rows(method.halftoner->traits(), in);
  std::vector<uint8_t> packed(is_spread ? bit_bytes * most : 0);
  const auto state = method.halftoner->make_state(in.width_px);
  const auto pulse = pulse_of(settings);
  if (state) state->on_round = pulse;
  for (uint32_t first = 0; first < in.rows; first += most) {
    const uint32_t rows = std::min(most, in.rows - first);
    if (pulse) pulse({});
    method.halftoner->run(in.slice(first, rows),
                          method.curve,
                          {.data = is_spread ? packed.data() : out + first * row_bytes,
                           .width_px = in.width_px,
                           .rows = rows,
                           .stride_bytes = bit_bytes,
                           .first_row = first},
                          state.get(),
                          team);
    if (!is_spread) continue;
    for_each_index(team, rows, [&](uint32_t i) {
      spread(packed.data() + i * bit_bytes, in.width_px, out + (size_t{first} + i) * row_bytes);
    });
  }
}

/// Samples with gaps between them are brought together some rows at a time.
void halftone_gathered(const mezzotint_settings& settings,
                       const SampleBand& in,
                       size_t pixel_bytes,
                       const mezzotint_dots& dots,
                       size_t row_bytes) {
  BandStream stream(settings, in.width_px, in.bytes_per_sample);
  auto* out = static_cast<uint8_t*>(dots.data);
  const auto take = [&] {
    while (stream.ready() > 0) {
      const uint8_t* packed = stream.take_row();
      if (dots.bits_per_pixel == 8) {
        spread(packed, in.width_px, out);
      } else {
        std::memcpy(out, packed, bit_row_bytes(in.width_px));
      }
      out += row_bytes;
    }
  };
  for (uint32_t first = 0; first < in.rows; first += kGatheredRows) {
    stream.put(
        in.row(first), in.stride_bytes, pixel_bytes, std::min(kGatheredRows, in.rows - first));
    take();
  }
  stream.end();
  take();
}

void halftone_on_host(const mezzotint_settings& settings,
                      const mezzotint_image& page,
                      const mezzotint_dots& dots) {
  const SampleBand in = band_of(page, settings);
  const size_t row_bytes = row_bytes_of(dots, in.width_px);
  if (page.pixel_bytes != 0 && page.pixel_bytes != in.bytes_per_sample) {
    halftone_gathered(settings, in, page.pixel_bytes, dots, row_bytes);
    return;
  }
  const Method method(settings, in.bytes_per_sample);
  settings.options.check_samples(in);
  halftone_in_bands(settings, method, in, dots, row_bytes);
}

/// The curve, with a tone for every sample there can be: nobody looks at those of a GPU first.
ToneCurve for_every_sample(const ToneCurve& curve, uint32_t bytes_per_sample) {
  std::vector<uint16_t> tones(curve.table().begin(), curve.table().end());
  tones.resize(bytes_per_sample == 1 ? 256 : 65536, tones.back());
  return ToneCurve(std::move(tones));
}

void halftone_on_gpu(const mezzotint_settings& settings,
                     const mezzotint_image& page,
                     const mezzotint_dots& dots) {
  if (settings.options.engine != Engine::kAutomatic && settings.options.engine != Engine::kGpu) {
    throw Error(ErrorKind::kUsage, "a page in the memory of a GPU needs engine auto or gpu");
  }
  const SampleBand in = band_of(page, settings);
  if (page.pixel_bytes != 0 && page.pixel_bytes != in.bytes_per_sample) {
    throw Error(
        ErrorKind::kUsage,
        "the samples of a page in the memory of a GPU must be side by side; copy them there "
        "first, or bring the page to the host");
  }
  const size_t row_bytes = row_bytes_of(dots, in.width_px);
  const Method method(settings, in.bytes_per_sample, Engine::kGpu);
  gpu::halftone_picture(*method.halftoner,
                        {.samples = in,
                         .dots = static_cast<std::byte*>(dots.data),
                         .dots_row_bytes = row_bytes,
                         .is_spread = dots.bits_per_pixel == 8,
                         .stream = page.stream},
                        for_every_sample(method.curve, in.bytes_per_sample));
}

}  // namespace
}  // namespace mezzo::library

using namespace mezzo;           // NOLINT(google-build-using-namespace)
using namespace mezzo::library;  // NOLINT(google-build-using-namespace)

int mezzotint_halftone(const mezzotint_settings* settings,
                       const mezzotint_image* page,
                       const mezzotint_dots* dots,
                       mezzotint_error* error) {
  return guard(error, [&] {
    require(settings, "settings");
    require(page, "page");
    require(dots, "dots");
    if (page->memory != dots->memory || page->memory > MEZZOTINT_CUDA) {
      throw Error(
          ErrorKind::kUsage,
          "page and dots must both be in the memory of the host (MEZZOTINT_HOST) or both in "
          "that of one GPU (MEZZOTINT_CUDA)");
    }
    if (page->memory == MEZZOTINT_CUDA) {
      halftone_on_gpu(*settings, *page, *dots);
    } else {
      halftone_on_host(*settings, *page, *dots);
    }
  });
}

uint32_t mezzotint_gpu_count() {
  return static_cast<uint32_t>(gpu::list_gpus().gpus.size());
}

void* mezzotint_gpu_alloc(size_t bytes, mezzotint_error* error) {
  return make(error, [&] { return gpu::allocate_for_caller(bytes); });
}

void mezzotint_gpu_free(void* memory) {
  gpu::free_of_caller(memory);
}
