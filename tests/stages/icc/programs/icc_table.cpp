// Makes a table of two profiles for oracles in other languages.
//
//   icc_table INPUT OUTPUT INTENT BLACK_POINT BLACK GRID digest
//   icc_table INPUT OUTPUT INTENT BLACK_POINT BLACK GRID convert < samples > inks
//
// INPUT and OUTPUT are profiles, or sRGB; where OUTPUT is `link`, INPUT is a device link; INTENT 0 to 3; BLACK_POINT 0 or 1; BLACK 0 to 3, as
// BlackMode; GRID 0 for the default. Samples are 16 bits and inks ink15, in the order of this machine,
// those of a pixel beside each other.

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "kernels/prepress/colour_lookup.h"
#include "stages/icc/make_table.h"

namespace {

using namespace mezzo;

icc::Profile profile_named(std::string_view name) {
  return name == "sRGB" ? icc::Profile::srgb() : icc::Profile::read(std::string(name));
}

std::vector<uint16_t> all_samples() {
  std::vector<uint16_t> samples, piece(1 << 16);
  while (const size_t count = std::fread(piece.data(), 2, piece.size(), stdin)) {
    samples.insert(
        samples.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(count));
  }
  return samples;
}

/// Interleaved as they come and go.
std::vector<uint16_t> converted(const prepress::ColourTable& table,
                                const std::vector<uint16_t>& samples) {
  const uint32_t inputs = table.shape().inputs, outputs = table.shape().outputs;
  const size_t pixels = samples.size() / inputs;
  std::vector<uint16_t> in(samples.size()), out(pixels * outputs), inks(out.size());
  std::vector<const uint16_t*> from;
  std::vector<uint16_t*> to;
  for (uint32_t c = 0; c < inputs; ++c) from.push_back(&in[c * pixels]);
  for (uint32_t c = 0; c < outputs; ++c) to.push_back(&out[c * pixels]);
  for (size_t i = 0; i < samples.size(); ++i) in[i % inputs * pixels + i / inputs] = samples[i];
  prepress::convert(table, from, to, static_cast<uint32_t>(pixels));
  for (size_t i = 0; i < inks.size(); ++i) inks[i] = out[i % outputs * pixels + i / outputs];
  return inks;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 8) return 64;
  const auto number = [argv](int i) { return static_cast<uint32_t>(std::atoi(argv[i])); };
  const icc::TableSettings settings = {.intent = static_cast<icc::Intent>(number(3)),
                                       .black_point = number(4) != 0,
                                       .black = static_cast<icc::BlackMode>(number(5)),
                                       .grid = number(6)};
  const icc::Profile input = profile_named(argv[1]);
  const auto table = argv[2] == std::string_view("link")
                         ? make_link_table(input, settings)
                         : make_table(input, profile_named(argv[2]), settings);
  if (std::string_view(argv[7]) == "digest") {
    std::puts(table->digest().c_str());
    return 0;
  }
  const std::vector<uint16_t> inks = converted(*table, all_samples());
  return std::fwrite(inks.data(), 2, inks.size(), stdout) == inks.size() ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
