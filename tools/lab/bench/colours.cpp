#include "tools/lab/bench/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "kernels/band/ink15.h"
#include "kernels/prepress/colour_lookup.h"
#include "kernels/prepress/deinterleave.h"
#include "kernels/prepress/ink_limit.h"
#include "tools/synth/page.h"
#include "tools/synth/photo.h"

namespace mezzo::bench {
namespace {

using Run = Benchmark::Run;
using prepress::BlackRule;
using prepress::ColourTable;

constexpr PlaneSize kColourPage = {4096, 256};
constexpr size_t kColourPixels = size_t{kColourPage.width_px} * kColourPage.height_px;
constexpr uint32_t kInks = 4;

template <typename T>
using Planes = std::vector<std::vector<T>>;

enum class Picture { kPhoto, kRandom };

/// The middle of a landscape, or noise; 8 bits.
Planes<uint8_t> draw(Picture picture, uint32_t inputs) {
  Planes<uint8_t> planes(inputs, std::vector<uint8_t>(kColourPixels));
  if (picture == Picture::kRandom) {
    std::mt19937 random(1);
    for (auto& plane : planes) {
      for (uint8_t& sample : plane) sample = static_cast<uint8_t>(random());
    }
    return planes;
  }
  constexpr int32_t kSide = kColourPage.width_px, kRows = kColourPage.height_px;
  constexpr uint32_t kFirstRow = (kColourPage.width_px - kColourPage.height_px) / 2;
  synth::ShapeList shapes;
  shapes.push_back(synth::make_landscape({0, 0, kSide, kSide}, inputs, kPhotoSeed));
  const synth::SynthPage page(
      {.width_px = kColourPage.width_px, .height_px = kColourPage.width_px, .planes = inputs},
      std::move(shapes));
  std::vector<std::byte> samples(page.row_bytes() * kRows);
  page.render_rows(kFirstRow, kRows, samples.data());
  std::vector<std::byte*> rows;
  for (auto& plane : planes) rows.push_back(reinterpret_cast<std::byte*>(plane.data()));
  prepress::deinterleave({samples.data(), 1, inputs, kColourPixels}, rows, inputs, 255);
  return planes;
}

/// Inks that grow as the first inputs fall (RGB) or rise, as those of a press do.
ColourTable table_of(uint32_t inputs, uint32_t grid, BlackRule rule) {
  const prepress::ColourShape shape{inputs, kInks, grid};
  std::vector<uint16_t> nodes(prepress::node_values(shape));
  const uint64_t most = grid - 1;
  for (size_t i = 0; i < nodes.size(); ++i) {
    size_t node = i / kInks;
    uint64_t level[kInks] = {};
    for (uint32_t d = inputs; d-- > 0; node /= grid) level[d] = node % grid;
    const uint64_t ink = level[i % kInks] * level[i % kInks] * kInk15 / (most * most);
    nodes[i] = static_cast<uint16_t>(inputs == 3 ? kInk15 - ink : ink);
  }
  std::vector<uint16_t> curve;
  if (prepress::has_curve(rule)) curve = {0, kInk15};
  return {shape, std::move(nodes), rule, kInks - 1, std::move(curve)};
}

/// A page, its table, and a row of each ink.
struct Conversion {
  Planes<uint8_t> page;
  ColourTable table;
  Planes<uint16_t> inks{kInks, std::vector<uint16_t>(kColourPage.width_px)};
};

enum class Loop { kFast, kReference };

Run converting(Picture picture, uint32_t inputs, uint32_t grid, BlackRule rule, Loop loop) {
  const auto work =
      std::make_shared<Conversion>(Conversion{draw(picture, inputs), table_of(inputs, grid, rule)});
  return [work, loop] {
    std::vector<uint16_t*> out;
    for (auto& row : work->inks) out.push_back(row.data());
    for (size_t at = 0; at < kColourPixels; at += kColourPage.width_px) {
      std::vector<const uint8_t*> rows;
      for (const auto& plane : work->page) rows.push_back(plane.data() + at);
      const std::span<const uint8_t* const> in(rows);
      if (loop == Loop::kFast) {
        prepress::convert(work->table, in, out, kColourPage.width_px);
      } else {
        prepress::reference::convert(work->table, in, out, kColourPage.width_px);
      }
    }
  };
}

void add_conversions(uint32_t inputs, BlackRule rule, std::vector<Benchmark>& all) {
  const std::string group = fmt::format("colour, {} to 4 inks", inputs == 3 ? "RGB" : "CMYK");
  const uint32_t most = prepress::most_grid(inputs), fewer = inputs == 3 ? 33 : 17;
  const auto add = [&](const std::string& name, uint32_t grid, Picture picture, BlackRule black) {
    all.push_back({group, fmt::format("{} nodes, {}", grid, name), kColourPage, [=] {
                     return converting(picture, inputs, grid, black, Loop::kFast);
                   }});
  };
  add("photo", most, Picture::kPhoto, BlackRule::kNone);
  add("photo, black kept", most, Picture::kPhoto, rule);
  add("noise", most, Picture::kRandom, BlackRule::kNone);
  add("photo", fewer, Picture::kPhoto, BlackRule::kNone);
  add("noise", fewer, Picture::kRandom, BlackRule::kNone);
  all.push_back({group, fmt::format("{} nodes, photo, reference", most), kColourPage, [=] {
                   return converting(
                       Picture::kPhoto, inputs, most, BlackRule::kNone, Loop::kReference);
                 }});
}

/// With a copy of the rows, as a stage makes one.
Run limiting(uint32_t percent) {
  const auto page = std::make_shared<Planes<uint16_t>>();
  for (const auto& plane : draw(Picture::kRandom, kInks)) {
    page->emplace_back(kColourPixels);
    std::ranges::transform(plane, page->back().begin(), [](uint32_t v) { return ink15(v, 255); });
  }
  return [page, percent] {
    Planes<uint16_t> rows(kInks);
    for (size_t at = 0; at < kColourPixels; at += kColourPage.width_px) {
      prepress::LimitedInks<uint16_t> inks;
      for (uint32_t c = 0; c < kInks; ++c) {
        const uint16_t* from = (*page)[c].data() + at;
        rows[c].assign(from, from + kColourPage.width_px);
        inks.cmyk[c] = rows[c].data();
      }
      prepress::limit_ink(kInk15 / 100 * percent, inks, kColourPage.width_px);
    }
  };
}

}  // namespace

void add_colours(std::vector<Benchmark>& all) {
  add_conversions(3, BlackRule::kBlackPoint, all);
  add_conversions(4, BlackRule::kOnlyBlack, all);
  for (const uint32_t percent : {400, 300, 200}) {
    all.push_back({"ink limit", fmt::format("CMYK noise to {} %", percent), kColourPage, [percent] {
                     return limiting(percent);
                   }});
  }
}

}  // namespace mezzo::bench
