#include "stages/tiff/read/directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "kernels/base/bytes_text.h"
#include "kernels/base/error.h"
#include "stages/ink_names.h"
#include "stages/tiff/read/luma.h"
#include "stages/tiff/read/names.h"
#include "stages/tiff/read/photoshop.h"

namespace mezzo::tiff {
namespace {

constexpr uint32_t kMaxExtraSamples = 8;

std::string note_on_extra_channels(uint64_t count) {
  return std::to_string(count) + " extra channel" + (count > 1 ? "s" : "") + " ignored";
}

constexpr std::string_view kRgbBecomesGrey = "RGB becomes grey by Rec. 709 luma";
constexpr std::string_view kLabBecomesGrey = "CIELAB becomes grey by its lightness";
constexpr std::string_view kPaletteBecomesGrey =
    "palette colours become 16-bit grey by Rec. 709 luma";

std::string quoted_value(uint64_t value, std::string_view name) {
  return std::to_string(value) + " (" + std::string(name) + ")";
}

/// Reads and checks the tags of one page, in an order in which each check may rely on those before.
class Describer {
 public:
  Describer(Handle& handle,
            const RawDirectory& directory,
            const InputLimits& limits,
            const PagePlace& place)
      : handle_(handle), directory_(directory), limits_(limits), where_(place.text()) {}

  PageDescription run();

 private:
  void check_before_libtiff() const;
  void check_sides(uint64_t width, uint64_t height) const;
  void check_samples(uint64_t samples) const;
  void check_compression(uint64_t compression) const;
  void select();
  void read_size();
  void read_samples();
  void read_blocks();
  void read_meaning();
  void read_extra_samples();
  void read_photoshop_channels();
  void read_palette();
  void read_dot_range();
  void read_inks();
  void read_codec();
  void check_single_strip() const;
  void read_resolution();
  void finish();

  [[noreturn]] void fail(ErrorKind kind, const std::string& why) const {
    throw Error(kind, where_ + ": " + why);
  }
  template <typename T>
  T value_or(uint32_t tag, T fallback) const {
    T value{};
    return TIFFGetField(handle_.get(), tag, &value) == 1 ? value : fallback;
  }
  template <typename T>
  T defaulted(uint32_t tag) const {
    T value{};
    TIFFGetFieldDefaulted(handle_.get(), tag, &value);
    return value;
  }

  Handle& handle_;
  const RawDirectory& directory_;
  const InputLimits& limits_;
  const std::string where_;
  PageLayout layout_;
  PageInfo info_;
  std::string description_;
};

PageDescription Describer::run() {
  check_before_libtiff();
  select();
  read_size();
  read_samples();
  read_blocks();
  read_meaning();
  read_codec();
  check_single_strip();
  read_resolution();
  finish();
  if (handle_.messages().errors() > 0) {
    handle_.fail(ErrorKind::kData, where_, "the tags cannot be read");
  }
  return {std::move(info_), std::move(layout_), std::move(description_)};
}

/// Checked before libtiff interprets the tags.
void Describer::check_before_libtiff() const {
  if (!directory_.width || !directory_.height) {
    fail(ErrorKind::kData,
         std::string("tag ") + (directory_.width ? "ImageLength" : "ImageWidth") +
             " is missing, or is not one number");
  }
  check_compression(directory_.compression.value_or(COMPRESSION_NONE));
  check_sides(*directory_.width, *directory_.height);
  check_samples(directory_.samples.value_or(1));
  if (directory_.profile_bytes > kMostProfileTagBytes) {
    fail(ErrorKind::kLimit,
         "its ICC profile has " + std::to_string(directory_.profile_bytes) +
             " bytes, the limit is " + std::to_string(kMostProfileTagBytes) +
             "; save the page without it, or with another one");
  }
}

void Describer::check_sides(uint64_t width, uint64_t height) const {
  const auto check = [&](const char* tag, uint64_t side) {
    if (side == 0) fail(ErrorKind::kData, std::string("tag ") + tag + " is 0");
    if (side > limits_.max_side_px) {
      fail(ErrorKind::kLimit,
           std::string("tag ") + tag + " is " + std::to_string(side) + " pixels, the limit is " +
               std::to_string(limits_.max_side_px));
    }
  };
  check("ImageWidth", width);
  check("ImageLength", height);
  if (width * height > limits_.max_pixels) {
    fail(ErrorKind::kLimit,
         "the page has " + std::to_string(width * height) + " pixels (" + std::to_string(width) +
             " x " + std::to_string(height) + "), the limit is " +
             std::to_string(limits_.max_pixels));
  }
}

void Describer::check_samples(uint64_t samples) const {
  const uint32_t most = limits_.max_inks + kMaxExtraSamples;
  if (samples == 0) fail(ErrorKind::kData, "tag SamplesPerPixel is 0");
  if (samples > most) {
    fail(ErrorKind::kLimit,
         "tag SamplesPerPixel is " + std::to_string(samples) + ", the limit is " +
             std::to_string(most));
  }
}

void Describer::check_compression(uint64_t compression) const {
  if (is_compression_supported(compression)) return;
  fail(ErrorKind::kUnsupported,
       "compression " + quoted_value(compression, compression_name(compression)) +
           " is not supported; expected none, PackBits, LZW, Deflate, CCITT, JPEG or ZSTD");
}

void Describer::select() {
  if (handle_.select_directory(directory_.offset, TagUse::kDescription)) return;
  const std::string words = handle_.messages().summary();
  // The one complaint of libtiff that is about a valid file.
  if (words.find("different values per sample") != std::string::npos) {
    handle_.fail(ErrorKind::kUnsupported,
                 where_,
                 "samples that differ in their bits or format are not supported");
  }
  handle_.fail(ErrorKind::kData, where_, "the tags cannot be read");
}

void Describer::read_size() {
  layout_.directory_offset = TIFFCurrentDirOffset(handle_.get());
  layout_.width_px = value_or<uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
  layout_.height_px = value_or<uint32_t>(TIFFTAG_IMAGELENGTH, 0);
  check_sides(layout_.width_px, layout_.height_px);
  const auto depth = defaulted<uint32_t>(TIFFTAG_IMAGEDEPTH);
  if (depth > 1) {
    fail(ErrorKind::kUnsupported,
         "tag ImageDepth is " + std::to_string(depth) + "; only flat pages are supported");
  }
  layout_.orientation = std::max<uint32_t>(1, value_or<uint16_t>(TIFFTAG_ORIENTATION, 1));
  if (layout_.orientation > 8) {
    fail(ErrorKind::kData,
         "tag Orientation is " + std::to_string(layout_.orientation) + ", expected 1 .. 8");
  }
}

void Describer::read_samples() {
  layout_.compression = defaulted<uint16_t>(TIFFTAG_COMPRESSION);
  check_compression(layout_.compression);
  layout_.samples = defaulted<uint16_t>(TIFFTAG_SAMPLESPERPIXEL);
  check_samples(layout_.samples);
  const auto format = defaulted<uint16_t>(TIFFTAG_SAMPLEFORMAT);
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) {
    fail(ErrorKind::kUnsupported,
         "sample format " + quoted_value(format, sample_format_name(format)) +
             " is not supported; expected unsigned integers");
  }
  layout_.bits = defaulted<uint16_t>(TIFFTAG_BITSPERSAMPLE);
  constexpr std::array<uint32_t, 6> kBits = {1, 2, 4, 8, 12, 16};
  if (std::find(kBits.begin(), kBits.end(), layout_.bits) == kBits.end()) {
    fail(ErrorKind::kUnsupported,
         std::to_string(layout_.bits) +
             " bits per sample are not supported; expected 1, 2, 4, 8, 12 or 16");
  }
  layout_.separate =
      defaulted<uint16_t>(TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE && layout_.samples > 1;
  layout_.reversed_bits = defaulted<uint16_t>(TIFFTAG_FILLORDER) == FILLORDER_LSB2MSB;
  layout_.other_byte_order = TIFFIsByteSwapped(handle_.get()) != 0;
}

void Describer::read_blocks() {
  TIFF* tiff = handle_.get();
  layout_.tiled = TIFFIsTiled(tiff) != 0;
  uint64_t rows = 0;
  if (layout_.tiled) {
    layout_.block_width_px = value_or<uint32_t>(TIFFTAG_TILEWIDTH, 0);
    rows = layout_.stored_rows = value_or<uint32_t>(TIFFTAG_TILELENGTH, 0);
  } else {
    layout_.block_width_px = layout_.width_px;
    layout_.stored_rows = defaulted<uint32_t>(TIFFTAG_ROWSPERSTRIP);
    rows = std::min(layout_.stored_rows, layout_.height_px);
  }
  if (rows == 0 || layout_.block_width_px == 0) {
    fail(ErrorKind::kData,
         layout_.tiled ? "tag TileWidth or TileLength is 0" : "tag RowsPerStrip is 0");
  }
  if (std::max<uint64_t>(rows, layout_.block_width_px) > limits_.max_side_px) {
    fail(ErrorKind::kLimit,
         "the tiles are " + std::to_string(layout_.block_width_px) + "x" + std::to_string(rows) +
             " pixels, the limit of a side is " + std::to_string(limits_.max_side_px));
  }
  layout_.block_rows = static_cast<uint32_t>(rows);
  layout_.blocks_across = (layout_.width_px - 1) / layout_.block_width_px + 1;
  layout_.blocks_down = (layout_.height_px - 1) / layout_.block_rows + 1;
  const uint64_t count = uint64_t{layout_.blocks_across} * layout_.blocks_down *
                         (layout_.separate ? layout_.samples : 1);
  const std::string blocks = layout_.tiled ? " tiles" : " strips";
  if (count > limits_.max_strips) {
    fail(ErrorKind::kLimit,
         "the page has " + std::to_string(count) + blocks + ", the limit is " +
             std::to_string(limits_.max_strips));
  }
  // Uncompressed strips are read a few rows at a time, all else is decoded whole or held whole.
  const bool is_bounded = !layout_.tiled && layout_.compression == COMPRESSION_NONE;
  if (!is_bounded && layout_.block_bytes() > limits_.max_strip_bytes) {
    fail(ErrorKind::kLimit,
         std::string("a decoded ") + (layout_.tiled ? "tile" : "strip") + " has " +
             beyond_limit_text(layout_.block_bytes(), limits_.max_strip_bytes));
  }
}

void Describer::read_meaning() {
  uint16_t photometric = 0;
  if (TIFFGetField(handle_.get(), TIFFTAG_PHOTOMETRIC, &photometric) != 1) {
    fail(ErrorKind::kData, "tag PhotometricInterpretation is missing");
  }
  switch (photometric) {
    case PHOTOMETRIC_MINISWHITE:
    case PHOTOMETRIC_MINISBLACK:
      layout_.meaning = Meaning::kGrey;
      layout_.max_is_ink = photometric == PHOTOMETRIC_MINISWHITE;
      layout_.colours = 1;
      break;
    case PHOTOMETRIC_PALETTE:
      layout_.meaning = Meaning::kPalette;
      layout_.colours = 1;
      break;
    case PHOTOMETRIC_YCBCR:
      if (layout_.compression != COMPRESSION_JPEG) {
        fail(ErrorKind::kUnsupported,
             "photometric interpretation 6 (YCbCr) is supported with JPEG compression only, "
             "found compression " +
                 quoted_value(layout_.compression, compression_name(layout_.compression)));
      }
      layout_.jpeg_ycbcr = true;
      [[fallthrough]];
    case PHOTOMETRIC_RGB:
      layout_.meaning = Meaning::kRgb;
      layout_.colours = 3;
      break;
    case PHOTOMETRIC_CIELAB:
    case PHOTOMETRIC_ICCLAB:
      layout_.meaning = Meaning::kLab;
      layout_.colours = 3;
      layout_.signed_lab = photometric == PHOTOMETRIC_CIELAB;
      if (layout_.bits != 8 && layout_.bits != 16) {
        fail(ErrorKind::kUnsupported,
             "CIELAB with " + std::to_string(layout_.bits) +
                 " bits per sample is not supported; expected 8 or 16");
      }
      break;
    case PHOTOMETRIC_SEPARATED:
      layout_.meaning = Meaning::kInks;
      layout_.max_is_ink = true;
      break;
    default:
      fail(ErrorKind::kUnsupported,
           "photometric interpretation " +
               quoted_value(photometric, photometric_name(photometric)) +
               " is not supported; expected grey, palette, RGB, CIELAB, separated, or YCbCr in "
               "JPEG");
  }
  read_extra_samples();
  if (layout_.meaning == Meaning::kPalette) read_palette();
  if (layout_.meaning == Meaning::kInks) {
    read_inks();
  } else {
    info_.inks = {"black"};
  }
}

void Describer::read_extra_samples() {
  uint16_t found = 0;
  uint16_t* kinds = nullptr;
  if (TIFFGetField(handle_.get(), TIFFTAG_EXTRASAMPLES, &found, &kinds) != 1) found = 0;
  uint64_t count = found;
  if (layout_.meaning == Meaning::kInks) {
    // libtiff takes all inks beyond the fourth for extra samples; the file knows better.
    count = directory_.extra_samples;
    if (count < layout_.samples) layout_.colours = static_cast<uint32_t>(layout_.samples - count);
  }
  if (layout_.colours == 0 || layout_.colours + count != layout_.samples) {
    fail(ErrorKind::kData,
         "tag SamplesPerPixel is " + std::to_string(layout_.samples) + ", expected " +
             std::to_string(layout_.colours) + " colours and " + std::to_string(count) +
             " extra samples");
  }
  const uint32_t most = std::min(limits_.max_inks, PageLayout::kMaxUsedSamples - 1);
  if (layout_.colours > most) {
    fail(ErrorKind::kLimit,
         "the page has " + std::to_string(layout_.colours) + " inks, the limit is " +
             std::to_string(most));
  }
  uint64_t ignored = count;
  if (count > 0 && layout_.meaning != Meaning::kInks && kinds[0] != EXTRASAMPLE_UNSPECIFIED) {
    layout_.alpha = kinds[0] == EXTRASAMPLE_ASSOCALPHA ? Alpha::kAssociated : Alpha::kUnassociated;
    --ignored;
  }
  if (layout_.alpha == Alpha::kAssociated && layout_.meaning == Meaning::kPalette) {
    fail(ErrorKind::kUnsupported,
         "associated alpha with a palette is not supported: an index cannot be multiplied");
  }
  if (layout_.meaning == Meaning::kRgb) {
    info_.becomes_grey = true;
    info_.notes.emplace_back(kRgbBecomesGrey);
  }
  if (layout_.meaning == Meaning::kLab) {
    if (layout_.alpha != Alpha::kNone) {
      fail(ErrorKind::kUnsupported, "CIELAB with alpha is not supported");
    }
    info_.becomes_grey = true;
    info_.notes.emplace_back(kLabBecomesGrey);
  }
  if (layout_.alpha != Alpha::kNone) {
    info_.notes.push_back("transparent pixels are composited over paper");
  }
  info_.extra_channels = static_cast<uint32_t>(ignored);
  if (ignored == 0) return;
  info_.notes.push_back(note_on_extra_channels(ignored));
  if (layout_.meaning == Meaning::kInks) read_photoshop_channels();
}

void Describer::read_photoshop_channels() {
  uint32_t bytes = 0;
  const std::byte* resources = nullptr;
  if (TIFFGetField(handle_.get(), TIFFTAG_PHOTOSHOP, &bytes, &resources) != 1) bytes = 0;
  info_.extras = photoshop_channels({resources, bytes}, info_.extra_channels);
}

void Describer::read_palette() {
  uint16_t* red = nullptr;
  uint16_t* green = nullptr;
  uint16_t* blue = nullptr;
  if (TIFFGetField(handle_.get(), TIFFTAG_COLORMAP, &red, &green, &blue) != 1) {
    fail(ErrorKind::kData, "tag ColorMap is missing, which a palette page needs");
  }
  const size_t size = size_t{1} << layout_.bits;
  const auto is_8_bit = [&](const uint16_t* map) {
    return std::all_of(map, map + size, [](uint16_t value) { return value < 256; });
  };
  // Some writers fill the map with 8-bit values; 257 makes 255 full scale.
  const bool old_style = is_8_bit(red) && is_8_bit(green) && is_8_bit(blue);
  const uint32_t scale = old_style ? 257 : 1;
  layout_.grey_of.resize(size);
  layout_.colour_of.resize(size);
  for (size_t i = 0; i < size; ++i) {
    info_.becomes_grey = info_.becomes_grey || red[i] != green[i] || green[i] != blue[i];
    layout_.colour_of[i] = {static_cast<uint16_t>(red[i] * scale),
                            static_cast<uint16_t>(green[i] * scale),
                            static_cast<uint16_t>(blue[i] * scale)};
    layout_.grey_of[i] =
        static_cast<uint16_t>(luma(red[i] * scale, green[i] * scale, blue[i] * scale));
  }
  info_.notes.emplace_back(kPaletteBecomesGrey);
}

/// Samples for paper and for a solid, which are inside the range or fall in few files.
void Describer::read_dot_range() {
  const std::vector<uint64_t>& values = directory_.dot_range;
  if (values.empty()) return;
  if (values.size() != 2 && values.size() != 2 * uint64_t{layout_.samples}) {
    fail(ErrorKind::kData,
         fmt::format("tag DotRange has {} values, expected 2 or {}",
                     values.size(),
                     2 * uint64_t{layout_.samples}));
  }
  for (size_t i = 2; i < values.size(); ++i) {
    if (values[i] == values[i % 2]) continue;
    fail(ErrorKind::kUnsupported,
         fmt::format("tag DotRange has a range for each ink, and they differ ({}); save the page "
                     "with one range for all",
                     fmt::join(values, ", ")));
  }
  const auto first = static_cast<uint32_t>(values[0]), last = static_cast<uint32_t>(values[1]);
  const uint32_t most = (1U << layout_.bits) - 1;
  if (first == 0 && last >= most) return;
  const std::string range = std::to_string(first) + " .. " + std::to_string(last);
  if (first == 0 && last == 255 && layout_.bits > 8) {
    info_.notes.push_back("tag DotRange is " + range + ", as for 8 bits, and is taken for all of " +
                          std::to_string(layout_.bits));
    return;
  }
  if (first == last || first > most || last > most) {
    fail(ErrorKind::kData,
         "tag DotRange is " + range + ", which is no range of samples of " +
             std::to_string(layout_.bits) + " bits");
  }
  // Samples of fewer than 8 bits are handed out as 8 bits.
  const uint32_t scale = layout_.bits < 8 ? 255 / most : 1;
  info_.first_dot = first * scale;
  info_.last_dot = last * scale;
  info_.notes.push_back("paper and solid are samples " + range + " (tag DotRange)");
}

void Describer::read_inks() {
  TIFF* tiff = handle_.get();
  read_dot_range();
  if (value_or<uint16_t>(TIFFTAG_INKSET, INKSET_CMYK) == INKSET_CMYK && layout_.colours == 4) {
    info_.inks = {"cyan", "magenta", "yellow", "black"};
    return;
  }
  // InkNames holds NumberOfInks texts, each with its NUL; libtiff makes sure of that.
  std::vector<std::string> found;
  char* names = nullptr;
  if (TIFFGetField(tiff, TIFFTAG_INKNAMES, &names) == 1 && names != nullptr) {
    const auto count = value_or<uint16_t>(TIFFTAG_NUMBEROFINKS, 0);
    for (uint32_t i = 0; i < count && i < layout_.colours; ++i) {
      found.emplace_back(names);
      names += found.back().size() + 1;
    }
  }
  info_.inks = ink_names(found, layout_.colours);
}

/// Combinations that the codec cannot do, before it says so in the middle of a page.
void Describer::read_codec() {
  const std::string name(compression_name(layout_.compression));
  const bool fax = layout_.compression == COMPRESSION_CCITTRLE ||
                   layout_.compression == COMPRESSION_CCITTFAX3 ||
                   layout_.compression == COMPRESSION_CCITTFAX4;
  if (fax && (layout_.bits != 1 || layout_.samples_per_row_pixel() != 1)) {
    fail(ErrorKind::kData,
         name + " compression holds 1 sample of 1 bit, found " +
             std::to_string(layout_.samples_per_row_pixel()) + " of " +
             std::to_string(layout_.bits));
  }
  if (layout_.compression == COMPRESSION_JPEG && layout_.bits != 8) {
    fail(ErrorKind::kUnsupported,
         "JPEG compression with " + std::to_string(layout_.bits) +
             " bits per sample is not supported; expected 8");
  }
  if (layout_.jpeg_ycbcr && (layout_.samples != 3 || layout_.separate)) {
    fail(ErrorKind::kUnsupported,
         "YCbCr in JPEG with " + std::to_string(layout_.samples) + " samples" +
             (layout_.separate ? " in separate planes" : "") +
             " is not supported; expected 3, contiguous");
  }
  if (!TIFFIsCODECConfigured(layout_.compression)) {
    fail(ErrorKind::kUnsupported,
         name + " compression is not part of the libtiff that is installed here");
  }
  const auto predictor = layout_.compression == COMPRESSION_LZW || layout_.is_deflate() ||
                                 layout_.compression == COMPRESSION_ZSTD
                             ? value_or<uint16_t>(TIFFTAG_PREDICTOR, PREDICTOR_NONE)
                             : uint16_t{PREDICTOR_NONE};
  layout_.horizontal_predictor = predictor == PREDICTOR_HORIZONTAL;
  if (predictor != PREDICTOR_NONE &&
      !(layout_.horizontal_predictor && (layout_.bits == 8 || layout_.bits == 16))) {
    fail(ErrorKind::kUnsupported,
         "predictor " + std::to_string(predictor) + " with " + std::to_string(layout_.bits) +
             " bits per sample is not supported");
  }
}

/// libtiff corrects the size of a single strip that is too small.
void Describer::check_single_strip() const {
  const size_t expected = layout_.block_bytes();
  if (layout_.compression == COMPRESSION_NONE && !layout_.tiled && layout_.block_count() == 1 &&
      directory_.strip_bytes.value_or(expected) < expected) {
    fail(ErrorKind::kData,
         "tag StripByteCounts is " + std::to_string(*directory_.strip_bytes) + ", expected " +
             std::to_string(expected));
  }
}

void Describer::read_resolution() {
  const auto unit = defaulted<uint16_t>(TIFFTAG_RESOLUTIONUNIT);
  double scale = 0;
  if (unit == RESUNIT_INCH) scale = 1;
  if (unit == RESUNIT_CENTIMETER) scale = 2.54;
  const double x = static_cast<double>(value_or<float>(TIFFTAG_XRESOLUTION, 0)) * scale;
  const double y = static_cast<double>(value_or<float>(TIFFTAG_YRESOLUTION, 0)) * scale;
  const auto is_plausible = [](double dpi) { return dpi >= 10 && dpi <= 10'000; };
  if (!is_plausible(x) || !is_plausible(y)) return;
  info_.resolution = {x, y};
}

void Describer::finish() {
  const bool wide = layout_.meaning == Meaning::kPalette || layout_.bits > 8;
  layout_.bytes_per_sample = wide ? 2 : 1;
  layout_.max_sample = layout_.meaning == Meaning::kPalette ? 65535
                       : layout_.bits == 12                 ? 4095
                       : layout_.bits == 16                 ? 65535
                                                            : 255;
  layout_.planes = layout_.meaning == Meaning::kInks ? layout_.colours : 1;

  info_.width_px = layout_.width_px;
  info_.height_px = layout_.height_px;
  if (layout_.orientation >= 5) {
    std::swap(info_.width_px, info_.height_px);
    std::swap(info_.resolution.x_dpi, info_.resolution.y_dpi);
  }
  info_.max_sample = layout_.max_sample;
  info_.bytes_per_sample = layout_.bytes_per_sample;
  info_.model = layout_.meaning == Meaning::kInks  ? PageInfo::Model::kInks
                : layout_.meaning == Meaning::kLab ? PageInfo::Model::kLab
                : info_.becomes_grey               ? PageInfo::Model::kRgb
                                                   : PageInfo::Model::kGrey;
  uint32_t profile_bytes = 0;
  void* profile = nullptr;
  info_.has_profile =
      TIFFGetField(handle_.get(), TIFFTAG_ICCPROFILE, &profile_bytes, &profile) == 1 &&
      profile_bytes > 0;
  info_.polarity = layout_.max_is_ink ? Polarity::kMaxIsInk : Polarity::kMaxIsPaper;
  info_.orientation = layout_.orientation;
  char* name = nullptr;
  if (TIFFGetField(handle_.get(), TIFFTAG_DOCUMENTNAME, &name) == 1 && name != nullptr) {
    info_.document_name = one_line(name);
  }
  if (TIFFGetField(handle_.get(), TIFFTAG_IMAGEDESCRIPTION, &name) == 1 && name != nullptr) {
    description_ = one_line(name);
  }
  if (TIFFGetField(handle_.get(), TIFFTAG_SOFTWARE, &name) == 1 && name != nullptr) {
    info_.is_plate = layout_.bits == 1 && std::string_view(name).starts_with("mezzotint ");
  }
  info_.format = describe_format(layout_);
}

}  // namespace

PageDescription describe_page(Handle& handle,
                              const RawDirectory& directory,
                              const InputLimits& limits,
                              const PagePlace& place) {
  return Describer(handle, directory, limits, place).run();
}

std::vector<std::byte> read_profile(Handle& handle,
                                    const RawDirectory& directory,
                                    const PagePlace& place) {
  if (!handle.select_directory(directory.offset, TagUse::kDescription)) {
    handle.fail(ErrorKind::kData, place.text(), "the tags cannot be read");
  }
  uint32_t bytes = 0;
  void* profile = nullptr;
  if (TIFFGetField(handle.get(), TIFFTAG_ICCPROFILE, &bytes, &profile) != 1) return {};
  const auto* begin = static_cast<const std::byte*>(profile);
  return {begin, begin + bytes};
}

PageDescription in_colour(PageDescription page) {
  if (page.info.model != PageInfo::Model::kRgb && page.info.model != PageInfo::Model::kLab)
    return page;
  page.layout.in_colour = true;
  page.layout.planes = 3;
  page.info.becomes_grey = false;
  for (const auto note : {kRgbBecomesGrey, kLabBecomesGrey, kPaletteBecomesGrey}) {
    std::erase(page.info.notes, note);
  }
  page.info.inks = page.info.model == PageInfo::Model::kRgb
                       ? std::vector<std::string>{"red", "green", "blue"}
                       : std::vector<std::string>{"L*", "a*", "b*"};
  return page;
}

PageDescription with_spot_inks(PageDescription page,
                               Polarity largest,
                               const InputLimits& limits,
                               const PagePlace& place) {
  PageInfo& info = page.info;
  PageLayout& layout = page.layout;
  if (info.extras.empty()) return page;
  const uint32_t inks = layout.colours + info.extra_channels;
  if (inks > limits.max_inks) {
    throw Error(ErrorKind::kLimit,
                place.text() + ": the page has " + std::to_string(inks) +
                    " inks with its spot colours, the limit is " + std::to_string(limits.max_inks));
  }
  if (largest == Polarity::kMaxIsPaper) layout.first_light_ink = layout.colours;
  layout.colours = layout.planes = inks;
  std::erase(info.notes, note_on_extra_channels(info.extra_channels));
  for (const ExtraChannel& extra : info.extras) info.inks.push_back(extra.name);
  info.inks = ink_names(info.inks, inks);
  info.extras.clear();
  info.extra_channels = 0;
  info.format = describe_format(layout);
  return page;
}

}  // namespace mezzo::tiff
