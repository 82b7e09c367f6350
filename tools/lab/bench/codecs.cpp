#include "tools/lab/bench/codecs.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "kernels/halftoner.h"
#include "stages/tiff/plate/encode.h"
#include "stages/tiff/plate/plate_reader.h"
#include "stages/tiff/plate/writer.h"
#include "tools/synth/font.h"
#include "tools/synth/photo.h"

namespace mezzo::bench {
namespace {

using Run = Benchmark::Run;
using tiff::Compression;

/// Bits of a plate, made when they are asked for.
using MakeBits = std::function<PlaneBits()>;

struct Plate {
  std::string name;
  PlaneSize size;
  MakeBits make;
};

PlaneBits halftoned(const TestPage& page, const HalftoneSettings& settings) {
  PlaneBits bits = make_bits(page.size);
  SoloTeam solo;
  const BitBand out = bits_of(bits, page.size);
  run_plane(*make_halftoner(complete(settings)).halftoner, page.samples(), page.curve(), out, solo);
  return bits;
}

/// A photo from edge to edge.
PlaneBits photo(const PlaneSize& size, const HalftoneSettings& settings) {
  const auto side = [](uint32_t px) { return static_cast<int32_t>(px); };
  synth::ShapeList shapes;
  shapes.push_back(
      synth::make_landscape({0, 0, side(size.width_px), side(size.height_px)}, 1, kPhotoSeed));
  return halftoned(draw_shapes(size, std::move(shapes)), settings);
}

HalftoneSettings screen(double angle) {
  return {.method = "am", .parameters = {{"ruling", 175.0}, {"angle", angle}, {"dpi", 2400.0}}};
}

/// Lines of 10 point at 600 dpi.
PlaneBits set_in_type(const PlaneSize& size) {
  constexpr double kCapitals = 55, kLine = 100;
  synth::ShapeList lines;
  for (double y = kLine; y < size.height_px; y += kLine) {
    std::string words;
    while (synth::text_width(words, kCapitals) < size.width_px) {
      words += "hamburgefonts 1,234.5 (quick brown fox) ";
    }
    lines.push_back(
        std::make_unique<synth::Text>(kLine, y, kCapitals, words, synth::Ink{synth::kFullInk}));
  }
  return halftoned(draw_shapes(size, std::move(lines)), {.method = "threshold"});
}

std::vector<Plate> plates_of(const PlaneSize& size) {
  return {{"floyd-steinberg", size, [size] { return photo(size, {.method = "floyd-steinberg"}); }},
          {"am 45", size, [size] { return photo(size, screen(45)); }},
          {"am 15", size, [size] { return photo(size, screen(15)); }},
          {"type", size, [size] { return set_in_type(size); }},
          {"blank", size, [size] { return make_bits(size); }}};
}

/// tiff::encode_strip(), or another function like it.
using Encoder = std::vector<std::byte>(const BitBand& rows, Compression compression);

Run encoding(Encoder* encode, Compression compression, const Plate& plate) {
  const auto bits = std::make_shared<PlaneBits>(plate.make());
  return [bits, size = plate.size, encode, compression] {
    const BitBand rows = bits_of(*bits, size);
    const uint32_t strip = tiff::plate_rows_per_strip(size.width_px);
    for (uint32_t row = 0; row < rows.rows; row += strip) {
      encode(rows.slice(row, std::min(strip, rows.rows - row)), compression);
    }
  };
}

/// Writes the file of a plate.
tiff::PlatePage write_plate(const std::string& path, Compression compression, const Plate& plate) {
  PlaneBits bits = plate.make();
  const BitBand rows = bits_of(bits, plate.size);
  tiff::PlatePage page;
  page.width_px = plate.size.width_px;
  page.height_px = plate.size.height_px;
  page.rows_per_strip = tiff::plate_rows_per_strip(page.width_px);
  const auto file = tiff::PlateFile::create(path, uint64_t{1} << 32, files::ExistingFile::kReplace);
  file->begin_page(page, compression);
  for (uint32_t row = 0; row < rows.rows; row += page.rows_per_strip) {
    const BitBand strip = rows.slice(row, std::min(page.rows_per_strip, rows.rows - row));
    const std::vector<std::byte> coded = tiff::encode_strip(strip, compression);
    file->write_strip({strip, coded, {codec::row_sum(strip), codec::byte_sum(coded)}});
  }
  file->end_page("", "");
  SoloTeam solo;
  file->seal(tiff::VerifyLevel::kBytes, solo);
  file->publish();
  file->commit();
  return page;
}

/// Reads a plate back, strips at once as verification does, or each by libtiff.
Run decoding(const std::string& path,
             Compression compression,
             const Plate& plate,
             bool by_libtiff) {
  const tiff::PlatePage page = write_plate(path, compression, plate);
  const auto reader = std::make_shared<tiff::PlateReader>(path);
  const uint32_t at_once = by_libtiff ? 1 : tiff::strips_at_once(page);
  const auto bits = std::make_shared<std::vector<uint8_t>>(tiff::row_bytes_of(page) *
                                                           page.rows_per_strip * at_once);
  return [page, reader, bits, at_once, by_libtiff] {
    for (uint32_t first = 0; first < tiff::strip_count(page); first += at_once) {
      const uint32_t count = std::min(at_once, tiff::strip_count(page) - first);
      const uint32_t rows =
          (count - 1) * page.rows_per_strip + tiff::strip_rows(page, first + count - 1);
      const BitBand band = tiff::rows_of(page, bits->data(), rows);
      by_libtiff ? reader->read_strip(0, first, band) : reader->read_strips(0, first, count, band);
    }
  };
}

void add_every_codec(const Plate& plate, std::vector<Benchmark>& all) {
  for (const tiff::CompressionInfo& info : tiff::compressions()) {
    const Compression compression = info.compression;
    if (compression == Compression::kAutomatic || compression == Compression::kNone) continue;
    all.push_back({"encode on one core", std::string(info.name), plate.size, [plate, compression] {
                     return encoding(tiff::encode_strip, compression, plate);
                   }});
  }
}

void add_fax(const Plate& plate,
             Compression compression,
             const std::string& folder,
             std::vector<Benchmark>& all) {
  const std::string codec(tiff::to_string(compression));
  const std::string on = " " + codec + ", " + plate.name;
  const std::string path = folder + "/" + plate.name + "." + codec + ".tif";
  for (const bool by_libtiff : {true, false}) {
    const std::string name = by_libtiff ? "libtiff" : "ours";
    all.push_back({"encode" + on, name, plate.size, [=] {
                     Encoder* encode =
                         by_libtiff ? tiff::encode_strip_by_libtiff : tiff::encode_strip;
                     return encoding(encode, compression, plate);
                   }});
  }
  for (const bool by_libtiff : {true, false}) {
    const std::string name = by_libtiff ? "libtiff" : "ours";
    all.push_back({"decode" + on, name, plate.size, [=] {
                     return decoding(path, compression, plate, by_libtiff);
                   }});
  }
}

}  // namespace

void add_codecs(const PlaneSize& size, const std::string& folder, std::vector<Benchmark>& all) {
  const std::vector<Plate> plates = plates_of(size);
  add_every_codec(plates.front(), all);
  add_fax(plates.front(), Compression::kG3, folder, all);
  for (const Plate& plate : plates) add_fax(plate, Compression::kG4, folder, all);
}

}  // namespace mezzo::bench
