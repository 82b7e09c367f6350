#include "pipeline/run/compression_sample.h"

#include <algorithm>

#include "kernels/band/drop_levels.h"
#include "kernels/registry.h"
#include "stages/band/contone_buffer.h"
#include "stages/tiff/plate/encode.h"

namespace mezzo::run {
namespace {

constexpr size_t kSampleBytes = 16 << 10;
constexpr uint32_t kPlaces = 5;

/// The halftoner for samples: a few rows are too little for a GPU, and a search would take
/// seconds over them. Error diffusion stands in for it: codecs find the same kind of texture, a
/// thousand times sooner.
std::unique_ptr<Halftoner> sampler(HalftoneSettings on_cpu, const HalftonerTraits& traits) {
  if (traits.band_rows != 0) {
    return make_halftoner(complete({.method = "floyd-steinberg", .engine = Engine::kCpu}))
        .halftoner;
  }
  on_cpu.engine = Engine::kCpu;
  on_cpu.schedule.clear();
  return make_halftoner(complete(on_cpu)).halftoner;
}

}  // namespace

CompressionSample::Plane CompressionSample::plane(const HalftoneSettings& settings,
                                                  const HalftonerTraits& traits,
                                                  std::shared_ptr<const ToneCurve> curve) {
  return {sampler(settings, traits), std::move(curve), bits_per_pixel(settings)};
}

std::vector<tiff::Compression> CompressionSample::choose(Team& team) {
  const size_t row_bytes = bit_row_bytes(info_.width_px);
  const auto rows = std::min(static_cast<uint32_t>(std::max<size_t>(kSampleBytes / row_bytes, 8)),
                             info_.height_px);
  std::vector<std::vector<BitBand>> samples(info_.inks.size());
  // What a reader has read that must start over to go back is read twice: an eighth of the page,
  // as a margin at the top says nothing of the dots below.
  const bool goes_back = reader_.goes_back_cheaply();
  const uint32_t height = goes_back ? info_.height_px : std::max(info_.height_px / 8, rows);
  const uint32_t places = goes_back ? kPlaces : std::min(kPlaces, height / rows);
  for (uint32_t place = 0; place < places; ++place) {
    const uint64_t middle = uint64_t{height} * (2 * place + 1) / (2 * places);
    const uint64_t last = info_.height_px - rows;
    const uint64_t first = places == 1 ? 0 : std::min(middle - middle % 8, last);
    take(static_cast<uint32_t>(first), rows, samples, team);
  }
  std::vector<tiff::Compression> chosen;
  for (const auto& plane : samples) chosen.push_back(tiff::choose_compression(plane, team));
  return chosen;
}

void CompressionSample::take(uint32_t first_row,
                             uint32_t rows,
                             std::vector<std::vector<BitBand>>& samples,
                             Team& team) {
  ContoneBuffer contone(info_, rows);
  const auto planes = contone.rows(first_row, rows);
  for (uint32_t begin = 0; begin < rows; begin += most_rows_) {
    std::vector<MutableSampleBand> part = planes;
    for (MutableSampleBand& band : part) {
      band = band.slice(begin, std::min(most_rows_, rows - begin));
    }
    reader_.read(part, team);
  }
  for (size_t plane = 0; plane < samples.size(); ++plane) {
    const uint32_t bits_per_px = planes_[plane].bits_per_px;
    const size_t row_bytes = bit_row_bytes(info_.width_px, bits_per_px);
    bits_.emplace_back(row_bytes * rows);
    // As a page of its own: the rows around it do not matter here.
    const BitBand out{bits_.back().data(), info_.width_px, rows, row_bytes, 0, bits_per_px};
    SampleBand in = planes[plane];
    in.first_row = 0;
    const Halftoner& halftoner = *planes_[plane].halftoner;
    const auto state = halftoner.make_state(info_.width_px);
    halftoner.run(in, *planes_[plane].curve, out, state.get(), team);
    prepress::finish_rows(out, finish_);
    samples[plane].push_back(out);
  }
}

}  // namespace mezzo::run
