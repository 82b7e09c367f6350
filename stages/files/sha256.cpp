#include "stages/files/sha256.h"

#include <openssl/evp.h>

#include <new>

namespace mezzo::files {
namespace {

/// libcrypto refuses only for want of memory.
void check(int good) {
  if (good != 1) throw std::bad_alloc();
}

}  // namespace

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  check(context_ != nullptr);
  check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}

void Sha256::Free::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

void Sha256::add(const void* data, size_t bytes) {
  check(EVP_DigestUpdate(context_.get(), data, bytes));
}

std::array<uint8_t, 32> Sha256::value() const {
  const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
  check(copy != nullptr);
  check(EVP_MD_CTX_copy_ex(copy.get(), context_.get()));
  std::array<uint8_t, 32> digest{};
  check(EVP_DigestFinal_ex(copy.get(), digest.data(), nullptr));
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
