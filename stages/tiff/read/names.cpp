#include "stages/tiff/read/names.h"

#include <algorithm>
#include <array>
#include <span>

namespace mezzo::tiff {
namespace {

struct NamedValue {
  uint64_t value;
  std::string_view name;
};

constexpr std::array kKnownCompressions = std::to_array<NamedValue>({
    {COMPRESSION_NONE, "uncompressed"},
    {COMPRESSION_CCITTRLE, "CCITT RLE"},
    {COMPRESSION_CCITTFAX3, "G3"},
    {COMPRESSION_CCITTFAX4, "G4"},
    {COMPRESSION_LZW, "LZW"},
    {COMPRESSION_JPEG, "JPEG"},
    {COMPRESSION_ADOBE_DEFLATE, "Deflate"},
    {COMPRESSION_DEFLATE, "Deflate"},
    {COMPRESSION_PACKBITS, "PackBits"},
    {COMPRESSION_ZSTD, "ZSTD"},
});

constexpr std::array kOtherCompressions = std::to_array<NamedValue>({
    {COMPRESSION_OJPEG, "old-style JPEG"},
    {9, "JBIG (T.85)"},
    {10, "JBIG (T.43)"},
    {COMPRESSION_NEXT, "NeXT"},
    {COMPRESSION_CCITTRLEW, "CCITT RLE/W"},
    {COMPRESSION_THUNDERSCAN, "ThunderScan"},
    {COMPRESSION_IT8CTPAD, "IT8 CT"},
    {COMPRESSION_IT8LW, "IT8 LW"},
    {COMPRESSION_IT8MP, "IT8 MP"},
    {COMPRESSION_IT8BL, "IT8 BL"},
    {COMPRESSION_PIXARFILM, "PixarFilm"},
    {COMPRESSION_PIXARLOG, "PixarLog"},
    {COMPRESSION_DCS, "DCS"},
    {COMPRESSION_JBIG, "JBIG"},
    {COMPRESSION_SGILOG, "SGILog"},
    {COMPRESSION_SGILOG24, "SGILog24"},
    {COMPRESSION_JP2000, "JPEG 2000"},
    {COMPRESSION_LERC, "LERC"},
    {COMPRESSION_LZMA, "LZMA"},
    {COMPRESSION_WEBP, "WebP"},
    {COMPRESSION_JXL, "JPEG XL"},
});

constexpr std::array kPhotometrics = std::to_array<NamedValue>({
    {PHOTOMETRIC_MINISWHITE, "MinIsWhite"},
    {PHOTOMETRIC_MINISBLACK, "MinIsBlack"},
    {PHOTOMETRIC_RGB, "RGB"},
    {PHOTOMETRIC_PALETTE, "palette"},
    {PHOTOMETRIC_MASK, "transparency mask"},
    {PHOTOMETRIC_SEPARATED, "separated"},
    {PHOTOMETRIC_YCBCR, "YCbCr"},
    {PHOTOMETRIC_CIELAB, "CIELab"},
    {PHOTOMETRIC_ICCLAB, "ICCLab"},
    {PHOTOMETRIC_ITULAB, "ITULab"},
    {PHOTOMETRIC_CFA, "colour filter array"},
    {PHOTOMETRIC_LOGL, "LogL"},
    {PHOTOMETRIC_LOGLUV, "LogLuv"},
    {34892, "linear raw"},
});

constexpr std::array kSampleFormats = std::to_array<NamedValue>({
    {SAMPLEFORMAT_UINT, "unsigned integers"},
    {SAMPLEFORMAT_INT, "signed integers"},
    {SAMPLEFORMAT_IEEEFP, "floating point"},
    {SAMPLEFORMAT_VOID, "untyped"},
    {SAMPLEFORMAT_COMPLEXINT, "complex integers"},
    {SAMPLEFORMAT_COMPLEXIEEEFP, "complex floating point"},
});

std::string_view name_of(std::span<const NamedValue> names, uint64_t value) {
  for (const NamedValue& entry : names) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

std::string_view name_or_unknown(std::span<const NamedValue> names, uint64_t value) {
  const std::string_view name = name_of(names, value);
  return name.empty() ? "unknown" : name;
}

std::string meaning_name(const PageLayout& layout) {
  switch (layout.meaning) {
    case Meaning::kGrey:
      return layout.max_is_ink ? "grey (0 is white)" : "grey";
    case Meaning::kPalette:
      return "palette";
    case Meaning::kRgb:
      return layout.jpeg_ycbcr ? "YCbCr" : "RGB";
    case Meaning::kLab:
      return "CIELAB";
    case Meaning::kInks:
      break;
  }
  return std::to_string(layout.colours) + (layout.colours == 1 ? " ink" : " inks");
}

}  // namespace

std::string_view compression_name(uint64_t compression) {
  const std::string_view name = name_of(kKnownCompressions, compression);
  return name.empty() ? name_or_unknown(kOtherCompressions, compression) : name;
}

bool is_compression_supported(uint64_t compression) {
  return !name_of(kKnownCompressions, compression).empty();
}

std::string_view photometric_name(uint32_t photometric) {
  return name_or_unknown(kPhotometrics, photometric);
}

std::string_view sample_format_name(uint32_t sample_format) {
  return name_or_unknown(kSampleFormats, sample_format);
}

std::string one_line(std::string_view text) {
  std::string line(text.substr(0, 255));
  std::replace_if(
      line.begin(),
      line.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; },
      ' ');
  return line;
}

std::string describe_format(const PageLayout& layout) {
  std::string text = std::to_string(layout.bits) + "-bit " + meaning_name(layout);
  if (layout.alpha != Alpha::kNone) text += " with alpha";
  text += ", " + std::string(compression_name(layout.compression)) + ", ";
  if (layout.tiled) {
    text +=
        std::to_string(layout.block_width_px) + "x" + std::to_string(layout.block_rows) + " tiles";
  } else if (layout.blocks_down == 1) {
    text += "one strip";
  } else {
    text += std::to_string(layout.block_rows) + "-row strips";
  }
  if (layout.separate && layout.samples > 1) text += ", separate planes";
  return text;
}

std::string block_name(const PageLayout& layout, uint32_t index) {
  const uint32_t in_sample = index % layout.blocks_per_sample();
  const uint32_t column = in_sample % layout.blocks_across;
  const uint32_t row = in_sample / layout.blocks_across;
  const auto range = [](uint32_t first, uint32_t size, uint32_t end) {
    return std::to_string(first) + ".." + std::to_string(std::min(first + size, end) - 1);
  };
  const std::string rows =
      "rows " + range(row * layout.block_rows, layout.block_rows, layout.height_px);
  if (!layout.tiled) return "strip " + std::to_string(index) + " (" + rows + ")";
  return "tile " + std::to_string(index) + " (columns " +
         range(column * layout.block_width_px, layout.block_width_px, layout.width_px) + ", " +
         rows + ")";
}

}  // namespace mezzo::tiff
