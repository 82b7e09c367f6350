#include "pipeline/run/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/band/tone.h"
#include "kernels/base/error.h"
#include "kernels/halftoner.h"
#include "kernels/halftoner_traits.h"
#include "kernels/prepress/finish.h"
#include "kernels/prepress/protect.h"
#include "kernels/registry.h"
#include "pipeline/plan/band_plan.h"
#include "stages/band/band_reader.h"
#include "stages/tiff/plate/plate_reader.h"
#include "stages/tiff/plate/plate_verify.h"

namespace mezzo::run {
namespace {

/// Rows of a page of a plate in order, from strips of any height.
class PlateRows {
 public:
  PlateRows(const VerifyRequest& request, size_t index)
      : name_(request.names[index]),
        page_(request.plate_page),
        reader_(tiff::read_back(
            name_, [&] { return tiff::PlateReader::open(request.plates[index], request.files); })),
        info_(reader_->page(page_).page) {}

  const uint8_t* row(uint32_t y) {
    if (y < first_row_ || y - first_row_ >= rows_) read_strips(y / info_.rows_per_strip);
    return bits_.data() + row_bytes_of(info_) * (y - first_row_);
  }

 private:
  void read_strips(uint32_t strip) {
    const uint32_t count = std::min(tiff::strips_at_once(info_), strip_count(info_) - strip);
    first_row_ = strip * info_.rows_per_strip;
    rows_ = (count - 1) * info_.rows_per_strip + strip_rows(info_, strip + count - 1);
    bits_.resize(row_bytes_of(info_) * rows_);
    const BitBand rows = tiff::rows_of(info_, bits_.data(), rows_);
    tiff::read_back(name_, [&] { reader_->read_strips(page_, strip, count, rows); });
  }

  const std::string& name_;
  uint32_t page_;
  std::unique_ptr<tiff::PlateReader> reader_;
  const tiff::PlatePage& info_;
  std::vector<uint8_t> bits_;
  uint32_t first_row_ = 0;
  uint32_t rows_ = 0;  // that are in bits_
};

[[noreturn]] void report_difference(const std::string& plate,
                                    uint32_t page,
                                    uint32_t y,
                                    uint32_t bits_per_px,
                                    const uint8_t* expected,
                                    const uint8_t* found) {
  uint32_t bit = 0;
  while ((expected[bit / 8] ^ found[bit / 8]) >> (7 - bit % 8) == 0) ++bit;
  const uint32_t x = bit / bits_per_px;
  throw Error(ErrorKind::kBug,
              fmt::format("{}: page {} of the plate differs from the reference, first at x {}, y "
                          "{}; the plate was not published, please report this",
                          plate,
                          page + 1,
                          x,
                          y));
}

/// One plane, as it is recomputed.
struct Plane {
  Plane(const VerifyRequest& request, size_t index)
      : settings(request.settings[index]),
        reference(make_reference(settings.halftone)),
        curve(request.info.max_sample, request.info.polarity, settings.tone),
        protects(curve, settings.protect),
        name(request.names[index]),
        page(request.plate_page),
        plate(request, index),
        state(reference->make_state(request.info.width_px)) {
    if (!state) return;
    state->on_round = [&request](const RoundReport&) { request.on_band(); };
  }

  void compare(const BitBand& rows) {
    const size_t row_bytes = bit_row_bytes(rows.width_px, rows.bits_per_px);
    for (uint32_t i = 0; i < rows.rows; ++i) {
      const uint8_t* found = plate.row(rows.first_row + i);
      if (std::memcmp(rows.row(i), found, row_bytes) == 0) continue;
      report_difference(name, page, rows.first_row + i, rows.bits_per_px, rows.row(i), found);
    }
  }

  const manifests::PlateSettings& settings;
  std::unique_ptr<Halftoner> reference;
  ToneCurve curve;
  prepress::ProtectedSamples protects;
  const std::string& name;
  uint32_t page;
  PlateRows plate;
  std::unique_ptr<HalftonerState> state;
};

}  // namespace

void verify_page(const VerifyRequest& request, tiff::PageReader& reader) {
  const PageInfo& info = request.info;
  std::vector<std::unique_ptr<Plane>> planes;
  std::vector<const Halftoner*> references;
  for (size_t i = 0; i < info.inks.size(); ++i) {
    planes.push_back(std::make_unique<Plane>(request, i));
    references.push_back(planes.back()->reference.get());
  }
  const HalftonerTraits traits = plan::PageHalftoners(references).traits();
  const uint32_t band_rows =
      std::min(traits.band_rows != 0 ? traits.band_rows : request.band_rows, info.height_px);
  BandReader bands(info, reader, band_rows, traits.context_rows);
  ContoneBuffer samples;
  const size_t row_bytes = bit_row_bytes(info.width_px);
  std::vector<uint8_t> bits, linework(row_bytes * band_rows);
  SoloTeam solo;
  for (uint32_t first = 0; first < info.height_px; first += band_rows) {
    request.on_band();
    const auto samples_of = bands.read(samples, BufferUse::kCpuOnly, solo);
    const uint32_t rows = samples_of.front().rows;
    const BitBand over{linework.data(), info.width_px, rows, row_bytes, first};
    if (request.linework != nullptr) request.linework->read(over, solo);
    for (size_t i = 0; i < planes.size(); ++i) {
      Plane& plane = *planes[i];
      const uint32_t bits_per_px = bits_per_pixel(plane.settings.halftone);
      const size_t out_bytes = bit_row_bytes(info.width_px, bits_per_px);
      bits.resize(out_bytes * rows);
      const BitBand out{bits.data(), info.width_px, rows, out_bytes, first, bits_per_px};
      const SampleBand in = with_texture(samples_of[i], request.textures[i]);
      plane.reference->run(in, plane.curve, out, plane.state.get(), solo);
      if (plane.settings.protect.any()) plane.protects.protect(in, out);
      if (request.linework != nullptr) prepress::lay_over(request.overlays[i], over, out);
      prepress::finish_rows(out, request.finish);
      plane.compare(out);
    }
  }
}

}  // namespace mezzo::run
