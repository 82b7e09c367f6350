// The first bytes of a strip or tile, as its decoder will see them. Internal to stages/tiff.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "stages/files/byte_store.h"

namespace mezzo::tiff {

/// The stored bytes of a strip or tile.
struct StoredBlock {
  const files::ByteStore& store;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint32_t rows = 0;           ///< that the page takes from it
  uint32_t most_rows = 0;      ///< that it may have: writers pad the last strip of a page
  bool reversed_bits = false;  ///< its decoder is given each byte with its bits reversed
};

/// Whether a block has more stored bytes than any codec makes of the decoded ones. libtiff reads no more of it either.
constexpr bool is_beyond_codecs(uint64_t stored_bytes, uint64_t decoded_bytes) {
  return stored_bytes / 10 > decoded_bytes + 410;
}

/// Reads a block in small pieces, or bytes in memory.
class BlockHead {
 public:
  /// Keeps a reference to the block.
  explicit BlockHead(const StoredBlock& block) : block_(&block), size_(block.bytes) {}
  explicit BlockHead(std::span<const std::byte> bytes) : size_(bytes.size()), held_(bytes) {}

  BlockHead(const BlockHead&) = delete;
  BlockHead& operator=(const BlockHead&) = delete;

  uint64_t size() const { return size_; }

  /// The byte at `at`; 0 behind the end of the block. Throws Error(kIo) when reading fails.
  uint32_t byte(uint64_t at);
  uint64_t little_endian(uint64_t at, uint32_t bytes);
  uint32_t big_endian_16(uint64_t at) { return byte(at) << 8 | byte(at + 1); }

 private:
  void fetch(uint64_t at);

  const StoredBlock* block_ = nullptr;
  uint64_t size_;
  std::array<std::byte, 64> bytes_{};
  std::span<const std::byte> held_;  // from first_ on
  uint64_t first_ = 0;
};

}  // namespace mezzo::tiff
