#include "stages/tiff/plate/zstd_window.h"

#include "kernels/base/bytes_text.h"
#include "kernels/base/error.h"
#include "stages/tiff/read/zstd_head.h"

namespace mezzo::tiff {
namespace {

/// The window that every decoder of ZSTD should support (RFC 8878, 3.1.1.1.2), in bytes.
constexpr uint64_t kMostOfPlates = 8ULL << 20;

}  // namespace

void check_zstd_window(const StoredBlock& strip, const std::string& decoding) {
  BlockHead head(strip);
  uint64_t window = 0;
  try {
    window = zstd_window_bytes(head);
  } catch (const Error& error) {
    throw error.at(decoding + " failed: ");
  }
  if (window <= kMostOfPlates) return;
  throw Error(ErrorKind::kLimit,
              decoding + " would take " + bytes_text(window) +
                  " for its ZSTD window, and plates get at most " + bytes_text(kMostOfPlates),
              "make the plate again");
}

}  // namespace mezzo::tiff
