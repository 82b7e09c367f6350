// Digests of packed rows (XXH3, 64 bits): they depend on the bits alone, not on strides, strips or
// compression. They find damage; they are no defence against forgery.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/band/bands.h"
#include "stages/files/xxh3.h"

namespace mezzo::tiff {

/// The digest of rows that arrive band by band. Bands may be cut anywhere.
class RowDigest {
 public:
  void add(const BitBand& rows);
  uint64_t value() const { return digest_.value64(); }
  std::string hex() const { return digest_.hex64(); }  ///< 16 lower-case hexadecimal digits

 private:
  files::Xxh3 digest_;
};

/// The digest of one band.
uint64_t digest_rows(const BitBand& rows);

/// Whether the padding bits behind the last pixel of every row are 0.
bool padding_is_clear(const BitBand& rows);

}  // namespace mezzo::tiff
