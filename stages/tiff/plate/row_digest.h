// Digests of packed rows (XXH3, 64 bits): they depend on the bits alone, not on strides, strips or
// compression. They find damage; they are no defence against forgery.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "kernels/band/bands.h"

namespace mezzo::tiff {

/// The digest of rows that arrive band by band. Bands may be cut anywhere.
class RowDigest {
 public:
  RowDigest();
  ~RowDigest();
  RowDigest(const RowDigest&) = delete;
  RowDigest& operator=(const RowDigest&) = delete;

  void add(const BitBand& rows);
  uint64_t value() const;
  std::string hex() const;  ///< 16 lower-case hexadecimal digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of one band.
uint64_t digest_rows(const BitBand& rows);

/// Whether the padding bits behind the last pixel of every row are 0.
bool padding_is_clear(const BitBand& rows);

}  // namespace mezzo::tiff
