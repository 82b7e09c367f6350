// A page of noise for the tests of chains, and rows of it as samples.
#pragma once

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "stages/band/contone_buffer.h"
#include "stages/page_info.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo::test {

inline PageInfo page_of(uint32_t width, uint32_t height, uint32_t max_sample, size_t inks) {
  PageInfo page;
  page.width_px = width;
  page.height_px = height;
  page.resolution = {300, 300};
  page.max_sample = max_sample;
  page.bytes_per_sample = max_sample > 255 ? 2 : 1;
  for (size_t i = 0; i < inks; ++i) page.inks.push_back("ink" + std::to_string(i));
  return page;
}

/// A page of noise, which tells of the rows that it was asked for.
class NoisyPage final : public tiff::PageReader {
 public:
  NoisyPage(const PageInfo& page, uint32_t quantum) : page_(page), quantum_(quantum) {
    std::mt19937 random(7);
    for (size_t i = 0; i < page.inks.size() * page.height_px * page.width_px; ++i) {
      samples_.push_back(static_cast<uint16_t>(random() % (page.max_sample + 1)));
    }
  }

  uint32_t row_quantum() const override { return quantum_; }
  bool goes_back_cheaply() const override { return true; }
  size_t working_bytes(uint32_t, uint32_t) const override { return 1000; }
  void read(std::span<const MutableSampleBand> planes, Team&) override {
    rows_read += planes.front().rows;
    for (size_t plane = 0; plane < planes.size(); ++plane) {
      const MutableSampleBand& to = planes[plane];
      for (uint32_t i = 0; i < to.rows; ++i) {
        for (uint32_t x = 0; x < to.width_px; ++x) {
          const uint16_t sample = at(plane, x, to.first_row + i);
          if (to.bytes_per_sample == 1) {
            to.row(i)[x] = static_cast<std::byte>(sample);
          } else {
            std::memcpy(to.row(i) + 2 * x, &sample, 2);
          }
        }
      }
    }
  }
  uint16_t at(size_t plane, uint32_t x, uint32_t y) const {
    return samples_[(plane * page_.height_px + y) * page_.width_px + x];
  }

  uint64_t rows_read = 0;

 private:
  PageInfo page_;
  uint32_t quantum_;
  std::vector<uint16_t> samples_;
};

/// Rows of all inks, one after the other.
inline std::vector<uint16_t> read_rows(tiff::PageReader& reader,
                                       const PageInfo& page,
                                       uint32_t y,
                                       uint32_t n) {
  ContoneBuffer buffer(page, n);
  const auto planes = buffer.rows(y, n);
  SoloTeam solo;
  reader.read(planes, solo);
  std::vector<uint16_t> samples;
  for (const MutableSampleBand& plane : planes) {
    const size_t count = size_t{n} * page.width_px;
    if (page.bytes_per_sample == 1) {
      samples.insert(samples.end(), plane.row8(0), plane.row8(0) + count);
    } else {
      samples.insert(samples.end(), plane.row16(0), plane.row16(0) + count);
    }
  }
  return samples;
}

}  // namespace mezzo::test
