// The digest of a file, taken along with the reads of others: bytes that they have just brought to
// the cache are not read from the file again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "stages/files/file_system.h"
#include "stages/files/xxh3.h"

namespace mezzo::files {

/// Follows reads from the beginning of a file on, from any thread. It takes bytes that continue those
/// that it has; where a read begins a little beyond them, it reads those between by itself. Others it
/// skips: finish() reads all that are left.
class DigestOfReads {
 public:
  /// `fd` stays open for as long as this lives.
  DigestOfReads(FileSystem& files, int fd);

  /// `bytes` were read at `offset`. Leaves errno as it is.
  void follow(uint64_t offset, std::span<const std::byte> bytes) noexcept;

  /// Reads the rest of the file. `error_number` receives 0 or the errno of a read that failed; the
  /// digest is then that of the bytes before.
  const Xxh3& finish(int& error_number);

 private:
  bool read_up_to(uint64_t end, int& error_number) noexcept;

  FileSystem& files_;
  const int fd_;
  std::mutex mutex_;
  Xxh3 digest_;
  uint64_t end_ = 0;  ///< of the bytes digested
  std::vector<std::byte> buffer_;
};

}  // namespace mezzo::files
