// Scales a plane for an oracle in another language.
//
//   scale_samples WIDTH HEIGHT PX QX PY QY FILTER BAND_ROWS THREADS < samples > samples
//
// Samples are ink15, 16 bits, in the order of this machine. The plate comes in bands of BAND_ROWS,
// each from the rows that it needs.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "kernels/prepress/scale.h"
#include "tests/support/thread_team.h"

namespace {

using namespace mezzo;

MutableSampleBand band_of(std::vector<uint16_t>& samples, uint32_t width, uint32_t first) {
  return {.data = reinterpret_cast<std::byte*>(samples.data()),
          .width_px = width,
          .rows = static_cast<uint32_t>(samples.size() / width),
          .stride_bytes = 2 * size_t{width},
          .first_row = first,
          .bytes_per_sample = 2};
}

bool move_all(auto call, std::vector<uint16_t>& samples, std::FILE* file) {
  return call(samples.data(), 2, samples.size(), file) == samples.size();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 10) return 64;
  const auto number = [argv](int i) { return static_cast<uint32_t>(std::atoi(argv[i])); };
  const uint32_t width = number(1), height = number(2), band_rows = number(8);
  const auto* filter = std::ranges::find(
      prepress::kFilterNames, std::string_view(argv[7]), &prepress::FilterName::name);
  if (filter == std::end(prepress::kFilterNames)) return 64;
  const prepress::Scaling scaling{{number(3), number(4)}, {number(5), number(6)}, filter->filter};
  std::vector<uint16_t> page(size_t{width} * height);
  if (!move_all(std::fread, page, stdin)) return 65;
  const auto scaler = prepress::make_scaler(width, height, scaling);
  test::ThreadTeam team(number(9));
  for (uint32_t y = 0; y < scaler->plate_height_px(); y += band_rows) {
    const uint32_t rows = std::min(band_rows, scaler->plate_height_px() - y);
    const prepress::SampleRange needed = scaler->rows_needed(y, rows);
    const auto* from = page.data() + size_t{needed.first} * width;
    std::vector<uint16_t> piece(from, from + size_t{needed.count} * width);
    std::vector<uint16_t> plate(size_t{scaler->plate_width_px()} * rows);
    scaler->run(
        band_of(piece, width, needed.first), band_of(plate, scaler->plate_width_px(), y), team);
    if (!move_all(std::fwrite, plate, stdout)) return 74;
  }
  return 0;
}
