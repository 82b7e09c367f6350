#include "stages/tiff/plate/plate_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include "stages/tiff/handle.h"
#include "stages/tiff/plate/codecs.h"
#include "stages/tiff/plate/content_sum.h"
#include "stages/tiff/plate/tiff_writing.h"
#include "stages/tiff/read/block_head.h"
#include "stages/tiff/tags.h"

namespace mezzo::tiff {
namespace {

/// Refused above this: no strip of ours decodes to more (8 rows of the widest page are 1 MB).
constexpr uint64_t kMaxStripBytes = 256ULL << 20;
constexpr uint32_t kStripsAtOnce = 16;
constexpr uint64_t kBytesAtOnce = 1ULL << 20;
constexpr size_t kMaxPages = 65'535;  // the most that the tag PageNumber can count
template <typename T>
T tag(TIFF* tiff, uint32_t number, T otherwise) {
  T value{};
  return TIFFGetFieldDefaulted(tiff, number, &value) == 1 ? value : otherwise;
}

Resolution resolution_of(TIFF* tiff) {
  float x = 0;
  float y = 0;
  if (TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) != 1 ||
      TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) != 1 ||
      tag<uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_NONE) != RESUNIT_INCH) {
    return {};
  }
  return {static_cast<double>(x), static_cast<double>(y)};
}

PlateNames names_in(TIFF* tiff, const Tags& tags) {
  PlateNames names{.ink = tags.text(TIFFTAG_INKNAMES),  // the first, and only one
                   .page = tags.text(TIFFTAG_PAGENAME),
                   .document = tags.text(TIFFTAG_DOCUMENTNAME)};
  TIFFGetField(tiff, TIFFTAG_INKSET, &names.ink_set);
  TIFFGetField(tiff, TIFFTAG_NUMBEROFINKS, &names.ink_count);
  TIFFGetField(tiff, TIFFTAG_SUBFILETYPE, &names.subfile_type);
  TIFFGetField(tiff, TIFFTAG_PAGENUMBER, &names.page_number, &names.page_total);
  return names;
}

/// Why the directory is not that of a plate, or empty.
std::string fault_of(TIFF* tiff) {
  if (TIFFIsTiled(tiff) != 0) return "it has tiles, not strips";
  const auto bits = tag<uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  if (bits != 1 && bits != 2 && bits != 4) return "BitsPerSample is not 1, 2 or 4";
  if (tag<uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) != 1) return "SamplesPerPixel is not 1";
  if (tag<uint16_t>(tiff, TIFFTAG_PHOTOMETRIC, 0xFFFF) != PHOTOMETRIC_MINISWHITE) {
    return "PhotometricInterpretation is not MinIsWhite";
  }
  if (tag<uint16_t>(tiff, TIFFTAG_FILLORDER, 0) != FILLORDER_MSB2LSB) return "FillOrder is not 1";
  if (tag<uint16_t>(tiff, TIFFTAG_ORIENTATION, 0) != ORIENTATION_TOPLEFT) {
    return "Orientation is not 1";
  }
  if (!compression_of_tiff(tag<uint16_t>(tiff, TIFFTAG_COMPRESSION, 0))) {
    return "mezzotint does not write its compression";
  }
  return "";
}

/// libtiff takes a tag that it cannot read for one that is absent; a plate has what it has.
void check_tags(const Tags& tags) {
  constexpr uint16_t kNumbers[] = {
      254, 256, 257, 258, 259, 262, 266, 274, 277, 278, 284, 292, 293, 296, 317, 332, 334, 339};
  for (const uint16_t tag : kNumbers) (void)tags.number(tag);
  (void)tags.fraction(TIFFTAG_XRESOLUTION);
  (void)tags.fraction(TIFFTAG_YRESOLUTION);
  (void)tags.numbers(TIFFTAG_PAGENUMBER, 2);
}

std::string place(const char* doing, uint32_t page_index, uint32_t strip) {
  return std::string(doing) + " strip " + std::to_string(strip + 1) + " of page " +
         std::to_string(page_index + 1);
}

/// Whether a strip of so many coded bytes may be one of these rows: no codec takes more than 8 bits a pixel. A
/// damaged file may claim any size.
bool is_likely_strip(const BitBand& rows, uint64_t coded_bytes) {
  const uint64_t row_bits = uint64_t{rows.width_px} * 8 + 256;
  return coded_bytes <= (rows.rows + 1) * row_bits / 8;
}

}  // namespace

PlateReader::PlateReader(const std::string& path, files::FileSystem& files)
    : file_(path, std::numeric_limits<uint64_t>::max(), files),
      handle_(std::make_unique<Handle>(file_, path, "rmc", kMaxPlateAllocation)) {
  TIFF* tiff = handle_->get();
  if (tiff == nullptr) fail("opening it as TIFF");
  do {
    if (pages_.size() == kMaxPages) fail("reading its directories: there are more than 65,535");
    add_page();
  } while (TIFFReadDirectory(tiff) == 1);
  check("reading its directories");
  for (PlatePageInfo& info : pages_) info.page.page_count = page_count();
  current_ = page_count() - 1;
}

PlateReader::PlateReader(const std::string& path,
                         files::FileSystem& files,
                         const files::InputFile& digested)
    : PlateReader(path, files) {
  file_.digest_along_reads(digested);
}

PlateReader::~PlateReader() = default;

bool PlateReader::big_tiff() const {
  return TIFFIsBigTIFF(handle_->get()) != 0;
}

std::string PlateReader::warnings() const {
  return handle_->messages().summary();
}

void PlateReader::read_strip(uint32_t page_index, uint32_t strip, const BitBand& rows) {
  read_strips(page_index, strip, 1, rows);
}

void PlateReader::read_strips(uint32_t page_index,
                              uint32_t first,
                              uint32_t count,
                              const BitBand& rows) {
  const PlatePage& page = pages_.at(page_index).page;
  const auto decode = decoder_for(page_index, count);
  coded_.resize(std::max<size_t>(coded_.size(), decode == nullptr ? 0 : count));
  std::vector<StripToDecode> strips(count);
  for (uint32_t i = 0; i < count; ++i) {
    strips[i].rows = rows.slice(i * page.rows_per_strip, strip_rows(page, first + i));
    if (decode == nullptr ||
        !is_likely_strip(strips[i].rows, TIFFGetStrileByteCount(handle_->get(), first + i))) {
      continue;
    }
    read_coded_strip(page_index, first + i, coded_[i]);
    strips[i].coded = coded_[i];
  }
  if (decode != nullptr) decode(strips);
  for (uint32_t i = 0; i < count; ++i) {
    // libtiff has the last word, and the words for messages.
    if (strips[i].right_rows < strips[i].rows.rows) {
      decode_by_libtiff(page_index, first + i, strips[i].rows);
    }
  }
}

void PlateReader::decode_by_libtiff(uint32_t page_index, uint32_t strip, const BitBand& rows) {
  const PlatePageInfo& info = pages_.at(page_index);
  const size_t bytes = row_bytes_of(info.page) * strip_rows(info.page, strip);
  MZ_ASSERT(rows.width_px == info.page.width_px && rows.rows == strip_rows(info.page, strip) &&
            rows.bits_per_px == info.page.bits_per_px &&
            rows.stride_bytes == row_bytes_of(info.page));
  go_to(page_index);
  check_coded(page_index, strip);
  // The fax decoders leave the bits behind the last pixel alone.
  std::memset(rows.data, 0, bytes);
  const tmsize_t done =
      TIFFReadEncodedStrip(handle_->get(), strip, rows.data, static_cast<tmsize_t>(bytes));
  if (done != static_cast<tmsize_t>(bytes)) fail(place("decoding", page_index, strip));
  check(place("decoding", page_index, strip));
}

/// The decoder to take for so many strips, which knows the options of the page; null: libtiff.
decltype(Codec::decode) PlateReader::decoder_for(uint32_t page_index, uint32_t strips) {
  const PlatePageInfo& info = pages_.at(page_index);
  const auto decode = decoder_of(info.compression, info.page.bits_per_px, strips);
  if (decode == nullptr) return nullptr;
  go_to(page_index);
  const uint32_t unknown = GROUP3OPT_2DENCODING | GROUP3OPT_UNCOMPRESSED;
  const bool is_known = (tag<uint32_t>(handle_->get(), TIFFTAG_GROUP3OPTIONS, 0) & unknown) == 0;
  return is_known ? decode : nullptr;
}

void PlateReader::read_coded_strip(uint32_t page_index,
                                   uint32_t strip,
                                   std::vector<std::byte>& bytes) {
  go_to(page_index);
  check_coded(page_index, strip);
  const uint64_t size = TIFFGetStrileByteCount(handle_->get(), strip);
  bytes.resize(static_cast<size_t>(size));
  const tmsize_t done =
      TIFFReadRawStrip(handle_->get(), strip, bytes.data(), static_cast<tmsize_t>(bytes.size()));
  if (done != static_cast<tmsize_t>(size)) fail(place("reading", page_index, strip));
  check(place("reading", page_index, strip));
}

/// Throws Error where the tags claim more bytes than the strip can have, or its codec refuses it: a damaged file may
/// claim any size.
void PlateReader::check_coded(uint32_t page_index, uint32_t strip) const {
  const PlatePageInfo& info = pages_.at(page_index);
  const uint64_t size = TIFFGetStrileByteCount(handle_->get(), strip);
  const uint64_t rows = strip_rows(info.page, strip);
  if (size == 0 || size > file_.size() || is_beyond_codecs(size, row_bytes_of(info.page) * rows)) {
    fail(place("reading", page_index, strip));
  }
  const auto check_strip = codec_of(info.compression).check;
  if (check_strip == nullptr) return;
  check_strip({.store = file_, .offset = TIFFGetStrileOffset(handle_->get(), strip), .bytes = size},
              file_.path() + ": " + place("decoding", page_index, strip));
}

void PlateReader::add_page() {
  TIFF* tiff = handle_->get();
  check("reading its directories");
  const Tags tags(file_,
                  {.is_big_tiff = big_tiff(), .is_big_endian = TIFFIsBigEndian(tiff) != 0},
                  TIFFCurrentDirOffset(tiff),
                  file_.path(),
                  "directory " + std::to_string(page_count() + 1));
  check_tags(tags);
  const std::string fault = fault_of(tiff);
  if (!fault.empty()) {
    throw Error(ErrorKind::kData, file_.path() + " is not a plate that mezzotint wrote: " + fault);
  }
  PlatePageInfo info;
  info.page.width_px = tag<uint32_t>(tiff, TIFFTAG_IMAGEWIDTH, 0);
  info.page.bits_per_px = tag<uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE, 1);
  info.page.height_px = tag<uint32_t>(tiff, TIFFTAG_IMAGELENGTH, 0);
  info.page.rows_per_strip =
      std::min(tag<uint32_t>(tiff, TIFFTAG_ROWSPERSTRIP, 0), info.page.height_px);
  check_geometry(info.page);
  TagNumbers(tags, TIFFTAG_STRIPOFFSETS, strip_count(info.page));
  TagNumbers(tags, TIFFTAG_STRIPBYTECOUNTS, strip_count(info.page));
  info.page.resolution = resolution_of(tiff);
  info.names = names_in(tiff, tags);
  info.page.ink = info.names.ink.empty() ? info.names.page : info.names.ink;
  info.page.document_name = info.names.document;
  info.page.page_index = page_count();
  info.compression = compression_of_tiff(tag<uint16_t>(tiff, TIFFTAG_COMPRESSION, 0)).value();
  info.software = tags.text(TIFFTAG_SOFTWARE);
  info.description = tags.text(TIFFTAG_IMAGEDESCRIPTION);
  pages_.push_back(std::move(info));
  offsets_.push_back(TIFFCurrentDirOffset(tiff));
}

void PlateReader::check_geometry(const PlatePage& page) const {
  const bool whole = page.width_px > 0 && page.height_px > 0 && page.rows_per_strip > 0;
  const uint64_t strip_bytes = uint64_t{row_bytes_of(page)} * page.rows_per_strip;
  if (!whole || strip_bytes > kMaxStripBytes ||
      TIFFNumberOfStrips(handle_->get()) != strip_count(page)) {
    throw Error(ErrorKind::kData,
                file_.path() +
                    " is not a plate that mezzotint wrote: its width, height and strips do "
                    "not fit together");
  }
}

void PlateReader::go_to(uint32_t page_index) {
  if (page_index == current_) return;
  current_ = page_count();
  if (TIFFSetSubDirectory(handle_->get(), offsets_.at(page_index)) != 1) {
    fail("going to page " + std::to_string(page_index + 1));
  }
  current_ = page_index;
}

void PlateReader::check(const std::string& doing) const {
  const bool is_good = handle_->error_number() == 0 && !handle_->fell_short();
  if (!is_good || handle_->messages().errors() > 0) fail(doing);
}

void PlateReader::fail(const std::string& doing) const {
  // libtiff goes on without some things that it cannot read; a plate must be whole.
  const int error_number = handle_->fell_short() ? EIO : handle_->error_number();
  if (error_number != 0) throw files::file_error(file_.path(), doing, error_number);
  const std::string error = handle_->messages().first_error();
  throw Error(
      ErrorKind::kData,
      file_.path() + ": " + doing + " failed: " + (error.empty() ? "the file is damaged" : error),
      "make the plate again");
}

uint32_t strips_at_once(const PlatePage& page) {
  const uint64_t strip_bytes = uint64_t{row_bytes_of(page)} * page.rows_per_strip;
  const uint64_t strips = std::clamp<uint64_t>(kBytesAtOnce / strip_bytes, 1, kStripsAtOnce);
  return static_cast<uint32_t>(strips);
}

std::string plate_content_sum(const std::string& path) {
  PlateReader reader(path);
  ContentSum content;
  std::vector<uint8_t> bits;
  for (uint32_t p = 0; p < reader.page_count(); ++p) {
    const PlatePage& page = reader.page(p).page;
    bits.resize(row_bytes_of(page) * page.rows_per_strip);
    codec::RowSum sum;
    for (uint32_t s = 0; s < strip_count(page); ++s) {
      BitBand rows = rows_of(page, bits.data(), strip_rows(page, s));
      rows.first_row = s * page.rows_per_strip;
      reader.read_strip(p, s, rows);
      sum += codec::row_sum(rows);
    }
    content.add_page(sum);
  }
  return content.hex();
}

Plate read_plate(const std::string& path, uint32_t page_index) {
  PlateReader reader(path);
  if (page_index >= reader.page_count()) {
    throw Error(ErrorKind::kData,
                path + " has no page " + std::to_string(page_index + 1) + ", only " +
                    std::to_string(reader.page_count()));
  }
  const PlatePageInfo& info = reader.page(page_index);
  Plate plate{
      info.page, info.compression, info.software, info.description, reader.file_bytes(), {}};
  plate.bits.resize(row_bytes_of(info.page) * info.page.height_px);
  const BitBand all = rows_of(info.page, plate.bits.data(), info.page.height_px);
  for (uint32_t s = 0; s < strip_count(info.page); ++s) {
    reader.read_strip(
        page_index, s, all.slice(s * info.page.rows_per_strip, strip_rows(info.page, s)));
  }
  return plate;
}

}  // namespace mezzo::tiff
