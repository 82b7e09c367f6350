#include "stages/tiff/plate/codec.h"

#include "kernels/base/error.h"

namespace mezzo::tiff {
namespace {

/// Measured as kDeflateLevel: level 1 (1,570 to 4,950 Mpx/s) and 9, libtiff's default, differ by 2 % of raw
/// at most, either way, but 9 spends 480 us a strip on its tables alone.
constexpr int kZstdLevel = 1;

struct CodecNumber {
  Compression compression;
  uint16_t number;
};
constexpr CodecNumber kCodecNumbers[] = {
    {Compression::kNone, COMPRESSION_NONE},
    {Compression::kPackBits, COMPRESSION_PACKBITS},
    {Compression::kLzw, COMPRESSION_LZW},
    {Compression::kDeflate, COMPRESSION_ADOBE_DEFLATE},
    {Compression::kZstd, COMPRESSION_ZSTD},
    {Compression::kG3, COMPRESSION_CCITTFAX3},
    {Compression::kG4, COMPRESSION_CCITTFAX4},
};

}  // namespace

uint16_t tiff_compression(Compression compression) {
  for (const CodecNumber& codec : kCodecNumbers) {
    if (codec.compression == compression) return codec.number;
  }
  assertion_failed("compression is one that libtiff knows", std::source_location::current());
}

Compression compression_of_tiff(uint16_t number) {
  for (const CodecNumber& codec : kCodecNumbers) {
    if (codec.number == number) return codec.compression;
  }
  return Compression::kAutomatic;
}

bool set_codec(TIFF* tiff, Compression compression) {
  if (TIFFSetField(tiff, TIFFTAG_COMPRESSION, tiff_compression(compression)) != 1) return false;
  switch (compression) {
    case Compression::kDeflate:
      return TIFFSetField(tiff, TIFFTAG_ZIPQUALITY, kDeflateLevel) == 1;
    case Compression::kZstd:
      return TIFFSetField(tiff, TIFFTAG_ZSTD_LEVEL, kZstdLevel) == 1;
    default:
      return true;
  }
}

void check_written(const Handle& handle, const files::PendingFile& file, std::string_view doing) {
  if (file.error_number() != 0) throw files::file_error(file.path(), doing, file.error_number());
  if (handle.messages().errors() == 0) return;
  throw Error(ErrorKind::kIo,
              file.path() + ": " + std::string(doing) +
                  " failed: libtiff says: " + handle.messages().first_error());
}

}  // namespace mezzo::tiff
