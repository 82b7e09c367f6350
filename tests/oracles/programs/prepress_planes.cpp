// Colours and ink limits of planes in raw files, for an oracle in another language.
//
//   prepress_planes convert|reference INPUTS OUTPUTS GRID BITS RULE BLACK NODES CURVE IN OUT
//   prepress_planes limit MOST SPOTS IN OUT
//
// NODES, CURVE, IN and OUT are files of uint16, IN of bytes where BITS is 8, in the order of this
// machine; IN and OUT hold planes, one behind the other. RULE is the number of a BlackRule; a rule
// without a curve has an empty file. `limit` takes the planes of C, M, Y and K and of SPOTS more that
// count, and prints its counts.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/prepress/colour_lookup.h"
#include "kernels/prepress/ink_limit.h"

namespace {

using namespace mezzo;

template <typename T>
std::vector<T> read(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<T> values(bytes.size() / sizeof(T));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(values.data()));
  return values;
}

void write(const char* path, const std::vector<uint16_t>& values) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(uint16_t)));
}

/// Where each plane begins.
template <typename T>
std::vector<T*> planes(std::vector<typename std::remove_const<T>::type>& values, size_t count) {
  std::vector<T*> found;
  for (size_t i = 0; i < count; ++i) found.push_back(values.data() + i * (values.size() / count));
  return found;
}

template <typename T>
void convert(const prepress::ColourTable& table, bool plainly, const char* from, const char* to) {
  std::vector<T> in = read<T>(from);
  const size_t count = in.size() / table.shape().inputs;
  std::vector<uint16_t> out(count * table.shape().outputs);
  const auto rows = planes<const T>(in, table.shape().inputs);
  const auto inks = planes<uint16_t>(out, table.shape().outputs);
  const std::span<const T* const> before(rows);
  const std::span<uint16_t* const> after(inks);
  if (plainly) {
    prepress::reference::convert(table, before, after, static_cast<uint32_t>(count));
  } else {
    prepress::convert(table, before, after, static_cast<uint32_t>(count));
  }
  write(to, out);
}

void limit(uint32_t most, size_t spots, const char* from, const char* to) {
  std::vector<uint16_t> samples = read<uint16_t>(from);
  const auto inks = planes<uint16_t>(samples, 4 + spots);
  const std::vector<const uint16_t*> counted(inks.begin() + 4, inks.end());
  prepress::LimitedInks<uint16_t> rows{.spots = counted};
  std::copy_n(inks.begin(), 4, rows.cmyk.begin());
  const auto counts =
      prepress::limit_ink(most, rows, static_cast<uint32_t>(samples.size() / (4 + spots)));
  std::printf("%lu %lu %lu %lu %lu %u %u\n",
              counts.pixels,
              counts.above,
              counts.changed,
              counts.sum_before,
              counts.sum_after,
              counts.most_before,
              counts.most_after);
  write(to, samples);
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [argv](int i) { return static_cast<uint32_t>(std::atoi(argv[i])); };
  const std::string_view action = argc > 1 ? argv[1] : "";
  try {
    if (action == "limit" && argc == 6) {
      limit(number(2), number(3), argv[4], argv[5]);
      return 0;
    }
    if (argc != 12) return 64;
    const prepress::ColourTable table({number(2), number(3), number(4)},
                                      read<uint16_t>(argv[8]),
                                      static_cast<prepress::BlackRule>(number(6)),
                                      number(7),
                                      read<uint16_t>(argv[9]));
    const auto call = number(5) == 8 ? convert<uint8_t> : convert<uint16_t>;
    call(table, action == "reference", argv[10], argv[11]);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 65;
  }
  return 0;
}
