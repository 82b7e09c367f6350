#include "stages/tiff/plate/row_digest.h"

#include <xxhash.h>

#include <cstdio>
#include <new>

namespace mezzo::tiff {

struct RowDigest::State {
  XXH3_state_t* xxh3 = XXH3_createState();
  State() {
    if (xxh3 == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(xxh3);
  }
  ~State() { XXH3_freeState(xxh3); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
};

RowDigest::RowDigest() : state_(std::make_unique<State>()) {}

RowDigest::~RowDigest() = default;

void RowDigest::add(const BitBand& rows) {
  const size_t row_bytes = bit_row_bytes(rows.width_px);
  if (rows.stride_bytes == row_bytes) {
    XXH3_64bits_update(state_->xxh3, rows.data, row_bytes * rows.rows);
    return;
  }
  for (uint32_t i = 0; i < rows.rows; ++i) {
    XXH3_64bits_update(state_->xxh3, rows.row(i), row_bytes);
  }
}

uint64_t RowDigest::value() const {
  return XXH3_64bits_digest(state_->xxh3);
}

std::string RowDigest::hex() const {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value()));
  return text;
}

uint64_t digest_rows(const BitBand& rows) {
  const size_t row_bytes = bit_row_bytes(rows.width_px);
  if (rows.stride_bytes == row_bytes) return XXH3_64bits(rows.data, row_bytes * rows.rows);
  RowDigest digest;
  digest.add(rows);
  return digest.value();
}

bool padding_is_clear(const BitBand& rows) {
  if (rows.width_px % 8 == 0) return true;
  const size_t last = bit_row_bytes(rows.width_px) - 1;
  const unsigned padding = 0xFFU >> rows.width_px % 8;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    if ((rows.row(i)[last] & padding) != 0) return false;
  }
  return true;
}

}  // namespace mezzo::tiff
