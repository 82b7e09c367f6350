// SHA-256 (FIPS 180-4): tells contents apart where a stranger may choose them, whose XXH3 can be forged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

struct evp_md_ctx_st;

namespace mezzo::files {

/// The digest of bytes that arrive in pieces of any size.
class Sha256 {
 public:
  /// Throws std::bad_alloc.
  Sha256();

  void add(const void* data, size_t bytes);

  // Of what was added so far. Both throw std::bad_alloc.
  std::array<uint8_t, 32> value() const;
  std::string hex() const;  ///< 64 lower-case hexadecimal digits

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

}  // namespace mezzo::files
