// Rows of RGB pixels as PNG and PDF both compress them: each after the filter of PNG that suits it, in
// one stream of zlib.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace mezzo::proof {

class FlateRows {
 public:
  /// `take` gets the compressed bytes, in pieces.
  FlateRows(uint32_t width_px, std::function<void(std::span<const uint8_t>)> take);
  ~FlateRows();
  FlateRows(const FlateRows&) = delete;
  FlateRows& operator=(const FlateRows&) = delete;

  void add_row(const uint8_t* rgb);
  void finish();

 private:
  struct Stream;
  void put(std::span<const uint8_t> bytes, int flush);

  const std::function<void(std::span<const uint8_t>)> take_;
  const std::unique_ptr<Stream> stream_;
  std::vector<uint8_t> above_;
  std::vector<uint8_t> by_left_, by_above_;  ///< the row, filtered, after the number of its filter
  std::vector<uint8_t> out_;
};

}  // namespace mezzo::proof
