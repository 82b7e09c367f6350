// XXH3, the hash that finds damage and tells contents apart; it is no defence against forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

struct XXH3_state_s;

namespace mezzo::files {

/// The digest of bytes that arrive in pieces of any size.
class Xxh3 {
 public:
  /// Throws std::bad_alloc.
  Xxh3();

  void add(const void* data, size_t bytes);

  uint64_t value64() const;
  std::string hex64() const;   ///< 16 lower-case hexadecimal digits
  std::string hex128() const;  ///< 32 of them

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace mezzo::files
