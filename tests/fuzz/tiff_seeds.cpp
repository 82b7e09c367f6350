#include "tests/fuzz/tiff_seeds.h"

#include "tests/fuzz/support.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::fuzz {
namespace {

using test::PageSpec;

Bytes file_of(const PageSpec& spec, const char* mode = "w") {
  const std::string path = scratch() / "seed.tif";
  test::write_file(path, spec, test::make_samples(spec), mode);
  std::ifstream file(path, std::ios::binary);
  return bytes_of(std::string((std::istreambuf_iterator<char>(file)), {}));
}

/// A separated page whose tags name its inks.
PageSpec inks(uint16_t count, const std::string& names) {
  return {.width_px = 21,
          .height_px = 18,
          .samples = count,
          .photometric = PHOTOMETRIC_SEPARATED,
          .compression = COMPRESSION_LZW,
          .rows_per_strip = 8,
          .more_tags = [=](TIFF* tiff) {
            TIFFSetField(tiff, TIFFTAG_INKSET, count == 4 ? INKSET_CMYK : INKSET_MULTIINK);
            if (!names.empty()) {
              TIFFSetField(tiff, TIFFTAG_NUMBEROFINKS, count);
              TIFFSetField(
                  tiff, TIFFTAG_INKNAMES, static_cast<uint16_t>(names.size() + 1), names.c_str());
            }
            TIFFSetField(tiff, TIFFTAG_XRESOLUTION, 300.0F);
            TIFFSetField(tiff, TIFFTAG_YRESOLUTION, 300.0F);
          }};
}

std::vector<uint16_t> colour_map(size_t colours) {
  std::vector<uint16_t> map;
  for (size_t i = 0; i < 3 * colours; ++i) map.push_back(static_cast<uint16_t>(i * 4099));
  return map;
}

void add_grey(std::vector<Bytes>& all) {
  for (const int compression : {COMPRESSION_NONE,
                                COMPRESSION_LZW,
                                COMPRESSION_ADOBE_DEFLATE,
                                COMPRESSION_DEFLATE,
                                COMPRESSION_PACKBITS,
                                COMPRESSION_ZSTD,
                                COMPRESSION_JPEG}) {
    all.push_back(file_of(
        {.width_px = 37, .height_px = 29, .compression = static_cast<uint16_t>(compression)}));
  }
  for (const int compression :
       {COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4, COMPRESSION_PACKBITS}) {
    all.push_back(file_of(
        {.bits = 1, .compression = static_cast<uint16_t>(compression), .rows_per_strip = 20}));
  }
  for (const uint16_t bits : std::initializer_list<uint16_t>{2, 4, 12, 16}) {
    const auto predictor = static_cast<uint16_t>(bits == 16 ? 2 : 0);
    all.push_back(file_of({.width_px = 23,
                           .height_px = 17,
                           .bits = bits,
                           .photometric = PHOTOMETRIC_MINISWHITE,
                           .compression = COMPRESSION_LZW,
                           .predictor = predictor}));
  }
  all.push_back(file_of({.width_px = 23, .height_px = 17, .orientation = 6, .fill_order = 2}));
  all.push_back(file_of({.width_px = 50,
                         .height_px = 40,
                         .compression = COMPRESSION_ADOBE_DEFLATE,
                         .tile_width_px = 16,
                         .tile_rows = 16,
                         .orientation = 3}));
  all.push_back(file_of({.width_px = 20, .height_px = 20, .bits = 16}, "wb"));
  all.push_back(file_of({.width_px = 20, .height_px = 20, .compression = COMPRESSION_LZW}, "w8"));
  all.push_back(
      file_of({.width_px = 20, .height_px = 10, .samples = 2, .extras = {EXTRASAMPLE_UNASSALPHA}}));
}

void add_colour(std::vector<Bytes>& all) {
  all.push_back(file_of({.width_px = 33,
                         .height_px = 20,
                         .samples = 3,
                         .photometric = PHOTOMETRIC_RGB,
                         .planar = PLANARCONFIG_SEPARATE,
                         .compression = COMPRESSION_PACKBITS}));
  all.push_back(file_of({.width_px = 33,
                         .height_px = 20,
                         .samples = 3,
                         .photometric = PHOTOMETRIC_YCBCR,
                         .compression = COMPRESSION_JPEG}));
  all.push_back(
      file_of({.width_px = 19, .height_px = 11, .samples = 3, .photometric = PHOTOMETRIC_CIELAB}));
  all.push_back(file_of({.width_px = 19,
                         .height_px = 11,
                         .bits = 4,
                         .photometric = PHOTOMETRIC_PALETTE,
                         .colour_map = colour_map(16)}));
  all.push_back(file_of(inks(4, "")));
  all.push_back(
      file_of(inks(6, std::string("Cyan\0Magenta\0Yellow\0Black\0PANTONE 185 C\0Varnish", 47))));
  PageSpec spots = inks(4, "");
  spots.samples = 5;
  spots.extras = {EXTRASAMPLE_UNSPECIFIED};
  spots.planar = PLANARCONFIG_SEPARATE;
  all.push_back(file_of(spots));
}

/// Two pages and a thumbnail in one file.
Bytes several_pages() {
  const std::string path = scratch() / "seed.tif";
  TIFF* tiff = TIFFOpen(path.c_str(), "w");
  PageSpec spec = {.width_px = 17, .height_px = 12, .compression = COMPRESSION_LZW};
  test::write_page(tiff, spec, test::make_samples(spec));
  spec.more_tags = [](TIFF* page) {
    TIFFSetField(page, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE);
  };
  test::write_page(tiff, spec, test::make_samples(spec));
  spec.more_tags = [](TIFF* page) {
    TIFFSetField(page, TIFFTAG_PAGENAME, "second");
    TIFFSetField(page, TIFFTAG_DOCUMENTNAME, "a document");
  };
  test::write_page(tiff, spec, test::make_samples(spec));
  TIFFClose(tiff);
  std::ifstream file(path, std::ios::binary);
  return bytes_of(std::string((std::istreambuf_iterator<char>(file)), {}));
}

}  // namespace

std::vector<Bytes> tiff_seeds() {
  std::vector<Bytes> all;
  add_grey(all);
  add_colour(all);
  all.push_back(several_pages());
  return all;
}

}  // namespace mezzo::fuzz
