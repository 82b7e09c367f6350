// Bytes that are read and written at offsets: a file, or memory in its place.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>

namespace mezzo::files {

class ByteStore {
 public:
  virtual ~ByteStore() = default;

  virtual uint64_t size() const noexcept = 0;

  /// Reads up to `to.size()` bytes, fewer at the end of the store and when reading fails. Returns
  /// how many; `error_number` receives 0 or the errno of a read that failed.
  virtual size_t read_at(uint64_t offset,
                         std::span<std::byte> to,
                         int& error_number) const noexcept = 0;

  /// Writes all of `bytes`. Returns 0 or the errno; that of a store for reading only is EBADF.
  virtual int write_at(uint64_t, std::span<const std::byte>) noexcept { return EBADF; }
};

}  // namespace mezzo::files
