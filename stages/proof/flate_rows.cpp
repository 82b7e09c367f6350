#include "stages/proof/flate_rows.h"

#include <zlib.h>

#include <cstdlib>

#include "kernels/base/error.h"

namespace mezzo::proof {
namespace {

constexpr size_t kPixelBytes = 3;
constexpr size_t kPieceBytes = 64 << 10;
constexpr uint8_t kSub = 1, kUp = 2;  // filters of PNG, which PDF has, too

/// Of differences: small ones compress well.
uint64_t size_of(std::span<const uint8_t> differences) {
  uint64_t sum = 0;
  for (const uint8_t byte : differences) {
    sum += static_cast<uint64_t>(std::abs(static_cast<int>(static_cast<int8_t>(byte))));
  }
  return sum;
}

}  // namespace

struct FlateRows::Stream {
  z_stream z = {};
};

FlateRows::FlateRows(uint32_t width_px, std::function<void(std::span<const uint8_t>)> take)
    : take_(std::move(take)),
      stream_(std::make_unique<Stream>()),
      above_(kPixelBytes * width_px),
      by_left_(kPixelBytes * width_px + 1),
      by_above_(kPixelBytes * width_px + 1),
      out_(kPieceBytes) {
  if (deflateInit(&stream_->z, Z_DEFAULT_COMPRESSION) != Z_OK) {
    throw Error(ErrorKind::kOutOfMemory, "out of memory while compressing a picture");
  }
  by_left_[0] = kSub;
  by_above_[0] = kUp;
}

FlateRows::~FlateRows() {
  deflateEnd(&stream_->z);
}

void FlateRows::put(std::span<const uint8_t> bytes, int flush) {
  z_stream& z = stream_->z;
  z.next_in = const_cast<uint8_t*>(bytes.data());  // zlib reads them alone
  z.avail_in = static_cast<uInt>(bytes.size());
  do {
    z.next_out = out_.data();
    z.avail_out = static_cast<uInt>(out_.size());
    const int status = deflate(&z, flush);
    MZ_ASSERT(status != Z_STREAM_ERROR);
    const size_t made = out_.size() - z.avail_out;
    if (made > 0) take_(std::span(out_).first(made));
  } while (z.avail_out == 0);
}

void FlateRows::add_row(const uint8_t* rgb) {
  for (size_t i = 0; i < above_.size(); ++i) {
    const uint8_t left = i < kPixelBytes ? 0 : rgb[i - kPixelBytes];
    by_left_[i + 1] = static_cast<uint8_t>(rgb[i] - left);
    by_above_[i + 1] = static_cast<uint8_t>(rgb[i] - above_[i]);
  }
  const bool is_left = size_of(by_left_) < size_of(by_above_);
  put(is_left ? by_left_ : by_above_, Z_NO_FLUSH);
  above_.assign(rgb, rgb + above_.size());
}

void FlateRows::finish() {
  put({}, Z_FINISH);
}

}  // namespace mezzo::proof
