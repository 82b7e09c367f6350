#include "stages/screen/tile_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "stages/band/contone_buffer.h"
#include "stages/files/xxh3.h"
#include "stages/tiff/plate/contone_writer.h"
#include "stages/tiff/read/reader.h"

namespace mezzo::screen {
namespace {

/// ImageDescription of the files that are written here; the shift follows.
constexpr std::string_view kHead = "mezzotint tile; shift=";

constexpr tiff::InputLimits kLimits = {.max_side_px = kMostTile,
                                       .max_pixels = kMostTile,
                                       .max_pages = 16,
                                       .max_file_bytes = 64ULL << 20,
                                       .max_strip_bytes = 16ULL << 20,
                                       .max_strips = kMostTile};
constexpr uint64_t kReaderBytes = 64ULL << 20;

/// The shift that a description tells, 0 where it is of another program.
uint32_t shift_of(const std::string& description, uint32_t width, const std::string& path) {
  if (!description.starts_with(kHead)) return 0;
  uint32_t shift = 0;
  const char* end = description.data() + description.size();
  const auto read = std::from_chars(description.data() + kHead.size(), end, shift);
  if (read.ec == std::errc() && read.ptr == end && shift < width) return shift;
  throw Error(ErrorKind::kData,
              fmt::format("{}: its ImageDescription, '{}', names no shift below its width of {} px",
                          path,
                          description,
                          width));
}

/// The samples as they are stored.
std::vector<uint16_t> samples_of(const tiff::TiffFile& file) {
  const PageInfo& info = file.page(0);
  ContoneBuffer buffer(info, info.height_px);
  const std::vector<MutableSampleBand> planes = buffer.rows(0, info.height_px);
  SoloTeam solo;
  file.open_page(0, kReaderBytes)->read(planes, solo);
  std::vector<uint16_t> samples;
  samples.reserve(size_t{info.width_px} * info.height_px);
  const SampleBand& band = planes[0];
  for (uint32_t y = 0; y < info.height_px; ++y) {
    const auto append = [&](const auto* row) {
      samples.insert(samples.end(), row, row + info.width_px);
    };
    info.bytes_per_sample == 1 ? append(band.row8(y)) : append(band.row16(y));
  }
  return samples;
}

std::string digest_of(const TileValues& tile) {
  files::Xxh3 digest;
  const std::string shape = fmt::format("{} {} {};", tile.width, tile.height, tile.bits);
  digest.add(shape.data(), shape.size());
  std::vector<uint8_t> bytes;  // low byte first, on every machine
  for (const uint16_t value : tile.values) {
    bytes.push_back(static_cast<uint8_t>(value & 0xFF));
    bytes.push_back(static_cast<uint8_t>(value >> 8));
  }
  digest.add(bytes.data(), bytes.size());
  return digest.hex128();
}

}  // namespace

TileFile read_tile(const std::string& path, files::FileSystem& files) {
  const auto file = tiff::TiffFile::open(path, kLimits, files);
  if (file->page_count() != 1) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: a tile of thresholds is one page, and this file has {}",
                            path,
                            file->page_count()));
  }
  const PageInfo& info = file->page(0);
  const std::optional<tiff::StoredGrey> grey = file->stored_grey(0);
  if (!grey || (grey->bits != 8 && grey->bits != 16)) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: the thresholds of a tile are grey values of 8 or 16 bits, without "
                            "alpha and other channels, and this page is {}",
                            path,
                            info.format));
  }
  TileValues tile{.width = info.width_px,
                  .height = info.height_px,
                  .bits = grey->bits,
                  .shift = shift_of(grey->description, info.width_px, path),
                  .values = samples_of(*file)};
  file->check_unchanged();
  std::string digest = digest_of(tile);
  return {path, std::move(digest), std::make_shared<const TileValues>(std::move(tile))};
}

void write_tile(const std::string& path, const ThresholdTile& tile) {
  std::vector<uint16_t> values;
  for (const uint16_t threshold : tile.thresholds) {
    values.push_back(static_cast<uint16_t>(16 * threshold + 8));
  }
  tiff::ContoneWriter writer(path,
                             {.width_px = tile.width,
                              .height_px = tile.height,
                              .bits = 16,
                              .compression = tiff::Compression::kDeflate,
                              .description = fmt::format("{}{}", kHead, tile.shift)});
  writer.write_rows(reinterpret_cast<const std::byte*>(values.data()), tile.height);
  writer.finish();
}

}  // namespace mezzo::screen
