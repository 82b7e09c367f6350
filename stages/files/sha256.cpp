#include "stages/files/sha256.h"

#include <nettle/sha2.h>

namespace mezzo::files {

Sha256::Sha256() : context_(new sha256_ctx) {
  sha256_init(context_.get());
}

void Sha256::Free::operator()(sha256_ctx* context) const {
  delete context;
}

void Sha256::add(const void* data, size_t bytes) {
  sha256_update(context_.get(), bytes, static_cast<const uint8_t*>(data));
}

std::array<uint8_t, 32> Sha256::value() const {
  sha256_ctx copy = *context_;  // sha256_digest() resets it
  std::array<uint8_t, 32> digest{};
  sha256_digest(&copy, digest.size(), digest.data());
  return digest;
}

std::string Sha256::hex() const {
  std::string text;
  for (const uint8_t byte : value()) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace mezzo::files
