#include "stages/files/xxh3.h"

#include <xxhash.h>

#include <cstdio>
#include <new>

#ifdef MEZZOTINT_XXH3_DISPATCH
// Four times as fast: names of XXH3 come to stand for functions that choose AVX2 or AVX-512 at run
// time, where others have SSE2 alone.
#include <xxh_x86dispatch.h>
#endif

namespace mezzo::files {

// The digests of 64 and of 128 bits have the same state, updated in the same way.
Xxh3::Xxh3() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void Xxh3::Free::operator()(XXH3_state_s* state) const {
  XXH3_freeState(state);
}

void Xxh3::add(const void* data, size_t bytes) {
  XXH3_128bits_update(state_.get(), data, bytes);
}

uint64_t Xxh3::value64() const {
  return XXH3_64bits_digest(state_.get());
}

std::string Xxh3::hex64() const {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value64()));
  return text;
}

std::string Xxh3::hex128() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(state_.get());
  char text[33];
  std::snprintf(text,
                sizeof text,
                "%016llx%016llx",
                static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

}  // namespace mezzo::files
