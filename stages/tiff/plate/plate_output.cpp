#include "stages/tiff/plate/plate_output.h"

#include <algorithm>
#include <cerrno>

#include "stages/tiff/plate/codecs.h"
#include "stages/tiff/plate/tiff_writing.h"

namespace mezzo::tiff {
namespace {

/// Sets tags one after another, and remembers whether libtiff took them all.
class TagSetter {
 public:
  explicit TagSetter(TIFF* tiff) : tiff_(tiff) {}

  template <typename... Values>
  void set(uint32_t number, Values... values) {
    good_ = TIFFSetField(tiff_, number, values...) == 1 && good_;
  }
  /// An empty text sets nothing.
  void set_text(uint32_t number, const std::string& text) {
    if (!text.empty()) set(number, text.c_str());
  }
  bool good() const { return good_; }

 private:
  TIFF* tiff_;
  bool good_ = true;
};

void set_layout(TagSetter& tags, const PlatePage& page) {
  tags.set(TIFFTAG_IMAGEWIDTH, page.width_px);
  tags.set(TIFFTAG_IMAGELENGTH, page.height_px);
  tags.set(TIFFTAG_BITSPERSAMPLE, static_cast<uint16_t>(page.bits_per_px));
  tags.set(TIFFTAG_SAMPLESPERPIXEL, 1);
  tags.set(TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  tags.set(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE);
  tags.set(TIFFTAG_FILLORDER, FILLORDER_MSB2LSB);
  tags.set(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
  tags.set(TIFFTAG_ROWSPERSTRIP, std::min(page.rows_per_strip, page.height_px));
}

void set_resolution(TagSetter& tags, const Resolution& resolution) {
  if (!(resolution.x_dpi > 0) || !(resolution.y_dpi > 0)) return;
  tags.set(TIFFTAG_RESOLUTIONUNIT, RESUNIT_INCH);
  tags.set(TIFFTAG_XRESOLUTION, resolution.x_dpi);
  tags.set(TIFFTAG_YRESOLUTION, resolution.y_dpi);
}

void set_names(TagSetter& tags, const PlateNames& names) {
  if (!names.ink.empty()) {
    tags.set(TIFFTAG_INKSET, names.ink_set);
    tags.set(TIFFTAG_NUMBEROFINKS, names.ink_count);
    tags.set(TIFFTAG_INKNAMES, static_cast<uint16_t>(names.ink.size() + 1), names.ink.c_str());
  }
  tags.set_text(TIFFTAG_PAGENAME, names.page);
  tags.set_text(TIFFTAG_DOCUMENTNAME, names.document);
  if (names.page_total != 0) {
    tags.set(TIFFTAG_SUBFILETYPE, names.subfile_type);
    tags.set(TIFFTAG_PAGENUMBER, names.page_number, names.page_total);
  }
}

}  // namespace

TiffPlateOutput::TiffPlateOutput(const std::string& path,
                                 bool is_big,
                                 files::ExistingFile existing,
                                 files::FileSystem& files)
    : file_(path, existing, files),
      // Little-endian on every machine.
      handle_(file_, path, is_big ? "wl8" : "wl", kMaxPlateAllocation) {
  check("writing its header");
  if (handle_.get() == nullptr) throw files::file_error(path, "writing its header", EIO);
}

void TiffPlateOutput::check(std::string_view doing) {
  check_written(handle_, file_, doing);
}

void TiffPlateOutput::begin_page(const PlatePage& page, Compression compression) {
  MZ_ASSERT(strips_ == 0 && compression != Compression::kAutomatic);
  MZ_ASSERT(page.width_px > 0 && page.height_px > 0 && page.rows_per_strip > 0);
  TagSetter tags(handle_.get());
  set_layout(tags, page);
  tags.set(TIFFTAG_COMPRESSION, codec_of(compression).tiff_number);
  set_resolution(tags, page.resolution);
  set_names(tags, names_of(page));
  check("setting its tags");
  if (!tags.good()) {
    throw Error(ErrorKind::kBug, file_.path() + ": setting its tags failed: libtiff refuses one");
  }
  strips_ = strip_count(page);
  next_strip_ = 0;
}

void TiffPlateOutput::write_strip(std::span<const std::byte> encoded) {
  MZ_ASSERT(next_strip_ < strips_ && !encoded.empty());
  // libtiff takes a pointer to non-const, and only reads.
  void* data = const_cast<std::byte*>(encoded.data());
  const auto bytes = static_cast<tmsize_t>(encoded.size());
  const tmsize_t done = TIFFWriteRawStrip(handle_.get(), next_strip_, data, bytes);
  check("writing a strip");
  if (done != bytes) throw files::file_error(file_.path(), "writing a strip", EIO);
  ++next_strip_;
}

void TiffPlateOutput::end_page(const std::string& software, const std::string& description) {
  MZ_ASSERT(strips_ > 0 && next_strip_ == strips_);
  TagSetter tags(handle_.get());
  tags.set_text(TIFFTAG_SOFTWARE, software);
  tags.set_text(TIFFTAG_IMAGEDESCRIPTION, description);
  const bool written = tags.good() && TIFFWriteDirectory(handle_.get()) == 1;
  check("writing its directory");
  if (!written) throw files::file_error(file_.path(), "writing its directory", EIO);
  strips_ = 0;
}

void TiffPlateOutput::give_up_page() {
  next_strip_ = strips_;
  end_page("", "");
  flush();
}

void TiffPlateOutput::flush() {
  const bool flushed = TIFFFlush(handle_.get()) == 1;
  check("completing it");
  if (!flushed) throw files::file_error(file_.path(), "completing it", EIO);
}

void TiffPlateOutput::finish() {
  MZ_ASSERT(strips_ == 0);
  flush();
  handle_.close();
  check("completing it");
  file_.sync();
}

}  // namespace mezzo::tiff
