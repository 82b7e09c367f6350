// Encoding of strips, through a TIFF of one strip in memory: what libtiff would write to a file,
// byte for byte, on any number of threads at once.
#include <array>
#include <cstring>
#include <numeric>

#include "stages/tiff/plate/codec.h"
#include "stages/tiff/plate/stream.h"
#include "stages/tiff/plate/writer.h"

namespace mezzo::tiff {
namespace {

/// Measured on error-diffused photographs, 64 KiB strips, one core, libtiff with libdeflate: level
/// 1 makes them 0 to 2.5 % of raw larger than level 6, and is 1.5 to 6 times as fast (750 to 1,280
/// Mpx/s); it beats LZW in both. Level 9 gains 1.5 % more and takes 4 to 20 times as long.
constexpr int kDeflateLevel = 1;

/// Measured likewise: level 1 (1,570 to 4,950 Mpx/s) and 9, libtiff's default, differ by 2 % of raw
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

/// From simple to complex, so that the first of the smallest is the simplest.
constexpr std::array kCandidates = {Compression::kNone,
                                    Compression::kPackBits,
                                    Compression::kLzw,
                                    Compression::kDeflate,
                                    Compression::kG4};

[[noreturn]] void refuse(Compression compression, const TiffStream& stream) {
  throw Error(ErrorKind::kBug,
              "libtiff refuses to encode a strip as " + std::string(to_string(compression)) + ": " +
                  (stream.error().empty() ? "no reason given" : stream.error()));
}

/// The rows without gaps between them: the band's own memory, or `scratch`.
std::span<const std::byte> packed_rows(const BitBand& rows, std::vector<std::byte>& scratch) {
  const size_t row_bytes = bit_row_bytes(rows.width_px);
  const size_t bytes = row_bytes * rows.rows;
  if (rows.stride_bytes == row_bytes) return std::as_bytes(std::span(rows.data, bytes));
  scratch.resize(bytes);
  for (uint32_t i = 0; i < rows.rows; ++i) {
    std::memcpy(scratch.data() + i * row_bytes, rows.row(i), row_bytes);
  }
  return scratch;
}

bool set_geometry(TIFF* tiff, const BitBand& rows) {
  return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, rows.width_px) == 1 &&
         TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, rows.rows) == 1 &&
         TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows.rows) == 1 &&
         TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 1) == 1 &&
         TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) == 1 &&
         TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE) == 1 &&
         TIFFSetField(tiff, TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) == 1;
}

/// The coded bytes of the only strip, which are in the stream.
std::span<const std::byte> coded_strip(TIFF* tiff, const MemoryStream& stream) {
  const uint64_t offset = TIFFGetStrileOffset(tiff, 0);
  const uint64_t bytes = TIFFGetStrileByteCount(tiff, 0);
  MZ_ASSERT(bytes > 0 && offset + bytes <= stream.size());
  return stream.bytes().subspan(static_cast<size_t>(offset), static_cast<size_t>(bytes));
}

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

std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression) {
  MZ_ASSERT(compression != Compression::kAutomatic && rows.width_px > 0 && rows.rows > 0);
  thread_local std::vector<std::byte> scratch;
  const std::span<const std::byte> raw = packed_rows(rows, scratch);
  if (compression == Compression::kNone) return {raw.begin(), raw.end()};

  MemoryStream stream;
  const OwnedTiff tiff = open_tiff("strip", "wl", stream);
  if (!tiff || !set_geometry(tiff.get(), rows) || !set_codec(tiff.get(), compression)) {
    refuse(compression, stream);
  }
  // libtiff takes a pointer to non-const, and changes nothing in FillOrder 1.
  void* data = const_cast<std::byte*>(raw.data());
  const tmsize_t done =
      TIFFWriteEncodedStrip(tiff.get(), 0, data, static_cast<tmsize_t>(raw.size()));
  if (done != static_cast<tmsize_t>(raw.size()) || !stream.error().empty()) {
    refuse(compression, stream);
  }
  const std::span<const std::byte> coded = coded_strip(tiff.get(), stream);
  std::vector<std::byte> result(coded.begin(), coded.end());
  stream.discard_writes();  // the directory, which closing would write
  return result;
}

Compression choose_compression(std::span<const BitBand> samples, Team& team) {
  const size_t strips = samples.size();
  std::vector<uint64_t> bytes(kCandidates.size() * strips);
  // The slow coder is the last candidate: it starts first, so that it does not finish alone.
  const auto tasks = static_cast<uint32_t>(bytes.size());
  for_each_index(team, tasks, [&](uint32_t i) {
    const size_t task = tasks - 1 - i;
    bytes[task] = encode_strip(samples[task % strips], kCandidates[task / strips]).size();
  });
  Compression best = Compression::kNone;
  uint64_t fewest = UINT64_MAX;
  for (size_t c = 0; c < kCandidates.size(); ++c) {
    const auto begin = bytes.begin() + static_cast<ptrdiff_t>(c * strips);
    const uint64_t total =
        std::accumulate(begin, begin + static_cast<ptrdiff_t>(strips), uint64_t{0});
    if (total < fewest) {
      fewest = total;
      best = kCandidates[c];
    }
  }
  return best;
}

}  // namespace mezzo::tiff
