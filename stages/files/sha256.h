// SHA-256 (FIPS 180-4): tells contents apart where a stranger may choose them, whose XXH3 can be forged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

struct sha256_ctx;

namespace mezzo::files {

/// The digest of bytes that arrive in pieces of any size.
class Sha256 {
 public:
  Sha256();

  void add(const void* data, size_t bytes);

  // The digest of what was added so far.
  std::array<uint8_t, 32> value() const;
  std::string hex() const;  ///< 64 lower-case hexadecimal digits

 private:
  struct Free {
    void operator()(sha256_ctx* context) const;
  };
  std::unique_ptr<sha256_ctx, Free> context_;
};

}  // namespace mezzo::files
