#include "stages/chain/select_stage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

namespace mezzo::chain {

std::string SelectStage::describe() const {
  return fmt::format("inks {} alone", fmt::join(page().inks, ", "));
}

std::string SelectStage::digest() const {
  return fmt::format("inks {}", fmt::join(planes_, " "));
}

void SelectStage::run(std::span<const SampleBand> from,
                      std::span<const MutableSampleBand> to,
                      Team& team) const {
  for_each_index(team, static_cast<uint32_t>(to.size()), [&](uint32_t i) {
    const SampleBand rows = from[planes_[i]].rows_of_page(to[i].first_row, to[i].rows);
    for (uint32_t y = 0; y < rows.rows; ++y) {
      std::memcpy(to[i].row(y), rows.row(y), size_t{rows.width_px} * rows.bytes_per_sample);
    }
  });
}

}  // namespace mezzo::chain
