#include "stages/tiff/plate/contone_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "kernels/base/error.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/plate/plate_output.h"
#include "stages/tiff/plate/tiff_writing.h"

namespace mezzo::tiff {
namespace {

bool has_tiles(const ContoneOptions& options) {
  return options.tile_width_px != 0;
}

uint16_t photometric(uint32_t planes) {
  switch (planes) {
    case 1:
      return PHOTOMETRIC_MINISBLACK;
    case 3:
      return PHOTOMETRIC_RGB;
    default:
      return PHOTOMETRIC_SEPARATED;
  }
}

/// Coded data may be larger than raw, by half at worst (LZW).
bool is_big(const ContoneOptions& options) {
  const uint64_t raw =
      uint64_t{options.width_px} * options.height_px * options.planes * (options.bits / 8);
  return needs_big_tiff(raw + raw / 2);
}

/// The file, which is to be read back.
files::PendingFile& verified(files::PendingFile& file) {
  file.verify_at_sync();
  return file;
}

}  // namespace

class ContoneWriter::Tiff {
 public:
  Tiff(const std::string& path, const ContoneOptions& options, files::FileSystem& files)
      : options_(options),
        sample_bytes_(options.bits / 8),
        row_bytes_(size_t{options.width_px} * options.planes * sample_bytes_),
        block_rows_(has_tiles(options) ? options.tile_height_px : options.rows_per_strip),
        file_(path, files::ExistingFile::kReplace, files),
        handle_(verified(file_), path, is_big(options) ? "wl8" : "wl", kMaxPlateAllocation) {
    MZ_ASSERT(options.bits == 8 || options.bits == 16);
    MZ_ASSERT(options.planes == 1 || options.planes == 3 || options.planes == 4);
    MZ_ASSERT(options.width_px > 0 && options.height_px > 0 && block_rows_ > 0);
    check("writing its header");
    if (handle_.get() == nullptr) throw files::file_error(path, "writing its header", EIO);
    set_tags();
    rows_.resize(row_bytes_ * block_rows_);
  }

  void write_rows(const std::byte* interleaved, uint32_t rows) {
    MZ_ASSERT(rows <= options_.height_px - first_row_ - held_rows_);
    while (rows > 0) {
      const uint32_t n = std::min(rows, block_rows_ - held_rows_);
      std::memcpy(rows_.data() + row_bytes_ * held_rows_, interleaved, row_bytes_ * n);
      interleaved += row_bytes_ * n;
      rows -= n;
      held_rows_ += n;
      if (held_rows_ == block_rows_ || first_row_ + held_rows_ == options_.height_px) flush_rows();
    }
  }

  void finish() {
    MZ_ASSERT(first_row_ == options_.height_px);
    const bool written = TIFFWriteDirectory(handle_.get()) == 1 && TIFFFlush(handle_.get()) == 1;
    check("completing it");
    if (!written) throw files::file_error(file_.path(), "completing it", EIO);
    handle_.close();
    check("completing it");
    file_.sync();
    file_.publish();
    file_.commit();
  }

 private:
  template <typename... Values>
  void set(uint32_t number, Values... values) {
    if (TIFFSetField(handle_.get(), number, values...) != 1) {
      throw Error(ErrorKind::kBug,
                  file_.path() + ": libtiff refuses tag " + std::to_string(number) + ": " +
                      handle_.messages().first_error());
    }
  }

  void set_tags() {
    set(TIFFTAG_IMAGEWIDTH, options_.width_px);
    set(TIFFTAG_IMAGELENGTH, options_.height_px);
    set(TIFFTAG_BITSPERSAMPLE, options_.bits);
    set(TIFFTAG_SAMPLESPERPIXEL, options_.planes);
    set(TIFFTAG_PHOTOMETRIC, photometric(options_.planes));
    set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    set(TIFFTAG_PLANARCONFIG, separate() ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
    if (options_.planes == 4) set(TIFFTAG_INKSET, INKSET_CMYK);
    if (!set_codec(handle_.get(), options_.compression)) check("setting its compression");
    if (has_tiles(options_)) {
      set(TIFFTAG_TILEWIDTH, options_.tile_width_px);
      set(TIFFTAG_TILELENGTH, options_.tile_height_px);
    } else {
      set(TIFFTAG_ROWSPERSTRIP, std::min(options_.rows_per_strip, options_.height_px));
    }
    set(TIFFTAG_SOFTWARE, "mezzotint");
    if (!options_.description.empty()) {
      set(TIFFTAG_IMAGEDESCRIPTION, options_.description.c_str());
    }
    if (options_.dpi > 0) {
      set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
      set(TIFFTAG_XRESOLUTION, options_.dpi);
      set(TIFFTAG_YRESOLUTION, options_.dpi);
    }
  }

  bool separate() const { return options_.layout == PlaneLayout::kSeparate && options_.planes > 1; }

  void check(std::string_view doing) const { check_written(handle_, file_, doing); }

  /// Writes the rows held, which are a strip or a row of tiles, whole or the last of the page.
  void flush_rows() {
    for (uint32_t plane = 0; plane < (separate() ? options_.planes : 1); ++plane) {
      if (has_tiles(options_)) {
        for (uint32_t x = 0; x < options_.width_px; x += options_.tile_width_px) {
          write_tile(x, plane);
        }
      } else {
        write_strip(plane);
      }
    }
    first_row_ += held_rows_;
    held_rows_ = 0;
  }

  /// Copies a rectangle of the rows held to block_, whose rows are `stride` bytes apart: the
  /// samples of one plane when the planes are separate, else all.
  void gather(uint32_t x, uint32_t columns, uint32_t plane, size_t stride) {
    const size_t pixel_bytes = sample_bytes_ * options_.planes;
    for (uint32_t y = 0; y < held_rows_; ++y) {
      const std::byte* from = rows_.data() + row_bytes_ * y + pixel_bytes * x;
      std::byte* to = block_.data() + stride * y;
      if (!separate()) {
        std::memcpy(to, from, pixel_bytes * columns);
        continue;
      }
      from += sample_bytes_ * plane;
      for (uint32_t i = 0; i < columns; ++i) {
        std::memcpy(to + sample_bytes_ * i, from + pixel_bytes * i, sample_bytes_);
      }
    }
  }

  size_t block_pixel_bytes() const { return sample_bytes_ * (separate() ? 1 : options_.planes); }

  void write_strip(uint32_t plane) {
    const size_t stride = block_pixel_bytes() * options_.width_px;
    block_.resize(stride * held_rows_);
    gather(0, options_.width_px, plane, stride);
    const uint32_t strip =
        TIFFComputeStrip(handle_.get(), first_row_, static_cast<uint16_t>(plane));
    const auto bytes = static_cast<tmsize_t>(block_.size());
    const tmsize_t done = TIFFWriteEncodedStrip(handle_.get(), strip, block_.data(), bytes);
    check("writing a strip");
    if (done != bytes) throw files::file_error(file_.path(), "writing a strip", EIO);
  }

  void write_tile(uint32_t x, uint32_t plane) {
    const uint32_t columns = std::min(options_.tile_width_px, options_.width_px - x);
    const size_t stride = block_pixel_bytes() * options_.tile_width_px;
    block_.assign(stride * options_.tile_height_px, std::byte{0});  // also what lies off the page
    gather(x, columns, plane, stride);
    const uint32_t tile =
        TIFFComputeTile(handle_.get(), x, first_row_, 0, static_cast<uint16_t>(plane));
    const auto bytes = static_cast<tmsize_t>(block_.size());
    const tmsize_t done = TIFFWriteEncodedTile(handle_.get(), tile, block_.data(), bytes);
    check("writing a tile");
    if (done != bytes) throw files::file_error(file_.path(), "writing a tile", EIO);
  }

  ContoneOptions options_;
  size_t sample_bytes_;
  size_t row_bytes_;
  uint32_t block_rows_;
  files::PendingFile file_;
  Handle handle_;
  std::vector<std::byte> rows_;   // a strip or a row of tiles, interleaved
  std::vector<std::byte> block_;  // libtiff's input
  uint32_t held_rows_ = 0;        // in rows_
  uint32_t first_row_ = 0;        // of rows_, on the page
};

ContoneWriter::ContoneWriter(const std::string& path,
                             const ContoneOptions& options,
                             files::FileSystem& files)
    : tiff_(std::make_unique<Tiff>(path, options, files)) {}

ContoneWriter::~ContoneWriter() = default;

void ContoneWriter::write_rows(const std::byte* interleaved, uint32_t rows) {
  tiff_->write_rows(interleaved, rows);
}

void ContoneWriter::finish() {
  tiff_->finish();
}

}  // namespace mezzo::tiff
