#include "stages/tiff/read/directory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <span>
#include <string_view>
#include <utility>

#include "kernels/base/bytes_text.h"
#include "kernels/base/error.h"
#include "stages/ink_names.h"
#include "stages/tiff/damaged.h"
#include "stages/tiff/read/inks.h"
#include "stages/tiff/read/luma.h"
#include "stages/tiff/read/names.h"
#include "stages/tiff/read/placement.h"

namespace mezzo::tiff {
namespace {

constexpr std::string_view kFewerPixels = "export the page with fewer pixels";
constexpr std::string_view kEightOrSixteen = "export the page with 8 or 16 bits per sample";

constexpr uint32_t kMaxExtraSamples = 8;
constexpr uint64_t kMostProfileBytes = 16ULL << 20;

constexpr std::string_view kRgbBecomesGrey = "RGB becomes grey by Rec. 709 luma";
constexpr std::string_view kLabBecomesGrey = "CIELAB becomes grey by its lightness";
constexpr std::string_view kPaletteBecomesGrey =
    "palette colours become 16-bit grey by Rec. 709 luma";

std::string quoted_value(uint64_t value, std::string_view name) {
  return std::to_string(value) + " (" + std::string(name) + ")";
}

/// Reads and checks the tags of one page, in an order in which each check may rely on those before.
class Describer : PageCheck {
 public:
  Describer(const Tags& tags, const InputLimits& limits, const PagePlace& place)
      : PageCheck(place.text()), tags_(tags), limits_(limits) {}

  PageDescription run();

 private:
  void check_kind() const;
  void read_size();
  void read_samples();
  void read_compression();
  void read_sample_count();
  uint32_t read_same_for_all(uint16_t tag, uint32_t otherwise) const;
  bool read_one_of_two(uint16_t tag) const;
  void read_blocks();
  void read_meaning();
  void read_channels();
  void check_required() const;
  void note_grey();
  void read_palette();
  void read_codec();
  void read_predictor();
  void read_resolution();
  void finish();
  void note_broken_tags();
  void show_to_decoders();

  const Tags& tags_;
  const InputLimits& limits_;
  PageLayout layout_;
  PageInfo info_;
  uint32_t photometric_ = 0;
  std::vector<ShownNumber> codec_numbers_;  ///< for the decoder of this compression alone
};

PageDescription Describer::run() {
  check_kind();
  read_size();
  read_samples();
  read_blocks();
  read_meaning();
  read_channels();
  read_codec();
  read_resolution();
  finish();
  show_to_decoders();
  std::optional<std::string> description;
  try {
    description = one_line(tags_.text(TIFFTAG_IMAGEDESCRIPTION));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kData) throw;
  }
  return {std::move(info_), std::move(layout_), std::move(description)};
}

/// A directory that cannot say whether it is a page is none.
void Describer::check_kind() const {
  if (!tags_.number(TIFFTAG_SUBFILETYPE)) (void)tags_.number(TIFFTAG_OSUBFILETYPE);
}

void Describer::read_size() {
  const auto side = [&](uint16_t tag) {
    const std::optional<uint64_t> value = tags_.number(tag);
    if (!value) fail(ErrorKind::kData, "tag " + tag_name(tag) + " is missing");
    if (*value == 0) fail(ErrorKind::kData, "tag " + tag_name(tag) + " is 0");
    if (*value > limits_.max_side_px) {
      fail(ErrorKind::kLimit,
           fmt::format(
               "tag {} is {} pixels, the limit is {}", tag_name(tag), *value, limits_.max_side_px),
           kFewerPixels);
    }
    return static_cast<uint32_t>(*value);
  };
  layout_.width_px = side(TIFFTAG_IMAGEWIDTH);
  layout_.height_px = side(TIFFTAG_IMAGELENGTH);
  const uint64_t pixels = uint64_t{layout_.width_px} * layout_.height_px;
  if (pixels > limits_.max_pixels) {
    fail(ErrorKind::kLimit,
         fmt::format("the page has {} pixels ({} x {}), the limit is {}",
                     pixels,
                     layout_.width_px,
                     layout_.height_px,
                     limits_.max_pixels),
         kFewerPixels);
  }
  const uint64_t depth = tags_.number_or(TIFFTAG_IMAGEDEPTH, 1);
  if (depth > 1) {
    fail(ErrorKind::kUnsupported,
         "tag ImageDepth is " + std::to_string(depth) + "; only flat pages are supported",
         "flatten the page");
  }
  // Some writers say 0 where they know of no orientation.
  const uint64_t orientation = std::max<uint64_t>(1, tags_.number_or(TIFFTAG_ORIENTATION, 1));
  if (orientation > 8) {
    fail(ErrorKind::kData,
         "tag Orientation is " + std::to_string(orientation) + ", expected 1 .. 8");
  }
  layout_.orientation = static_cast<uint32_t>(orientation);
}

void Describer::read_compression() {
  const uint64_t compression = tags_.number_or(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  if (!is_compression_supported(compression)) {
    fail(ErrorKind::kUnsupported,
         "compression " + quoted_value(compression, compression_name(compression)) +
             " is not supported; expected none, PackBits, LZW, Deflate, CCITT, JPEG or ZSTD",
         kOtherCompression);
  }
  layout_.compression = static_cast<uint16_t>(compression);
}

void Describer::read_sample_count() {
  const uint32_t most = limits_.max_inks + kMaxExtraSamples;
  const uint64_t samples = tags_.number_or(TIFFTAG_SAMPLESPERPIXEL, 1);
  if (samples == 0) fail(ErrorKind::kData, "tag SamplesPerPixel is 0");
  if (samples > most) {
    fail(ErrorKind::kLimit,
         "tag SamplesPerPixel is " + std::to_string(samples) + ", the limit is " +
             std::to_string(most));
  }
  layout_.samples = static_cast<uint32_t>(samples);
}

/// A tag with a value for each sample, or one for all.
uint32_t Describer::read_same_for_all(uint16_t tag, uint32_t otherwise) const {
  constexpr uint64_t kMostSamples = 1'024;
  const std::vector<uint64_t> values = tags_.numbers(tag, kMostSamples);
  if (values.empty()) return otherwise;
  if (values.size() != 1 && values.size() < layout_.samples) {
    fail(ErrorKind::kData,
         fmt::format(
             "tag {} has {} values, expected {}", tag_name(tag), values.size(), layout_.samples));
  }
  const auto first = std::span(values).first(std::min<size_t>(values.size(), layout_.samples));
  if (std::ranges::any_of(first, [&](uint64_t value) { return value != values[0]; })) {
    fail(ErrorKind::kUnsupported,
         "samples that differ in their bits or format are not supported: tag " + tag_name(tag) +
             " is " + fmt::format("{}", fmt::join(first, ", ")),
         kEightOrSixteen);
  }
  return static_cast<uint32_t>(std::min<uint64_t>(values[0], 0xFFFF));
}

/// Whether a tag that is 1 or 2 is 2; without it, it is 1.
bool Describer::read_one_of_two(uint16_t tag) const {
  const uint64_t value = tags_.number_or(tag, 1);
  if (value != 1 && value != 2) {
    fail(ErrorKind::kData, fmt::format("tag {} is {}, expected 1 or 2", tag_name(tag), value));
  }
  return value == 2;
}

void Describer::read_samples() {
  read_compression();
  read_sample_count();
  const uint32_t format = read_same_for_all(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
  if (format != SAMPLEFORMAT_UINT && format != SAMPLEFORMAT_VOID) {
    fail(ErrorKind::kUnsupported,
         "sample format " + quoted_value(format, sample_format_name(format)) +
             " is not supported; expected unsigned integers",
         kEightOrSixteen);
  }
  layout_.bits = read_same_for_all(TIFFTAG_BITSPERSAMPLE, 1);
  constexpr std::array<uint32_t, 6> kBits = {1, 2, 4, 8, 12, 16};
  if (std::find(kBits.begin(), kBits.end(), layout_.bits) == kBits.end()) {
    fail(ErrorKind::kUnsupported,
         std::to_string(layout_.bits) +
             " bits per sample are not supported; expected 1, 2, 4, 8, 12 or 16",
         kEightOrSixteen);
  }
  layout_.separate = read_one_of_two(TIFFTAG_PLANARCONFIG) && layout_.samples > 1;
  layout_.reversed_bits = read_one_of_two(TIFFTAG_FILLORDER);
  layout_.other_byte_order =
      tags_.format().is_big_endian != (std::endian::native == std::endian::big);
}

void Describer::read_blocks() {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  const auto side = [&](uint16_t tag, uint64_t otherwise) {
    return static_cast<uint32_t>(std::min(kMost, tags_.number_or(tag, otherwise)));
  };
  layout_.tiled = tags_.has(TIFFTAG_TILEWIDTH) || tags_.has(TIFFTAG_TILELENGTH);
  uint64_t rows = 0;
  if (layout_.tiled) {
    layout_.block_width_px = side(TIFFTAG_TILEWIDTH, 0);
    rows = layout_.stored_rows = side(TIFFTAG_TILELENGTH, 0);
  } else {
    layout_.block_width_px = layout_.width_px;
    layout_.stored_rows = side(TIFFTAG_ROWSPERSTRIP, kMost);
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
  const std::optional<uint64_t> found = tags_.number(TIFFTAG_PHOTOMETRIC);
  if (!found) fail(ErrorKind::kData, "tag PhotometricInterpretation is missing");
  const auto photometric = static_cast<uint32_t>(std::min<uint64_t>(*found, 0xFFFF'FFFF));
  photometric_ = photometric;
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
                 quoted_value(layout_.compression, compression_name(layout_.compression)),
             "export the page in RGB");
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
                 " bits per sample is not supported; expected 8 or 16",
             kEightOrSixteen);
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
               "JPEG",
           "export the page in grey, RGB or CMYK");
  }
}

/// The inks of the page, and its samples behind the colours.
void Describer::read_channels() {
  check_required();
  note_grey();
  read_extra_samples(tags_, limits_, where_, layout_, info_);
  if (layout_.meaning == Meaning::kPalette) read_palette();
  if (layout_.meaning == Meaning::kInks) {
    read_inks(tags_, where_, read_one_of_two(TIFFTAG_INKSET), layout_, info_);
  } else {
    info_.inks = {"black"};
  }
}

void Describer::note_grey() {
  if (layout_.meaning != Meaning::kRgb && layout_.meaning != Meaning::kLab) return;
  info_.becomes_grey = true;
  info_.notes.emplace_back(layout_.meaning == Meaning::kRgb ? kRgbBecomesGrey : kLabBecomesGrey);
}

/// Tags whose defaults are those of a bilevel page, which this is not.
void Describer::check_required() const {
  const auto require = [&](uint16_t tag) {
    if (!tags_.has(tag)) fail(ErrorKind::kData, "tag " + tag_name(tag) + " is missing");
  };
  if (layout_.meaning == Meaning::kGrey) return;
  require(TIFFTAG_BITSPERSAMPLE);
  if (layout_.meaning != Meaning::kPalette) require(TIFFTAG_SAMPLESPERPIXEL);
}

void Describer::read_palette() {
  constexpr uint64_t kMostValues = 4 * 65'536;
  const size_t size = size_t{1} << layout_.bits;
  const std::vector<uint64_t> map = tags_.numbers(TIFFTAG_COLORMAP, kMostValues);
  if (map.empty()) fail(ErrorKind::kData, "tag ColorMap is missing, which a palette page needs");
  if (map.size() < 3 * size) {
    fail(ErrorKind::kData,
         fmt::format("tag ColorMap has {} values, expected {} for {} bits per sample",
                     map.size(),
                     3 * size,
                     layout_.bits));
  }
  const auto all = std::span(map);
  const auto red = all.first(size), green = all.subspan(size, size),
             blue = all.subspan(2 * size, size);
  const uint64_t largest = std::ranges::max(all.first(3 * size));
  if (largest > 0xFFFF) {
    fail(ErrorKind::kData,
         fmt::format("tag ColorMap has the value {}, expected at most 65535", largest));
  }
  // Some writers fill the map with 8-bit values; 257 makes 255 full scale.
  const uint32_t scale = largest < 256 ? 257 : 1;
  layout_.grey_of.resize(size);
  layout_.colour_of.resize(size);
  for (size_t i = 0; i < size; ++i) {
    info_.becomes_grey = info_.becomes_grey || red[i] != green[i] || green[i] != blue[i];
    layout_.colour_of[i] = {static_cast<uint16_t>(red[i] * scale),
                            static_cast<uint16_t>(green[i] * scale),
                            static_cast<uint16_t>(blue[i] * scale)};
    const auto& [r, g, b] = layout_.colour_of[i];
    layout_.grey_of[i] = static_cast<uint16_t>(luma(r, g, b));
  }
  info_.notes.emplace_back(kPaletteBecomesGrey);
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
             " bits per sample is not supported; expected 8",
         kOtherCompression);
  }
  if (layout_.jpeg_ycbcr && (layout_.samples != 3 || layout_.separate)) {
    fail(ErrorKind::kUnsupported,
         "YCbCr in JPEG with " + std::to_string(layout_.samples) + " samples" +
             (layout_.separate ? " in separate planes" : "") +
             " is not supported; expected 3, contiguous",
         kOtherCompression);
  }
  if (!TIFFIsCODECConfigured(layout_.compression)) {
    fail(ErrorKind::kUnsupported,
         name + " compression is not part of the libtiff that is installed here",
         kOtherCompression);
  }
  read_predictor();
  const auto show = [&](uint16_t tag) {
    const uint64_t value = tags_.number_or(tag, 0);
    if (value > 0xFFFF) fail(ErrorKind::kData, fmt::format("tag {} is {}", tag_name(tag), value));
    codec_numbers_.push_back({tag, static_cast<uint32_t>(value)});
  };
  if (layout_.compression == COMPRESSION_CCITTFAX3) show(TIFFTAG_GROUP3OPTIONS);
  if (layout_.compression == COMPRESSION_CCITTFAX4) show(TIFFTAG_GROUP4OPTIONS);
  if (layout_.compression == COMPRESSION_JPEG) (void)tags_.byte_count(TIFFTAG_JPEGTABLES);
  if (layout_.jpeg_ycbcr) (void)tags_.numbers(TIFFTAG_YCBCRSUBSAMPLING, 2);
}

void Describer::read_predictor() {
  if (layout_.compression != COMPRESSION_LZW && !layout_.is_deflate() &&
      layout_.compression != COMPRESSION_ZSTD) {
    return;
  }
  const uint64_t predictor = tags_.number_or(TIFFTAG_PREDICTOR, PREDICTOR_NONE);
  layout_.horizontal_predictor = predictor == PREDICTOR_HORIZONTAL;
  if (predictor != PREDICTOR_NONE &&
      !(layout_.horizontal_predictor && (layout_.bits == 8 || layout_.bits == 16))) {
    fail(ErrorKind::kUnsupported,
         "predictor " + std::to_string(predictor) + " with " + std::to_string(layout_.bits) +
             " bits per sample is not supported",
         "save the page without a predictor, or with another compression");
  }
  codec_numbers_.push_back({TIFFTAG_PREDICTOR, static_cast<uint32_t>(predictor)});
}

void Describer::read_resolution() {
  const double along = static_cast<double>(tags_.fraction(TIFFTAG_XRESOLUTION).value_or(0));
  const double down = static_cast<double>(tags_.fraction(TIFFTAG_YRESOLUTION).value_or(0));
  if (!tags_.has(TIFFTAG_XRESOLUTION) && !tags_.has(TIFFTAG_YRESOLUTION)) return;
  uint64_t unit = tags_.number_or(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  if (unit == 0) unit = RESUNIT_INCH;  // as some writers have it that leave it to the default
  if (unit > RESUNIT_CENTIMETER) {
    fail(ErrorKind::kData, fmt::format("tag ResolutionUnit is {}, expected 1 .. 3", unit));
  }
  if (unit == RESUNIT_NONE) return;
  const double scale = unit == RESUNIT_CENTIMETER ? 2.54 : 1;
  const auto is_plausible = [](double dpi) { return dpi >= 10 && dpi <= 10'000; };
  const double x = along * scale, y = down * scale;
  if (is_plausible(x) && is_plausible(y)) info_.resolution = {x, y};
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
  const uint64_t profile_bytes = tags_.byte_count(TIFFTAG_ICCPROFILE);
  if (profile_bytes > kMostProfileBytes) {
    fail(ErrorKind::kLimit,
         fmt::format(
             "its ICC profile has {} bytes, the limit is {}", profile_bytes, kMostProfileBytes),
         "save the page without it, or with another one");
  }
  info_.has_profile = profile_bytes > 0;
  info_.polarity = layout_.max_is_ink ? Polarity::kMaxIsInk : Polarity::kMaxIsPaper;
  info_.orientation = layout_.orientation;
  info_.document_name = one_line(tags_.text_if_readable(TIFFTAG_DOCUMENTNAME));
  const std::string software = tags_.text_if_readable(TIFFTAG_SOFTWARE);
  info_.is_plate = layout_.bits == 1 && software.starts_with("mezzotint ");
  info_.format = describe_format(layout_);
  note_broken_tags();
}

void Describer::note_broken_tags() {
  std::vector<std::string> names;
  for (const uint16_t tag : tags_.broken()) names.push_back(tag_name(tag));
  if (names.empty()) return;
  info_.notes.push_back(
      fmt::format("tags that cannot be read, and are not needed: {}", fmt::join(names, ", ")));
}

/// Decoders see what was read here, and nothing else.
void Describer::show_to_decoders() {
  const uint32_t planes = layout_.separate ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG;
  const uint32_t fill = layout_.reversed_bits ? FILLORDER_LSB2MSB : FILLORDER_MSB2LSB;
  std::vector<ShownNumber> numbers = {{TIFFTAG_IMAGEWIDTH, layout_.width_px},
                                      {TIFFTAG_IMAGELENGTH, layout_.height_px},
                                      {TIFFTAG_BITSPERSAMPLE, layout_.bits},
                                      {TIFFTAG_COMPRESSION, layout_.compression},
                                      {TIFFTAG_PHOTOMETRIC, photometric_},
                                      {TIFFTAG_FILLORDER, fill},
                                      {TIFFTAG_SAMPLESPERPIXEL, layout_.samples},
                                      {TIFFTAG_PLANARCONFIG, planes},
                                      {TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT}};
  if (layout_.tiled) {
    numbers.push_back({TIFFTAG_TILEWIDTH, layout_.block_width_px});
    numbers.push_back({TIFFTAG_TILELENGTH, layout_.stored_rows});
  } else {
    numbers.push_back({TIFFTAG_ROWSPERSTRIP, layout_.stored_rows});
  }
  numbers.insert(numbers.end(), codec_numbers_.begin(), codec_numbers_.end());
  const BlockTags blocks = block_tags(tags_, layout_.tiled);
  std::vector<uint16_t> tables = {blocks.offsets, blocks.sizes};
  if (layout_.meaning == Meaning::kPalette) tables.push_back(TIFFTAG_COLORMAP);
  if (layout_.compression == COMPRESSION_JPEG) tables.push_back(TIFFTAG_JPEGTABLES);
  if (layout_.jpeg_ycbcr) tables.push_back(TIFFTAG_YCBCRSUBSAMPLING);
  layout_.directory = LeanDirectory(tags_, std::move(numbers), tables);
}

}  // namespace

PageDescription describe_page(const Tags& tags, const InputLimits& limits, const PagePlace& place) {
  return Describer(tags, limits, place).run();
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
