#include "pipeline/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "stages/tiff_plate_reader.h"

namespace mezzo {
namespace {

/// Rows of a page of a plate in order, whatever its strips.
class PlateRows {
 public:
  PlateRows(PlateReader& reader, uint32_t page)
      : reader_(reader), page_(page), info_(reader.page(page).page) {
    bits_.resize(bit_row_bytes(info_.width_px) * info_.rows_per_strip);
  }

  const uint8_t* row(uint32_t y) {
    const uint32_t strip = y / info_.rows_per_strip;
    const size_t row_bytes = bit_row_bytes(info_.width_px);
    if (strip != strip_) {
      reader_.read_strip(
          page_, strip, {bits_.data(), info_.width_px, strip_rows(info_, strip), row_bytes});
      strip_ = strip;
    }
    return bits_.data() + row_bytes * (y % info_.rows_per_strip);
  }

 private:
  PlateReader& reader_;
  uint32_t page_;
  const PlatePage& info_;
  std::vector<uint8_t> bits_;
  uint32_t strip_ = UINT32_MAX;
};

[[noreturn]] void report_difference(const VerifyRequest& request,
                                    uint32_t y,
                                    const uint8_t* expected,
                                    const uint8_t* found) {
  uint32_t x = 0;
  while ((expected[x / 8] ^ found[x / 8]) >> (7 - x % 8) == 0) ++x;
  throw Error(ErrorKind::kBug,
              fmt::format("{}: page {} of the plate differs from the reference, first at x {}, y "
                          "{}; the plate was not published, please report this",
                          request.final_path,
                          request.plate_page + 1,
                          x,
                          y));
}

}  // namespace

void verify_page(const VerifyRequest& request, PageReader& reader) {
  const PageInfo& info = request.info;
  const auto plate = PlateReader::open(request.plate);
  PlateRows plate_rows(*plate, request.plate_page);
  const auto reference = make_reference(request.settings.halftone);
  const ToneCurve curve(info.max_sample, info.polarity, request.settings.tone);
  const auto state = reference->make_state(info.width_px);
  const size_t stride = size_t{info.width_px} * info.bytes_per_sample;
  const size_t row_bytes = bit_row_bytes(info.width_px);
  const size_t plane_bytes = stride * request.band_rows;
  std::vector<std::byte> samples(plane_bytes * info.inks.size());
  std::vector<uint8_t> bits(row_bytes * request.band_rows);
  SoloTeam solo;
  for (uint32_t first = 0; first < info.height_px; first += request.band_rows) {
    const uint32_t rows = std::min(request.band_rows, info.height_px - first);
    std::vector<SampleBand> planes;
    for (size_t plane = 0; plane < info.inks.size(); ++plane) {
      planes.push_back({samples.data() + plane * plane_bytes,
                        info.width_px,
                        rows,
                        stride,
                        first,
                        info.bytes_per_sample});
    }
    reader.read(planes, solo);
    const BitBand out{bits.data(), info.width_px, rows, row_bytes, first};
    reference->run(planes[request.plane], curve, out, state.get(), solo);
    for (uint32_t i = 0; i < rows; ++i) {
      const uint8_t* found = plate_rows.row(first + i);
      if (std::memcmp(out.row(i), found, row_bytes) != 0) {
        report_difference(request, first + i, out.row(i), found);
      }
    }
  }
}

}  // namespace mezzo
