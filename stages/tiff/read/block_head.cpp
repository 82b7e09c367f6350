#include "stages/tiff/read/block_head.h"

#include <algorithm>
#include <system_error>

#include "kernels/base/error.h"
#include "stages/tiff/read/bit_order.h"

namespace mezzo::tiff {

void BlockHead::fetch(uint64_t at) {
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(bytes_.size(), size_ - at));
  int error_number = 0;
  const size_t got =
      block_->store.read_at(block_->offset + at, std::span(bytes_).first(wanted), error_number);
  if (error_number != 0) {
    throw Error(ErrorKind::kIo, "reading failed: " + std::generic_category().message(error_number));
  }
  if (block_->reversed_bits) reverse_bits(bytes_.data(), got);
  held_ = std::span(bytes_).first(got);
  first_ = at;
}

uint32_t BlockHead::byte(uint64_t at) {
  if (at >= size_) return 0;
  const auto is_held = [&] { return at >= first_ && at - first_ < held_.size(); };
  if (!is_held() && block_ != nullptr) fetch(at);
  return is_held() ? std::to_integer<uint32_t>(held_[static_cast<size_t>(at - first_)]) : 0;
}

uint64_t BlockHead::little_endian(uint64_t at, uint32_t bytes) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < bytes; ++i) value |= uint64_t{byte(at + i)} << 8 * i;
  return value;
}

}  // namespace mezzo::tiff
