// Our interpolation beside lcms2's, on the same nodes, in one run.
//
// usage: colour_and_lcms CMYK.icc ANOTHER_CMYK.icc          compares; exits with 1 where they differ
//        colour_and_lcms CMYK.icc ANOTHER_CMYK.icc --speed  also prints megapixels a second of both
//
// sRGB to the first profile and the first to the second, relative colorimetric. Differences are in
// levels of 255, from lcms2 in floating point without its own tables, and from its usual transform,
// which is tetrahedra between 33 nodes of RGB, as ours with that grid.
#include <lcms2.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/prepress/colour_lookup.h"
#include "kernels/prepress/deinterleave.h"

namespace {

using namespace mezzo;

constexpr uint32_t kWidth = 2048, kRows = 256, kPixels = kWidth * kRows;
constexpr uint32_t kInks = 4;

/// A pair of profiles.
struct Way {
  std::string name;
  uint32_t inputs;
  cmsHPROFILE from, to;
};

class Transform {
 public:
  Transform(const Way& way, cmsUInt32Number in, cmsUInt32Number out, cmsUInt32Number flags)
      : handle_(
            cmsCreateTransform(way.from, in, way.to, out, INTENT_RELATIVE_COLORIMETRIC, flags)) {
    if (handle_ == nullptr) std::exit(2);
  }
  ~Transform() { cmsDeleteTransform(handle_); }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  void run(const void* in, void* out, uint32_t pixels) const {
    cmsDoTransform(handle_, in, out, pixels);
  }

 private:
  cmsHTRANSFORM handle_;
};

cmsUInt32Number type_of(uint32_t channels, cmsUInt32Number rgb, cmsUInt32Number cmyk) {
  return channels == 3 ? rgb : cmyk;
}

/// lcms2 in floating point: values 0 .. 1 of RGB and 0 .. 100 of CMYK, to shares of ink.
std::vector<double> exact(const Way& way, const std::vector<double>& colours) {
  const Transform transform(
      way, type_of(way.inputs, TYPE_RGB_DBL, TYPE_CMYK_DBL), TYPE_CMYK_DBL, cmsFLAGS_NOOPTIMIZE);
  std::vector<double> inks(colours.size() / way.inputs * kInks);
  transform.run(colours.data(), inks.data(), static_cast<uint32_t>(inks.size() / kInks));
  for (double& ink : inks) ink /= 100;
  return inks;
}

prepress::ColourTable table_of(const Way& way, uint32_t grid) {
  const prepress::ColourShape shape{way.inputs, kInks, grid};
  std::vector<double> colours;
  for (uint64_t node = 0; node < prepress::node_values(shape) / kInks; ++node) {
    uint64_t stride = prepress::node_values(shape) / kInks;
    for (uint32_t d = 0; d < way.inputs; ++d) {
      stride /= grid;
      const auto level = static_cast<double>(node / stride % grid) / (grid - 1);
      colours.push_back(way.inputs == 3 ? level : 100 * level);
    }
  }
  std::vector<uint16_t> nodes;
  for (const double ink : exact(way, colours)) {
    nodes.push_back(static_cast<uint16_t>(std::lround(std::clamp(ink, 0.0, 1.0) * 32640)));
  }
  return {shape, std::move(nodes)};
}

/// Vignettes with grain, as 8 bits, interleaved.
std::vector<uint8_t> page_of(uint32_t inputs) {
  std::mt19937 random(1);
  std::vector<uint8_t> page;
  for (uint32_t i = 0; i < kPixels; ++i) {
    const uint32_t x = i % kWidth, y = i / kWidth;
    for (uint32_t d = 0; d < inputs; ++d) {
      const uint32_t wave = (x * (d + 1) / 4 + y * (inputs - d) + random() % 16) % 512;
      page.push_back(static_cast<uint8_t>(wave < 256 ? wave : 511 - wave));
    }
  }
  return page;
}

struct Planes {
  explicit Planes(const std::vector<uint8_t>& page, uint32_t inputs)
      : in(inputs, std::vector<uint8_t>(kPixels)), out(kInks, std::vector<uint16_t>(kPixels)) {
    std::vector<std::byte*> rows;
    for (auto& plane : in) rows.push_back(reinterpret_cast<std::byte*>(plane.data()));
    prepress::deinterleave(
        {reinterpret_cast<const std::byte*>(page.data()), 1, inputs, kPixels}, rows, inputs, 255);
  }

  void convert(const prepress::ColourTable& table) {
    for (uint32_t at = 0; at < kPixels; at += kWidth) {
      std::vector<const uint8_t*> from;
      std::vector<uint16_t*> to;
      for (const auto& plane : in) from.push_back(plane.data() + at);
      for (auto& plane : out) to.push_back(plane.data() + at);
      prepress::convert(table, std::span<const uint8_t* const>(from), to, kWidth);
    }
  }

  std::vector<std::vector<uint8_t>> in;
  std::vector<std::vector<uint16_t>> out;
};

/// Shares of ink that we made, interleaved.
std::vector<double> shares_of(const Planes& ours) {
  std::vector<double> shares;
  for (size_t i = 0; i < size_t{kPixels} * kInks; ++i) {
    shares.push_back(ours.out[i % kInks][i / kInks] / 32640.0);
  }
  return shares;
}

/// And lcms2, by its usual tables.
std::vector<double> usual_shares(const Way& way, const std::vector<uint8_t>& page) {
  const Transform usual(
      way, type_of(way.inputs, TYPE_RGB_8, TYPE_CMYK_8), TYPE_CMYK_16, cmsFLAGS_NOCACHE);
  std::vector<uint16_t> words(size_t{kPixels} * kInks);
  usual.run(page.data(), words.data(), kPixels);
  std::vector<double> shares;
  for (const uint16_t word : words) shares.push_back(word / 65535.0);
  return shares;
}

struct Difference {
  double mean = 0, p99 = 0, most = 0;  ///< levels of 255
};

Difference difference(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> apart(a.size());
  for (size_t i = 0; i < a.size(); ++i) apart[i] = 255 * std::abs(a[i] - b[i]);
  std::ranges::sort(apart);
  double sum = 0;
  for (const double each : apart) sum += each;
  return {sum / static_cast<double>(apart.size()), apart[apart.size() / 100 * 99], apart.back()};
}

bool check(const Way& way, const char* name, const Difference& found, const Difference& limit) {
  const bool good = found.mean <= limit.mean && found.p99 <= limit.p99 && found.most <= limit.most;
  std::printf("%s, %s: mean %.3f, 99 %% below %.2f, at most %.2f levels%s\n",
              way.name.c_str(),
              name,
              found.mean,
              found.p99,
              found.most,
              good ? "" : ": TOO MUCH");
  return good;
}

bool compare(const Way& way) {
  const std::vector<uint8_t> page = page_of(way.inputs);
  std::vector<double> colours;
  for (const uint8_t v : page) colours.push_back(v / (way.inputs == 3 ? 255.0 : 2.55));
  const std::vector<double> floats = exact(way, colours), usual = usual_shares(way, page);
  const Difference of_lcms = difference(usual, floats);
  constexpr Difference kAny = {255, 255, 255};
  check(way, "lcms2's tables from its floats", of_lcms, kAny);
  Planes planes(page, way.inputs);
  planes.convert(table_of(way, prepress::most_grid(way.inputs)));
  const Difference limit = {0.3, 2.2, of_lcms.most};
  bool good = check(way, "ours from its floats", difference(shares_of(planes), floats), limit);
  if (way.inputs != 3) return good;
  planes.convert(table_of(way, 33));
  const Difference close = {0.02, 0.1, 0.5};
  good &= check(way, "our 33 nodes from its tables", difference(shares_of(planes), usual), close);
  return good;
}

/// The best of some runs, in megapixels a second.
template <typename Run>
void time(const char* name, const Run& run) {
  double best = 1e9;
  for (int i = 0; i < 7; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    best = std::min(best, took.count());
  }
  std::printf("  %-32s %7.1f Mpx/s\n", name, kPixels / best / 1e6);
}

void measure(const Way& way) {
  std::printf("%s, 8 bits, one thread\n", way.name.c_str());
  const std::vector<uint8_t> page = page_of(way.inputs);
  std::vector<uint8_t> inks(size_t{kPixels} * kInks);
  for (const auto& [name, flags] : {std::pair{"lcms2", cmsUInt32Number{0}},
                                    {"lcms2, no cache", cmsUInt32Number{cmsFLAGS_NOCACHE}}}) {
    const Transform transform(
        way, type_of(way.inputs, TYPE_RGB_8, TYPE_CMYK_8), TYPE_CMYK_8, flags);
    time(name, [&] { transform.run(page.data(), inks.data(), kPixels); });
  }
  Planes planes(page, way.inputs);
  for (const uint32_t grid : {way.inputs == 3 ? 33U : 17U, prepress::most_grid(way.inputs)}) {
    const prepress::ColourTable table = table_of(way, grid);
    time(("mezzotint, " + std::to_string(grid) + " nodes").c_str(), [&] { planes.convert(table); });
  }
}

}  // namespace

int main(int count, char** words) {
  if (count < 3 || count > 4) return 64;
  const cmsHPROFILE press = cmsOpenProfileFromFile(words[1], "r");
  const cmsHPROFILE other = cmsOpenProfileFromFile(words[2], "r");
  if (press == nullptr || other == nullptr) {
    std::printf("skipped: there is no %s or no %s\n", words[1], words[2]);
    return 77;
  }
  const Way ways[] = {{"sRGB to CMYK", 3, cmsCreate_sRGBProfile(), press},
                      {"CMYK to CMYK", 4, press, other}};
  bool good = true;
  for (const Way& way : ways) good &= compare(way);
  if (count == 4 && std::strcmp(words[3], "--speed") == 0) {
    for (const Way& way : ways) measure(way);
  }
  return good ? 0 : 1;
}
