#include "stages/proof/image_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>
#include <vector>

#include "stages/files/file_mark.h"
#include "stages/proof/flate_rows.h"
#include "stages/proof/growing_file.h"
#include "stages/tiff/plate/contone_writer.h"

namespace mezzo::proof {
namespace {

std::string big_endian(uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xFF);
  return bytes;
}

/// CRC of the bytes after others of CRC `before`. zlib takes no bytes for a question.
uLong sum_of(std::string_view bytes, uLong before) {
  if (bytes.empty()) return before;
  return crc32(
      before, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
}

/// PNG (ISO/IEC 15948), chunk by chunk.
class PngFile final : public ImageFile {
 public:
  PngFile(const std::string& path, const ImageSize& size, files::FileSystem& files)
      : output_(path, files), rows_(size.width_px, [this](std::span<const uint8_t> bytes) {
          put_chunk("IDAT", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        }) {
    output_.put("\x89PNG\r\n\x1a\n");
    constexpr std::string_view kRgbOf8Bits("\x08\x02\x00\x00\x00", 5);
    put_chunk("IHDR",
              big_endian(size.width_px) + big_endian(size.height_px) + std::string(kRgbOf8Bits));
    put_chunk("tEXt", std::string_view("Software\0mezzotint", 18));
    put_chunk("sRGB", std::string_view("\x01", 1));  // relative colorimetric
    const std::string per_metre = big_endian(static_cast<uint32_t>(std::lround(size.dpi / 0.0254)));
    put_chunk("pHYs", per_metre + per_metre + '\x01');
  }

  void add_row(const uint8_t* rgb) override { rows_.add_row(rgb); }
  void finish() override {
    rows_.finish();
    put_chunk("IEND", "");
    output_.publish();
  }
  uint64_t bytes() const override { return output_.size(); }

 private:
  void put_chunk(std::string_view type, std::string_view data) {
    const std::string head(type);
    output_.put(big_endian(static_cast<uint32_t>(data.size())) + head);
    output_.put(data);
    output_.put(big_endian(static_cast<uint32_t>(sum_of(data, sum_of(head, 0)))));
  }

  GrowingFile output_;
  FlateRows rows_;
};

/// PDF 1.4 (ISO 32000): a page of the size of its one image, whose colours are sRGB by its white
/// point, gamma and primaries.
class PdfFile final : public ImageFile {
 public:
  PdfFile(const std::string& path, const ImageSize& size, files::FileSystem& files)
      : output_(path, files),
        rows_(size.width_px, [this](std::span<const uint8_t> bytes) { output_.put(bytes); }) {
    const double width_pt = 72 * size.width_px / size.dpi;
    const double height_pt = 72 * size.height_px / size.dpi;
    output_.put("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n%mezzotint\n");
    put_object("<< /Type /Catalog /Pages 2 0 R >>");
    put_object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>");
    put_object(
        fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {:.4f} {:.4f}] "
                    "/Contents 4 0 R /Resources << /XObject << /Im 6 0 R >> >> >>",
                    width_pt,
                    height_pt));
    const std::string page =
        fmt::format("q {:.4f} 0 0 {:.4f} 0 0 cm /Im Do Q", width_pt, height_pt);
    put_object(fmt::format("<< /Length {} >>\nstream\n{}\nendstream", page.size(), page));
    put_object(
        "[/CalRGB << /WhitePoint [0.9505 1 1.089] /Gamma [2.2 2.2 2.2] /Matrix [0.4124 "
        "0.2126 0.0193 0.3576 0.7152 0.1192 0.1805 0.0722 0.9505] >>]");
    begin_object();
    output_.put(
        fmt::format("<< /Type /XObject /Subtype /Image /Width {0} /Height {1} "
                    "/ColorSpace 5 0 R /BitsPerComponent 8 /Filter /FlateDecode "
                    "/DecodeParms << /Predictor 15 /Colors 3 /Columns {0} >> /Length 7 0 R "
                    ">>\nstream\n",
                    size.width_px,
                    size.height_px));
    first_row_ = output_.size();
  }

  void add_row(const uint8_t* rgb) override { rows_.add_row(rgb); }
  void finish() override {
    rows_.finish();
    const uint64_t length = output_.size() - first_row_;
    output_.put("\nendstream\nendobj\n");
    put_object(std::to_string(length));
    const uint64_t table = output_.size();
    output_.put(fmt::format("xref\n0 {}\n0000000000 65535 f \n", offsets_.size() + 1));
    for (const uint64_t offset : offsets_) output_.put(fmt::format("{:010} 00000 n \n", offset));
    output_.put(fmt::format(
        "trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", offsets_.size() + 1, table));
    output_.publish();
  }
  uint64_t bytes() const override { return output_.size(); }

 private:
  void begin_object() {
    offsets_.push_back(output_.size());
    output_.put(fmt::format("{} 0 obj\n", offsets_.size()));
  }
  void put_object(const std::string& content) {
    begin_object();
    output_.put(content + "\nendobj\n");
  }

  GrowingFile output_;
  FlateRows rows_;
  std::vector<uint64_t> offsets_;
  uint64_t first_row_ = 0;
};

class TiffFile final : public ImageFile {
 public:
  TiffFile(const std::string& path, const ImageSize& size, files::FileSystem& files)
      : path_(path),
        files_(files),
        writer_(path,
                {.width_px = size.width_px,
                 .height_px = size.height_px,
                 .planes = 3,
                 .compression = tiff::Compression::kDeflate,
                 .dpi = size.dpi},
                files) {}

  void add_row(const uint8_t* rgb) override {
    writer_.write_rows(reinterpret_cast<const std::byte*>(rgb), 1);
  }
  void finish() override {
    writer_.finish();
    const auto mark = files::mark_of(files_, path_);
    if (mark) bytes_ = mark->bytes;
  }
  uint64_t bytes() const override { return bytes_; }

 private:
  const std::string path_;
  files::FileSystem& files_;
  tiff::ContoneWriter writer_;
  uint64_t bytes_ = 0;
};

}  // namespace

std::optional<ImageFormat> format_of_name(std::string_view path) {
  std::string suffix = std::filesystem::path(path).extension().string();
  for (char& c : suffix) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  if (suffix == ".tif") return ImageFormat::kTiff;
  for (const auto& [format, name] : kImageFormats) {
    if (suffix == "." + std::string(name)) return format;
  }
  return std::nullopt;
}

std::unique_ptr<ImageFile> ImageFile::create(const std::string& path,
                                             ImageFormat format,
                                             const ImageSize& size,
                                             files::FileSystem& files) {
  switch (format) {
    case ImageFormat::kPng:
      return std::make_unique<PngFile>(path, size, files);
    case ImageFormat::kTiff:
      return std::make_unique<TiffFile>(path, size, files);
    case ImageFormat::kPdf:
      break;
  }
  return std::make_unique<PdfFile>(path, size, files);
}

}  // namespace mezzo::proof
