// Pages for the tests of the reader: written with libtiff from arrays of samples, and what their
// planes must be, worked out pixel by pixel without any code of the reader.
#pragma once

#include <gtest/gtest.h>
#include <tiffio.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "stages/tiff/read/reader.h"
#include "tests/support/temp_folder.h"
#include "tests/support/thread_team.h"

namespace mezzo::test {

inline constexpr uint64_t kPlentyOfMemory = uint64_t{1} << 30;

/// A page to write. Stored sizes: before the orientation is undone.
struct PageSpec {
  uint32_t width_px = 61;
  uint32_t height_px = 47;
  uint16_t bits = 8;
  uint16_t samples = 1;
  uint16_t photometric = PHOTOMETRIC_MINISBLACK;
  uint16_t planar = PLANARCONFIG_CONTIG;
  uint16_t compression = COMPRESSION_NONE;
  uint16_t predictor = 0;  ///< 0: no tag
  uint32_t rows_per_strip = 16;
  uint32_t tile_width_px = 0;  ///< 0: strips
  uint32_t tile_rows = 0;
  uint16_t orientation = 0;  ///< 0: no tag
  uint16_t fill_order = 0;   ///< 0: no tag
  std::vector<uint16_t> extras = {};
  std::vector<uint16_t> colour_map = {};  ///< red, green, blue, each 2^bits
  std::function<void(TIFF*)> more_tags = {};
  uint32_t seed = 1;

  uint32_t upright_width() const { return orientation >= 5 ? height_px : width_px; }
  uint32_t upright_height() const { return orientation >= 5 ? width_px : height_px; }
};

/// Samples of a page, [row][column][sample], and its planes, [plane][row][column].
using Samples = std::vector<uint16_t>;
using Planes = std::vector<std::vector<uint16_t>>;

/// Smooth with some noise, so that codecs have something to do and lossy ones stay close.
inline Samples make_samples(const PageSpec& spec) {
  std::mt19937 engine(spec.seed);
  const auto random = [&] { return static_cast<uint32_t>(engine()); };
  Samples samples;
  samples.reserve(size_t{spec.width_px} * spec.height_px * spec.samples);
  const uint32_t largest = (1U << spec.bits) - 1;
  for (uint32_t y = 0; y < spec.height_px; ++y) {
    for (uint32_t x = 0; x < spec.width_px; ++x) {
      for (uint32_t s = 0; s < spec.samples; ++s) {
        const uint32_t noise = random() % 4 == 0 ? random() % (largest + 1) : 0;
        const uint32_t ramp = (x * 5 + y * 3 + s * 40) * (largest + 1) / 512;
        samples.push_back(static_cast<uint16_t>((ramp + noise) & largest));
      }
    }
  }
  return samples;
}

inline void check_written(bool good) {
  if (!good) throw std::runtime_error("the test cannot write its fixture");
}

/// Packs samples as a row of a block; 16-bit samples in host byte order.
inline void pack_row(const std::vector<uint16_t>& samples, uint32_t bits, uint8_t* out) {
  if (bits == 16) {
    std::copy_n(reinterpret_cast<const uint8_t*>(samples.data()), samples.size() * 2, out);
    return;
  }
  if (bits == 8) {
    std::copy(samples.begin(), samples.end(), out);
    return;
  }
  uint32_t bit = 0;
  for (const uint16_t sample : samples) {
    for (uint32_t i = bits; i-- > 0; ++bit) {
      if ((sample >> i & 1) != 0)
        out[bit / 8] = static_cast<uint8_t>(out[bit / 8] | 128 >> bit % 8);
    }
  }
}

inline void set_tags(TIFF* tiff, const PageSpec& spec) {
  TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, spec.width_px);
  TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, spec.height_px);
  TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, spec.bits);
  TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, spec.samples);
  TIFFSetField(tiff, TIFFTAG_PLANARCONFIG, spec.planar);
  TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, spec.photometric);
  TIFFSetField(tiff, TIFFTAG_COMPRESSION, spec.compression);
  if (spec.compression == COMPRESSION_JPEG && spec.photometric == PHOTOMETRIC_YCBCR) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  if (spec.predictor != 0) TIFFSetField(tiff, TIFFTAG_PREDICTOR, spec.predictor);
  if (spec.orientation != 0) TIFFSetField(tiff, TIFFTAG_ORIENTATION, spec.orientation);
  if (spec.fill_order != 0) TIFFSetField(tiff, TIFFTAG_FILLORDER, spec.fill_order);
  if (!spec.extras.empty()) {
    TIFFSetField(
        tiff, TIFFTAG_EXTRASAMPLES, static_cast<uint16_t>(spec.extras.size()), spec.extras.data());
  }
  if (!spec.colour_map.empty()) {
    const uint16_t* map = spec.colour_map.data();
    const size_t size = spec.colour_map.size() / 3;
    TIFFSetField(tiff, TIFFTAG_COLORMAP, map, map + size, map + 2 * size);
  }
  if (spec.tile_width_px > 0) {
    TIFFSetField(tiff, TIFFTAG_TILEWIDTH, spec.tile_width_px);
    TIFFSetField(tiff, TIFFTAG_TILELENGTH, spec.tile_rows);
  } else {
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, spec.rows_per_strip);
  }
  if (spec.more_tags) spec.more_tags(tiff);
}

/// Adds a page to a file that is being written.
inline void write_page(TIFF* tiff, const PageSpec& spec, const Samples& samples) {
  set_tags(tiff, spec);
  const bool tiled = spec.tile_width_px > 0;
  const uint32_t block_width = tiled ? spec.tile_width_px : spec.width_px;
  const uint32_t block_rows =
      tiled ? spec.tile_rows : std::min(spec.rows_per_strip, spec.height_px);
  const bool separate = spec.planar == PLANARCONFIG_SEPARATE;
  const uint32_t together = separate ? 1 : spec.samples;
  const size_t row_bytes = (size_t{block_width} * together * spec.bits + 7) / 8;
  uint32_t block = 0;
  for (uint32_t plane = 0; plane < (separate ? spec.samples : 1U); ++plane) {
    for (uint32_t top = 0; top < spec.height_px; top += block_rows) {
      for (uint32_t left = 0; left < spec.width_px; left += block_width) {
        const uint32_t rows = tiled ? block_rows : std::min(block_rows, spec.height_px - top);
        std::vector<uint8_t> bytes(row_bytes * rows);
        std::vector<uint16_t> row;
        row.reserve(size_t{block_width} * together);
        for (uint32_t y = 0; y < rows; ++y) {
          row.clear();
          for (uint32_t x = 0; x < block_width; ++x) {
            // Beyond the page a tile repeats its edge, as writers do.
            const size_t px = std::min(left + x, spec.width_px - 1);
            const size_t py = std::min(top + y, spec.height_px - 1);
            for (uint32_t s = 0; s < together; ++s) {
              row.push_back(samples[(py * spec.width_px + px) * spec.samples + plane + s]);
            }
          }
          pack_row(row, spec.bits, bytes.data() + y * row_bytes);
        }
        const auto size = static_cast<tmsize_t>(bytes.size());
        check_written((tiled ? TIFFWriteEncodedTile(tiff, block, bytes.data(), size)
                             : TIFFWriteEncodedStrip(tiff, block, bytes.data(), size)) == size);
        ++block;
      }
    }
  }
  check_written(TIFFWriteDirectory(tiff) == 1);
}

inline void write_file(const std::string& path,
                       const PageSpec& spec,
                       const Samples& samples,
                       const char* mode = "w") {
  TIFFSetWarningHandler(nullptr);
  TIFF* tiff = TIFFOpen(path.c_str(), mode);
  check_written(tiff != nullptr);
  write_page(tiff, spec, samples);
  TIFFClose(tiff);
}

/// The samples of a JPEG page as libtiff decodes them, whole strips or tiles at a time.
inline Samples decoded_samples(const std::string& path, const PageSpec& spec) {
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  check_written(tiff != nullptr);
  if (spec.photometric == PHOTOMETRIC_YCBCR) {
    TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
  }
  const bool tiled = spec.tile_width_px > 0;
  const uint32_t width = tiled ? spec.tile_width_px : spec.width_px;
  const uint32_t rows = tiled ? spec.tile_rows : spec.rows_per_strip;
  Samples samples(size_t{spec.width_px} * spec.height_px * spec.samples);
  std::vector<uint8_t> bytes(size_t{width} * rows * spec.samples);
  uint32_t block = 0;
  for (uint32_t top = 0; top < spec.height_px; top += rows) {
    for (uint32_t left = 0; left < spec.width_px; left += width, ++block) {
      const auto size = static_cast<tmsize_t>(bytes.size());
      const tmsize_t got = tiled ? TIFFReadEncodedTile(tiff, block, bytes.data(), size)
                                 : TIFFReadEncodedStrip(tiff, block, bytes.data(), size);
      check_written(got > 0);
      for (size_t y = top; y < std::min(top + rows, spec.height_px); ++y) {
        for (size_t x = left; x < std::min(left + width, spec.width_px); ++x) {
          for (size_t s = 0; s < spec.samples; ++s) {
            samples[(y * spec.width_px + x) * spec.samples + s] =
                bytes[((y - top) * width + x - left) * spec.samples + s];
          }
        }
      }
    }
  }
  TIFFClose(tiff);
  return samples;
}

inline uint64_t naive_luma(uint64_t red, uint64_t green, uint64_t blue) {
  return (red * 13933 + green * 46871 + blue * 4732 + 32768) / 65536;
}

/// The pixel at stored column x, row y, as the planes that must be handed out.
inline std::vector<uint16_t> expected_pixel(const PageSpec& spec, const uint16_t* stored) {
  const uint64_t raw_max = (1U << spec.bits) - 1;
  const bool palette = spec.photometric == PHOTOMETRIC_PALETTE;
  const uint64_t out_max = palette ? 65535 : spec.bits <= 8 ? 255 : raw_max;
  const auto scaled = [&](uint64_t value) { return value * out_max / raw_max; };
  const size_t colours = spec.samples - spec.extras.size();
  if (spec.photometric == PHOTOMETRIC_SEPARATED) {
    std::vector<uint16_t> inks;
    for (size_t s = 0; s < colours; ++s) inks.push_back(static_cast<uint16_t>(scaled(stored[s])));
    return inks;
  }
  uint64_t grey = scaled(stored[0]);
  if (colours == 3) grey = naive_luma(scaled(stored[0]), scaled(stored[1]), scaled(stored[2]));
  if (palette) {
    const size_t size = spec.colour_map.size() / 3;
    const auto is_small = [](uint16_t value) { return value < 256; };
    const bool small = std::all_of(spec.colour_map.begin(), spec.colour_map.end(), is_small);
    const uint64_t k = small ? 257 : 1;
    const uint16_t* map = spec.colour_map.data() + stored[0];
    grey = naive_luma(k * map[0], k * map[size], k * map[2 * size]);
  }
  if (!spec.extras.empty() && spec.extras[0] != EXTRASAMPLE_UNSPECIFIED) {
    const double opacity = stored[colours] / static_cast<double>(raw_max);
    const double paper =
        spec.photometric == PHOTOMETRIC_MINISWHITE ? 0 : static_cast<double>(out_max);
    double colour = static_cast<double>(grey);
    if (spec.extras[0] == EXTRASAMPLE_UNASSALPHA) colour *= opacity;
    colour = std::min(colour + paper * (1 - opacity), static_cast<double>(out_max));
    grey = static_cast<uint64_t>(colour + 0.5);
  }
  return {static_cast<uint16_t>(grey)};
}

/// Stored column and row of the upright pixel (x, y), from the definition of the tag: where row 0
/// and column 0 of the stored image are seen.
inline std::pair<uint32_t, uint32_t> stored_place(const PageSpec& spec, uint32_t x, uint32_t y) {
  const uint32_t w = spec.width_px - 1;
  const uint32_t h = spec.height_px - 1;
  switch (spec.orientation) {
    case 2:
      return {w - x, y};
    case 3:
      return {w - x, h - y};
    case 4:
      return {x, h - y};
    case 5:
      return {y, x};
    case 6:
      return {y, h - x};
    case 7:
      return {w - y, h - x};
    case 8:
      return {w - y, x};
    default:
      return {x, y};
  }
}

inline Planes expected_planes(const PageSpec& spec, const Samples& samples) {
  Planes planes;
  for (uint32_t y = 0; y < spec.upright_height(); ++y) {
    for (uint32_t x = 0; x < spec.upright_width(); ++x) {
      const auto [column, row] = stored_place(spec, x, y);
      const auto pixel =
          expected_pixel(spec, &samples[(size_t{row} * spec.width_px + column) * spec.samples]);
      planes.resize(pixel.size());
      for (size_t p = 0; p < pixel.size(); ++p) planes[p].push_back(pixel[p]);
    }
  }
  return planes;
}

/// Rows [first, first + rows) of all planes, in bands whose rows are padded; the padding must stay.
inline Planes read_rows(
    tiff::PageReader& reader, const PageInfo& info, uint32_t first, uint32_t rows, Team& team) {
  constexpr size_t kPadding = 6;
  constexpr auto kUntouched = std::byte{0xA5};
  const size_t row_bytes = size_t{info.width_px} * info.bytes_per_sample;
  // A multiple of the height of the band decides, so that both packed and padded rows occur.
  const size_t stride = row_bytes + (rows % 2 == 0 ? kPadding : 0);
  std::vector<std::vector<std::byte>> memory(info.inks.size(),
                                             std::vector<std::byte>(stride * rows, kUntouched));
  std::vector<MutableSampleBand> bands;
  for (auto& plane : memory) {
    bands.push_back({plane.data(), info.width_px, rows, stride, first, info.bytes_per_sample});
  }
  reader.read(bands, team);
  Planes planes(info.inks.size());
  for (size_t p = 0; p < planes.size(); ++p) {
    planes[p].reserve(size_t{info.width_px} * rows);
    const auto append = [&plane = planes[p], &info](const auto* row) {
      plane.insert(plane.end(), row, row + info.width_px);
    };
    for (uint32_t y = 0; y < rows; ++y) {
      info.bytes_per_sample == 1 ? append(bands[p].row8(y)) : append(bands[p].row16(y));
      for (size_t i = row_bytes; i < stride; ++i) {
        if (bands[p].row(y)[i] != kUntouched) ADD_FAILURE() << "wrote beyond row " << first + y;
      }
    }
  }
  return planes;
}

enum class ReadOrder { kDown, kUp };

/// The page in bands of `band_rows` (the last, or topmost, may be lower).
inline Planes read_page(tiff::PageReader& reader,
                        const PageInfo& info,
                        uint32_t band_rows,
                        Team& team,
                        ReadOrder order = ReadOrder::kDown) {
  std::vector<Planes> bands;
  for (uint32_t done = 0; done < info.height_px;) {
    const uint32_t rows = std::min(band_rows, info.height_px - done);
    const uint32_t first = order == ReadOrder::kDown ? done : info.height_px - done - rows;
    bands.push_back(read_rows(reader, info, first, rows, team));
    done += rows;
  }
  if (order == ReadOrder::kUp) std::reverse(bands.begin(), bands.end());
  if (bands.size() == 1) return std::move(bands.front());
  Planes planes(info.inks.size());
  for (auto& plane : planes) plane.reserve(size_t{info.width_px} * info.height_px);
  for (const Planes& band : bands) {
    for (size_t p = 0; p < planes.size(); ++p) {
      planes[p].insert(planes[p].end(), band[p].begin(), band[p].end());
    }
  }
  return planes;
}

/// Says where planes differ first; empty when they are equal.
inline std::string difference(const Planes& found, const Planes& expected, uint32_t width_px) {
  if (found == expected) return "";
  if (found.size() != expected.size()) return "planes: " + std::to_string(found.size());
  for (size_t p = 0; p < found.size(); ++p) {
    if (found[p].size() != expected[p].size()) return "pixels: " + std::to_string(found[p].size());
    for (size_t i = 0; i < found[p].size(); ++i) {
      if (found[p][i] != expected[p][i]) {
        return "plane " + std::to_string(p) + ", column " + std::to_string(i % width_px) +
               ", row " + std::to_string(i / width_px) + ": found " + std::to_string(found[p][i]) +
               ", expected " + std::to_string(expected[p][i]);
      }
    }
  }
  return "";
}

/// Reads a page in many ways and compares it with what is expected.
inline void check_page(const tiff::TiffFile& file,
                       uint32_t index,
                       const PageSpec& spec,
                       const Planes& expected,
                       uint64_t memory_bytes = kPlentyOfMemory) {
  const PageInfo& info = file.page(index);
  ASSERT_EQ(info.width_px, spec.upright_width());
  ASSERT_EQ(info.height_px, spec.upright_height());
  ASSERT_EQ(info.inks.size(), expected.size());
  ThreadTeam threads(3);
  SoloTeam solo;
  for (Team* team : std::initializer_list<Team*>{&solo, &threads}) {
    const auto reader = file.open_page(index, memory_bytes);
    ASSERT_GE(reader->row_quantum(), 1U);
    ASSERT_LE(reader->working_bytes(16, 1), memory_bytes);
    for (const uint32_t band_rows : {1U, 7U, 16U, reader->row_quantum(), info.height_px}) {
      SCOPED_TRACE("bands of " + std::to_string(band_rows) + " rows, team of " +
                   std::to_string(team->size()));
      EXPECT_EQ(difference(read_page(*reader, info, band_rows, *team), expected, info.width_px),
                "");
      EXPECT_EQ(
          difference(
              read_page(*reader, info, band_rows, *team, ReadOrder::kUp), expected, info.width_px),
          "")
          << "from the bottom";
    }
  }
}

/// Writes the page and checks it.
inline void check_spec(const PageSpec& spec,
                       const char* mode = "w",
                       uint64_t memory_bytes = kPlentyOfMemory) {
  const TempFolder folder;
  const std::string path = folder / "page.tif";
  Samples samples = make_samples(spec);
  write_file(path, spec, samples, mode);
  if (spec.compression == COMPRESSION_JPEG) samples = decoded_samples(path, spec);
  const auto file = tiff::TiffFile::open(path);
  ASSERT_EQ(file->page_count(), 1U);
  check_page(*file, 0, spec, expected_planes(spec, samples), memory_bytes);
}

}  // namespace mezzo::test
