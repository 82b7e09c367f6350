#include "stages/tiff/plate/encode.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <numeric>

#include "stages/tiff/handle.h"
#include "stages/tiff/plate/codecs.h"
#include "stages/tiff/plate/tiff_writing.h"

namespace mezzo::tiff {
namespace {

/// Of automatic compression, beside none and LZW, from simple to complex.
constexpr std::array kFast = {kLikelyCompression, Compression::kG4};

/// One part in so many of the raw bytes is what a compression has to save, so that the rest of the page
/// does not make it larger than raw, and what LZW has to save beyond the others: it takes ten times as
/// long.
constexpr uint64_t kLeastSaved = 16, kLeastSavedByLzw = 3;

[[noreturn]] void refuse(Compression compression, const Handle& handle) {
  const std::string error = handle.messages().first_error();
  throw Error(ErrorKind::kBug,
              "libtiff refuses to encode a strip as " + std::string(to_string(compression)) + ": " +
                  (error.empty() ? "no reason given" : error));
}

/// The TIFF of one strip.
class MemoryStore final : public files::ByteStore {
 public:
  uint64_t size() const noexcept override { return bytes_.size(); }
  std::span<const std::byte> bytes() const { return bytes_; }

  size_t read_at(uint64_t offset,
                 std::span<std::byte> to,
                 int& error_number) const noexcept override {
    error_number = 0;
    if (offset >= bytes_.size()) return 0;
    const size_t n = std::min<size_t>(to.size(), bytes_.size() - static_cast<size_t>(offset));
    std::memcpy(to.data(), bytes_.data() + offset, n);
    return n;
  }

  int write_at(uint64_t offset, std::span<const std::byte> bytes) noexcept override {
    const size_t begin = static_cast<size_t>(offset);
    try {
      if (begin + bytes.size() > bytes_.size()) bytes_.resize(begin + bytes.size());
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
    if (!bytes.empty()) std::memcpy(bytes_.data() + begin, bytes.data(), bytes.size());
    return 0;
  }

 private:
  std::vector<std::byte> bytes_;
};

/// The rows without gaps between them: the band's own memory, or `scratch`.
BitBand packed_rows(const BitBand& rows, std::vector<uint8_t>& scratch) {
  const size_t row_bytes = bit_row_bytes(rows.width_px, rows.bits_per_px);
  if (rows.stride_bytes == row_bytes) return rows;
  scratch.resize(row_bytes * rows.rows);
  BitBand packed = rows;
  packed.data = scratch.data();
  packed.stride_bytes = row_bytes;
  for (uint32_t i = 0; i < rows.rows; ++i) std::memcpy(packed.row(i), rows.row(i), row_bytes);
  return packed;
}

bool set_geometry(TIFF* tiff, const BitBand& rows) {
  const auto bits = static_cast<uint16_t>(rows.bits_per_px);
  return TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, rows.width_px) == 1 &&
         TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, rows.rows) == 1 &&
         TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, rows.rows) == 1 &&
         TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, bits) == 1 &&
         TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1) == 1 &&
         TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISWHITE) == 1 &&
         TIFFSetField(tiff, TIFFTAG_FILLORDER, FILLORDER_MSB2LSB) == 1;
}

/// The coded bytes of the only strip, which are in the store.
std::span<const std::byte> coded_strip(TIFF* tiff, const MemoryStore& store) {
  const uint64_t offset = TIFFGetStrileOffset(tiff, 0);
  const uint64_t bytes = TIFFGetStrileByteCount(tiff, 0);
  MZ_ASSERT(bytes > 0 && offset + bytes <= store.size());
  return store.bytes().subspan(static_cast<size_t>(offset), static_cast<size_t>(bytes));
}

bool padding_is_clear(const BitBand& rows) {
  const size_t used = size_t{rows.width_px} * rows.bits_per_px;
  if (used % 8 == 0) return true;
  const size_t last = used / 8;
  const unsigned padding = 0xFFU >> used % 8;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    if ((rows.row(i)[last] & padding) != 0) return false;
  }
  return true;
}

uint64_t raw_bytes(std::span<const BitBand> samples) {
  uint64_t bytes = 0;
  for (const BitBand& rows : samples) {
    bytes += bit_row_bytes(rows.width_px, rows.bits_per_px) * rows.rows;
  }
  return bytes;
}

uint64_t coded_bytes(std::span<const BitBand> samples, Compression compression, Team& team) {
  std::vector<uint64_t> bytes(samples.size());
  for_each_index(team, static_cast<uint32_t>(samples.size()), [&](uint32_t i) {
    bytes[i] = encode_strip(samples[i], compression).size();
  });
  return std::accumulate(bytes.begin(), bytes.end(), uint64_t{0});
}

}  // namespace

std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression) {
  MZ_ASSERT(compression != Compression::kAutomatic && rows.width_px > 0 && rows.rows > 0);
  MZ_ASSERT(padding_is_clear(rows));
  const Codec& codec = codec_of(compression);
  if (codec.encode == nullptr || (codec.is_bilevel && rows.bits_per_px != 1)) {
    return encode_strip_by_libtiff(rows, compression);
  }
  thread_local std::vector<uint8_t> scratch;
  return codec.encode(packed_rows(rows, scratch));
}

std::vector<std::byte> encode_strip_by_libtiff(const BitBand& rows, Compression compression) {
  MZ_ASSERT(compression != Compression::kAutomatic && rows.width_px > 0 && rows.rows > 0);
  thread_local std::vector<uint8_t> scratch;
  const BitBand packed = packed_rows(rows, scratch);
  const auto bytes = static_cast<tmsize_t>(packed.stride_bytes * packed.rows);

  MemoryStore store;
  Handle handle(store, "strip", "wl", kMaxPlateAllocation);
  TIFF* tiff = handle.get();
  if (tiff == nullptr || !set_geometry(tiff, rows) || !set_codec(tiff, compression)) {
    refuse(compression, handle);
  }
  // libtiff takes a pointer to non-const, and changes nothing in FillOrder 1.
  const tmsize_t done = TIFFWriteEncodedStrip(tiff, 0, packed.data, bytes);
  if (done != bytes || handle.messages().errors() > 0) {
    refuse(compression, handle);
  }
  const std::span<const std::byte> coded = coded_strip(tiff, store);
  return {coded.begin(), coded.end()};
}

Compression choose_compression(std::span<const BitBand> samples, Team& team) {
  const bool is_bilevel = samples.empty() || samples.front().bits_per_px == 1;
  const uint64_t raw = raw_bytes(samples);
  uint64_t fewest = raw;
  Compression best = Compression::kNone;
  for (const Compression compression : kFast) {
    if (codec_of(compression).is_bilevel && !is_bilevel) continue;
    const uint64_t bytes = coded_bytes(samples, compression, team);
    if (bytes >= fewest || bytes > raw - raw / kLeastSaved) continue;
    fewest = bytes;
    best = compression;
  }
  const uint64_t few = raw / kLeastSavedByLzw;
  if (fewest <= few || coded_bytes(samples, Compression::kLzw, team) >= fewest - few) return best;
  return Compression::kLzw;
}

}  // namespace mezzo::tiff
