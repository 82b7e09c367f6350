#include "pipeline/run/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/band/tone.h"
#include "kernels/base/error.h"
#include "kernels/halftoner.h"
#include "kernels/halftoner_traits.h"
#include "kernels/prepress/finish.h"
#include "kernels/prepress/protect.h"
#include "kernels/registry.h"
#include "kernels/together/inks_halftoner.h"
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
        curve(request.info.max_sample, request.info.polarity, settings.tone),
        protects(curve, settings.protect),
        name(request.names[index]),
        page(request.plate_page),
        plate(request, index) {}

  void compare(const BitBand& rows) {
    const size_t row_bytes = bit_row_bytes(rows.width_px, rows.bits_per_px);
    for (uint32_t i = 0; i < rows.rows; ++i) {
      const uint8_t* found = plate.row(rows.first_row + i);
      if (std::memcmp(rows.row(i), found, row_bytes) == 0) continue;
      report_difference(name, page, rows.first_row + i, rows.bits_per_px, rows.row(i), found);
    }
  }

  /// Room for the rows of a band.
  BitBand rows_like(const SampleBand& in) {
    const uint32_t bits_per_px = bits_per_pixel(settings.halftone);
    const size_t row_bytes = bit_row_bytes(in.width_px, bits_per_px);
    bits.resize(row_bytes * in.rows);
    return {bits.data(), in.width_px, in.rows, row_bytes, in.first_row, bits_per_px};
  }

  const manifests::PlateSettings& settings;
  ToneCurve curve;
  prepress::ProtectedSamples protects;
  const std::string& name;
  uint32_t page;
  PlateRows plate;
  std::vector<uint8_t> bits;
};

/// The reference of a plane by itself, or of inks together, from band to band.
class Reference {
 public:
  Reference(const VerifyRequest& request, uint32_t plane)
      : planes_{plane}, alone_(make_reference(complete(request.settings[plane].halftone))) {
    take(alone_->make_state(request.info.width_px), request);
  }

  Reference(const VerifyRequest& request, const VerifyInks& inks)
      : planes_(inks.plates),
        together_(make_inks_reference(complete(request.settings[planes_.front()].halftone),
                                      inks.colours)) {
    const auto count = static_cast<uint32_t>(planes_.size());
    take(together_->make_state(request.info.width_px, count), request);
  }

  void add_to(plan::PageHalftoners& all) const {
    if (alone_) all.add(*alone_);
    if (together_) all.add(*together_, static_cast<uint32_t>(planes_.size()));
  }

  /// Fills in the rows of its planes.
  void run(std::span<const SampleBand> in,
           std::span<const std::unique_ptr<Plane>> planes,
           std::span<const BitBand> out) {
    SoloTeam solo;
    const uint32_t first = planes_.front();
    if (alone_) return alone_->run(in[first], planes[first]->curve, out[first], state_.get(), solo);
    std::vector<SampleBand> rows;
    std::vector<const ToneCurve*> curves;
    std::vector<BitBand> bits;
    for (const uint32_t plane : planes_) {
      rows.push_back(in[plane]);
      rows.back().texture = 0;
      curves.push_back(&planes[plane]->curve);
      bits.push_back(out[plane]);
    }
    together_->run({rows, curves, bits}, state_.get(), solo);
  }

 private:
  void take(std::unique_ptr<HalftonerState> state, const VerifyRequest& request) {
    state_ = std::move(state);
    if (state_) state_->on_round = [&request](const RoundReport&) { request.on_band(); };
  }

  std::vector<uint32_t> planes_;
  std::unique_ptr<Halftoner> alone_;
  std::unique_ptr<together::InksHalftoner> together_;
  std::unique_ptr<HalftonerState> state_;
};

std::vector<std::unique_ptr<Reference>> references_of(const VerifyRequest& request) {
  std::vector<std::unique_ptr<Reference>> references;
  std::vector<bool> is_grouped(request.info.inks.size());
  for (const VerifyInks& inks : request.together) {
    references.push_back(std::make_unique<Reference>(request, inks));
    for (const uint32_t plane : inks.plates) is_grouped[plane] = true;
  }
  for (uint32_t i = 0; i < is_grouped.size(); ++i) {
    if (!is_grouped[i]) references.push_back(std::make_unique<Reference>(request, i));
  }
  return references;
}

}  // namespace

void verify_page(const VerifyRequest& request, tiff::PageReader& reader) {
  const PageInfo& info = request.info;
  std::vector<std::unique_ptr<Plane>> planes;
  for (size_t i = 0; i < info.inks.size(); ++i) {
    planes.push_back(std::make_unique<Plane>(request, i));
  }
  const auto references = references_of(request);
  plan::PageHalftoners halftoners;
  for (const auto& reference : references) reference->add_to(halftoners);
  const HalftonerTraits traits = halftoners.traits();
  const uint32_t band_rows =
      std::min(traits.band_rows != 0 ? traits.band_rows : request.band_rows, info.height_px);
  BandReader bands(info, reader, band_rows, traits.context_rows);
  ContoneBuffer samples;
  const size_t row_bytes = bit_row_bytes(info.width_px);
  std::vector<uint8_t> linework(row_bytes * band_rows * request.linework.size());
  SoloTeam solo;
  for (uint32_t first = 0; first < info.height_px; first += band_rows) {
    request.on_band();
    std::vector<SampleBand> in = bands.read(samples, BufferUse::kCpuOnly, solo);
    std::vector<BitBand> over;
    for (size_t k = 0; k < request.linework.size(); ++k) {
      uint8_t* bits = linework.data() + k * row_bytes * band_rows;
      over.push_back({bits, info.width_px, in.front().rows, row_bytes, first});
      request.linework[k]->read(over.back(), solo);
    }
    std::vector<BitBand> out;
    for (size_t i = 0; i < planes.size(); ++i) {
      in[i] = with_texture(in[i], request.textures[i]);
      out.push_back(planes[i]->rows_like(in[i]));
    }
    for (const auto& reference : references) reference->run(in, planes, out);
    for (size_t i = 0; i < planes.size(); ++i) {
      Plane& plane = *planes[i];
      if (plane.settings.protect.any()) plane.protects.protect(in[i], out[i]);
      if (!over.empty()) prepress::lay_over(request.overlays[i], over, out[i]);
      prepress::finish_rows(out[i], request.finish);
      plane.compare(out[i]);
    }
  }
}

}  // namespace mezzo::run
