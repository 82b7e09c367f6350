// A plane that comes in bands of any height.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "tools/library/settings.h"

namespace mezzo::library {

/// Keeps the rows that the method still needs, and the dots that nobody has taken yet. After a call
/// has thrown in its work, the others refuse.
class BandStream {
 public:
  /// Throws Error (kUsage, kDevice, kOutOfMemory).
  BandStream(const mezzotint_settings& settings, uint32_t width_px, uint32_t bytes_per_sample);

  /// Copies rows whose samples are `pixel_bytes` apart, and makes the dots that can be made.
  void put(const std::byte* rows, size_t row_bytes, size_t pixel_bytes, uint32_t count);
  /// There are no more rows.
  void end();

  uint32_t ready() const { return made_ - taken_; }
  uint32_t width_px() const { return width_px_; }
  uint32_t bytes_per_sample() const { return bytes_per_sample_; }

  /// The dots of the next row, packed; valid until the next call. There must be a row ready.
  const uint8_t* take_row();

 private:
  void require_whole() const;
  void make_ready();
  void make(uint32_t rows);
  size_t row_bytes() const { return size_t{width_px_} * bytes_per_sample_; }

  const uint32_t width_px_, bytes_per_sample_;
  const SampleBand ink_;  ///< a band that has the ink, and nothing else
  const HalftoneOptions options_;
  Method method_;
  Threads threads_;
  const HalftonerTraits traits_;
  std::unique_ptr<HalftonerState> state_;
  std::vector<std::byte> samples_;                                   ///< rows from kept_ to seen_
  std::vector<uint8_t> dots_;                                        ///< rows from given_ to made_
  uint32_t kept_ = 0, seen_ = 0, made_ = 0, given_ = 0, taken_ = 0;  ///< rows of the page
  bool has_ended_ = false;
  bool is_whole_ = true;  ///< no call has failed in its work
};

}  // namespace mezzo::library
