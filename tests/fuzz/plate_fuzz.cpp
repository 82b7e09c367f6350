// Files in the places of plates: read back strip by strip and together, by libtiff, and written anew.

#include <tiffio.h>

#include <algorithm>
#include <optional>

#include "kernels/codec/fax_strip.h"
#include "tests/fuzz/change_tiff.h"
#include "tests/fuzz/support.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::fuzz {
namespace {

using Rows = std::vector<uint8_t>;

constexpr uint64_t kMostBytes = 1 << 20;  ///< of a page that is read
constexpr uint32_t kMostPages = 3, kMostStrips = 2000;

/// All rows of a page, one strip after the other; nothing where one is damaged.
std::optional<Rows> rows_alone(tiff::PlateReader& reader, uint32_t index) {
  const tiff::PlatePage& page = reader.page(index).page;
  Rows rows;
  const bool is_good = passes([&] {
    for (uint32_t strip = 0; strip < tiff::strip_count(page); ++strip) {
      const uint32_t count = tiff::strip_rows(page, strip);
      Rows part(row_bytes_of(page) * count);  // it ends where it must
      reader.read_strip(index, strip, tiff::rows_of(page, part.data(), count));
      rows.insert(rows.end(), part.begin(), part.end());
    }
  });
  if (!is_good) return std::nullopt;
  return rows;
}

std::optional<Rows> rows_together(tiff::PlateReader& reader, uint32_t index, uint32_t at_once) {
  const tiff::PlatePage& page = reader.page(index).page;
  const uint32_t strips = tiff::strip_count(page);
  Rows rows;
  const bool is_good = passes([&] {
    for (uint32_t first = 0; first < strips; first += at_once) {
      const uint32_t count = std::min(at_once, strips - first);
      const uint32_t last = first + count - 1;
      const uint32_t height = (count - 1) * page.rows_per_strip + tiff::strip_rows(page, last);
      Rows part(row_bytes_of(page) * height);
      reader.read_strips(index, first, count, tiff::rows_of(page, part.data(), height));
      rows.insert(rows.end(), part.begin(), part.end());
    }
  });
  if (!is_good) return std::nullopt;
  return rows;
}

/// As libtiff reads them; nothing where it complains.
std::optional<Rows> rows_of_libtiff(const std::string& path,
                                    uint32_t index,
                                    const tiff::PlatePage& page) {
  TIFFSetErrorHandler(nullptr);
  TIFFSetWarningHandler(nullptr);
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  Rows rows(row_bytes_of(page) * page.height_px);
  size_t at = 0;
  bool is_good = tiff != nullptr && TIFFSetDirectory(tiff, static_cast<tdir_t>(index)) == 1;
  for (uint32_t strip = 0; is_good && strip < tiff::strip_count(page); ++strip) {
    const size_t bytes = row_bytes_of(page) * tiff::strip_rows(page, strip);
    is_good = TIFFReadEncodedStrip(tiff, strip, rows.data() + at, static_cast<tmsize_t>(bytes)) ==
              static_cast<tmsize_t>(bytes);
    at += bytes;
  }
  if (tiff != nullptr) TIFFClose(tiff);
  if (!is_good) return std::nullopt;
  return rows;
}

/// Without the bits behind the last pixel of each row.
Rows pixels_of(Rows rows, const tiff::PlatePage& page) {
  const size_t row = row_bytes_of(page);
  const uint32_t padding =
      static_cast<uint32_t>(row * 8 - size_t{page.width_px} * page.bits_per_px);
  for (size_t i = row; i <= rows.size(); i += row) {
    rows[i - 1] = static_cast<uint8_t>(rows[i - 1] & 0xFFU << padding);
  }
  return rows;
}

/// Whether the strips of a page, if they are fax, are what encoders write. Of others libtiff makes what its
/// memory had from strips before, without a word.
bool is_as_encoded(tiff::PlateReader& reader, uint32_t index) {
  const tiff::PlatePageInfo& info = reader.page(index);
  const bool is_g3 = info.compression == tiff::Compression::kG3;
  if (!is_g3 && info.compression != tiff::Compression::kG4) return true;
  if (info.page.bits_per_px != 1) return false;
  const auto coding = is_g3 ? codec::FaxCoding::kG3 : codec::FaxCoding::kG4;
  bool is_good = true;
  std::vector<std::byte> coded;
  for (uint32_t strip = 0; is_good && strip < tiff::strip_count(info.page); ++strip) {
    const uint32_t count = tiff::strip_rows(info.page, strip);
    Rows rows(row_bytes_of(info.page) * count);
    is_good = passes([&] { reader.read_coded_strip(index, strip, coded); });
    if (!is_good) break;
    codec::FaxStripDecoder decoder(coded, tiff::rows_of(info.page, rows.data(), count), coding);
    decoder.decode();
    is_good = decoder.right_rows() == count;
  }
  return is_good;
}

/// Written and verified as a plate is, and read again.
void write_anew(const tiff::PlatePageInfo& info, Rows rows) {
  tiff::PlatePage page = info.page;
  page.page_index = 0;
  page.page_count = 1;
  const auto is_usual = [](double dpi) { return dpi >= 10 && dpi <= 10'000; };
  if (!is_usual(page.resolution.x_dpi) || !is_usual(page.resolution.y_dpi)) page.resolution = {};
  page.rows_per_strip = tiff::plate_rows_per_strip(page.width_px, page.bits_per_px);
  const std::string path = scratch() / "anew.tif";
  const BitBand band = tiff::rows_of(page, rows.data(), page.height_px);
  // Most readers cannot take some rows from G3, and then none is written.
  if (!passes([&] { test::write_plate(path, page, band, info.compression); })) {
    return demand(info.compression == tiff::Compression::kG3, "a plate cannot be written anew");
  }
  const tiff::Plate found = tiff::read_plate(path);
  demand(found.bits == rows, "a plate that was written anew has other rows");
}

bool read_page(tiff::PlateReader& reader, const std::string& path, uint32_t index) {
  const tiff::PlatePage& page = reader.page(index).page;
  demand(page.width_px > 0 && page.height_px > 0 && page.rows_per_strip > 0, "a plate of nothing");
  if (uint64_t{row_bytes_of(page)} * page.height_px > kMostBytes) return false;
  if (tiff::strip_count(page) > kMostStrips) return false;
  const bool is_comparable = is_as_encoded(reader, index);
  const auto alone = rows_alone(reader, index);
  for (const uint32_t at_once : {tiff::strips_at_once(page), 3U, tiff::strip_count(page)}) {
    const auto together = rows_together(reader, index, at_once);
    demand(!is_comparable || alone == together, "strips differ when they are read together");
  }
  std::vector<std::byte> coded;
  passes([&] { reader.read_coded_strip(index, 0, coded); });
  if (!alone || !is_comparable) return false;
  const auto other = rows_of_libtiff(path, index, page);
  demand(!other || pixels_of(*alone, page) == pixels_of(*other, page), "libtiff reads other rows");
  write_anew(reader.page(index), pixels_of(*alone, page));
  return true;
}

}  // namespace

std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  const std::string path = scratch() / "seed.tif";
  for (const tiff::Compression compression : test::real_compressions()) {
    test::Bits bits = test::Bits::diffused(77, 40);
    test::write_plate(path, test::page_of(bits.band(), 16), bits.band(), compression);
    all.push_back(bytes_of(test::content_of(path)));
  }
  for (const uint32_t depth : {2U, 4U}) {
    test::Bits bits = test::Bits::noise(64 * depth, 24);
    BitBand levels = bits.band();
    levels.width_px = 64;
    levels.bits_per_px = depth;
    tiff::PlatePage page = test::page_of(levels, 8);
    page.bits_per_px = depth;
    page.ink = "cyan";
    page.document_name = "document";
    page.resolution = {1200, 600};
    test::write_plate(path, page, levels, tiff::Compression::kLzw);
    all.push_back(bytes_of(test::content_of(path)));
  }
  return all;
}

void change(Bytes& input, Random& random) {
  change_tiff(input, random);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::string path = scratch_file("in.tif", input);
  bool is_good = false;
  passes([&] {
    tiff::PlateReader reader(path);
    demand(reader.page_count() > 0, "a plate without pages");
    reader.warnings();
    for (uint32_t page = 0; page < std::min(reader.page_count(), kMostPages); ++page) {
      is_good = read_page(reader, path, page) || is_good;
    }
  });
  if (is_good && input.size() % 2 == 0) passes([&] { tiff::plate_content_sum(path); });
  return is_good;
}

}  // namespace mezzo::fuzz
