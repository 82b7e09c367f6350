#include "stages/tiff/plate/encode.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>
#include <numeric>

#include "kernels/codec/fax_encode.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/plate/codec.h"

namespace mezzo::tiff {
namespace {

/// From simple to complex, so that the first of the smallest is the simplest. The last one is for
/// bilevel plates alone.
constexpr std::array kCandidates = {
    Compression::kNone, Compression::kPackBits, Compression::kLzw, Compression::kG4};

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
std::span<const std::byte> packed_rows(const BitBand& rows, std::vector<std::byte>& scratch) {
  const size_t row_bytes = bit_row_bytes(rows.width_px, rows.bits_per_px);
  const size_t bytes = row_bytes * rows.rows;
  if (rows.stride_bytes == row_bytes) return std::as_bytes(std::span(rows.data, bytes));
  scratch.resize(bytes);
  for (uint32_t i = 0; i < rows.rows; ++i) {
    std::memcpy(scratch.data() + i * row_bytes, rows.row(i), row_bytes);
  }
  return scratch;
}

std::vector<std::byte> encode_fax_strip(const BitBand& rows, codec::Fax fax) {
  thread_local std::vector<std::byte> scratch;
  const size_t most = codec::most_fax_bytes(rows.width_px, rows.rows);
  if (scratch.size() < most) scratch.resize(most);
  const size_t bytes = codec::encode_fax(rows, fax, scratch);
  return {scratch.begin(), scratch.begin() + static_cast<ptrdiff_t>(bytes)};
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

}  // namespace

std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression) {
  if (rows.bits_per_px == 1) {
    if (compression == Compression::kG3) return encode_fax_strip(rows, codec::Fax::kT4);
    if (compression == Compression::kG4) return encode_fax_strip(rows, codec::Fax::kT6);
  }
  return encode_strip_by_libtiff(rows, compression);
}

std::vector<std::byte> encode_strip_by_libtiff(const BitBand& rows, Compression compression) {
  MZ_ASSERT(compression != Compression::kAutomatic && rows.width_px > 0 && rows.rows > 0);
  thread_local std::vector<std::byte> scratch;
  const std::span<const std::byte> raw = packed_rows(rows, scratch);
  if (compression == Compression::kNone) return {raw.begin(), raw.end()};

  MemoryStore store;
  Handle handle(store, "strip", "wl", kMaxPlateAllocation);
  TIFF* tiff = handle.get();
  if (tiff == nullptr || !set_geometry(tiff, rows) || !set_codec(tiff, compression)) {
    refuse(compression, handle);
  }
  // libtiff takes a pointer to non-const, and changes nothing in FillOrder 1.
  void* data = const_cast<std::byte*>(raw.data());
  const tmsize_t done = TIFFWriteEncodedStrip(tiff, 0, data, static_cast<tmsize_t>(raw.size()));
  if (done != static_cast<tmsize_t>(raw.size()) || handle.messages().errors() > 0) {
    refuse(compression, handle);
  }
  const std::span<const std::byte> coded = coded_strip(tiff, store);
  return {coded.begin(), coded.end()};
}

Compression choose_compression(std::span<const BitBand> samples, Team& team) {
  const size_t strips = samples.size();
  const bool is_bilevel = samples.empty() || samples.front().bits_per_px == 1;
  const size_t candidates = is_bilevel ? kCandidates.size() : kCandidates.size() - 1;
  std::vector<uint64_t> bytes(candidates * strips);
  // The last candidates are the slower coders: they start first, so that none finishes alone.
  const auto tasks = static_cast<uint32_t>(bytes.size());
  for_each_index(team, tasks, [&](uint32_t i) {
    const size_t task = tasks - 1 - i;
    bytes[task] = encode_strip(samples[task % strips], kCandidates[task / strips]).size();
  });
  Compression best = Compression::kNone;
  uint64_t fewest = UINT64_MAX;
  for (size_t c = 0; c < candidates; ++c) {
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
