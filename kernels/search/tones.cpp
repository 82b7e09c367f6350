#include "kernels/search/tones.h"

namespace mezzo::search {

std::vector<uint16_t> tones_of(const SampleBand& in, const ToneCurve& curve, Team& team) {
  std::vector<uint16_t> tones(size_t{in.width_px} * in.rows);
  for_each_index(team, in.rows, [&](uint32_t i) {
    uint16_t* row = tones.data() + size_t{i} * in.width_px;
    for (uint32_t x = 0; x < in.width_px; ++x) {
      row[x] = curve[in.bytes_per_sample == 1 ? in.row8(i)[x] : in.row16(i)[x]];
    }
  });
  return tones;
}

}  // namespace mezzo::search
