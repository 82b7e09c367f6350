// The images of bench search, and how near a halftone of one comes.

#include <fmt/format.h>

#include <cstring>

#include "kernels/quality/judge.h"
#include "stages/band/contone_buffer.h"
#include "stages/tiff/read/reader.h"
#include "tools/bench/search/search.h"
#include "tools/synth/photo.h"

namespace mezzo::bench {
namespace {

constexpr uint64_t kReaderMemory = 1ULL << 30;  // for pages that lie on their side
constexpr uint64_t kPhotoSeed = 1;

class SearchPair final : public quality::PagePair {
 public:
  SearchPair(const SearchImage& image, const BitBand& bits) : image_(image), bits_(bits) {}

  uint32_t width_px() const override { return image_.side_px; }
  uint32_t height_px() const override { return image_.side_px; }
  uint32_t max_ink() const override { return image_.max_sample; }
  void read(const BandView<uint16_t>& ink, const BandView<uint8_t>& dots, Team&) override {
    const SampleBand samples = image_.samples();
    for (uint32_t i = 0; i < ink.rows; ++i) {
      const uint32_t y = ink.first_row + i;
      for (uint32_t x = 0; x < image_.side_px; ++x) {
        const uint32_t sample = std::min<uint32_t>(
            samples.bytes_per_sample == 1 ? samples.row8(y)[x] : samples.row16(y)[x],
            image_.max_sample);
        const bool is_ink = image_.polarity == Polarity::kMaxIsInk;
        ink.row(i)[x] = static_cast<uint16_t>(is_ink ? sample : image_.max_sample - sample);
        dots.row(i)[x] = bits_.ink(x, y) ? 1 : 0;
      }
    }
  }

 private:
  const SearchImage& image_;
  BitBand bits_;
};

}  // namespace

SampleBand SearchImage::samples() const {
  SampleBand band;
  band.data = bytes.data();
  band.width_px = side_px;
  band.rows = side_px;
  band.stride_bytes = size_t{side_px} * bytes_per_sample;
  band.bytes_per_sample = bytes_per_sample;
  return band;
}

SearchImage load_search_image(const std::string& path, uint32_t side_px, Team& team) {
  const auto file = tiff::TiffFile::open(path);
  const PageInfo& info = file->page(0);
  if (info.width_px < side_px || info.height_px < side_px) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: is {} x {} px; --side must be at most its shorter side",
                            path,
                            info.width_px,
                            info.height_px));
  }
  SearchImage image{path, side_px, info.bytes_per_sample, info.max_sample, info.polarity};
  ContoneBuffer buffer(info, side_px);
  const auto planes = buffer.rows((info.height_px - side_px) / 2, side_px);
  file->open_page(0, kReaderMemory)->read(planes, team);
  const size_t row_bytes = size_t{side_px} * info.bytes_per_sample;
  const size_t left = size_t{(info.width_px - side_px) / 2} * info.bytes_per_sample;
  image.bytes.resize(row_bytes * side_px);
  for (uint32_t i = 0; i < side_px; ++i) {
    std::memcpy(image.bytes.data() + i * row_bytes, planes[0].row(i) + left, row_bytes);
  }
  return image;
}

SearchImage draw_search_image(uint32_t side_px) {
  SearchImage image{"synthetic photo", side_px};
  image.bytes.resize(size_t{side_px} * side_px);
  const auto side = static_cast<int32_t>(side_px);
  const auto photo = synth::make_landscape({0, 0, side, side}, 1, kPhotoSeed);
  std::vector<uint16_t> coverage(side_px);
  synth::Row row;
  row.width_px = side;
  row.line[0] = coverage.data();
  for (uint32_t y = 0; y < side_px; ++y) {
    row.y = static_cast<int32_t>(y);
    photo->draw(row);
    for (uint32_t x = 0; x < side_px; ++x) {
      image.bytes[size_t{y} * side_px + x] =
          static_cast<std::byte>(255 - (coverage[x] + synth::kFullInk / 510) / 257);
    }
  }
  return image;
}

double average_error(const SearchImage& image, SearchBits& bits, Team& team) {
  SearchPair pair(image, bits_of(bits, image.side_px));
  return quality::judge(pair, {}, team).average_error;
}

}  // namespace mezzo::bench
