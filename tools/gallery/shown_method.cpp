#include "tools/gallery/shown_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "kernels/band/ink_texture.h"
#include "kernels/band/tone.h"
#include "kernels/gpu/context.h"
#include "kernels/halftoner.h"
#include "kernels/quality/colour/colour_judge.h"
#include "kernels/quality/judge.h"
#include "kernels/quality/memory_pair.h"
#include "kernels/registry.h"
#include "kernels/together/ink_colours.h"
#include "kernels/together/inks_halftoner.h"
#include "kernels/together/parameter.h"
#include "manifests/parameters.h"
#include "manifests/scalars.h"
#include "tools/compare/print_section.h"

namespace mezzo::gallery {
namespace {

using Parameters = std::map<std::string, double, std::less<>>;

constexpr double kCellPx = 8;  // of a screen by ruling whose cells would be smaller

std::vector<std::string> split(const std::string& text, char by) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (size_t end = text.find(by); end != std::string::npos; end = text.find(by, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

const ParameterInfo* parameter_of(const MethodInfo& method, std::string_view name) {
  const auto found = std::ranges::find(method.parameters, name, &ParameterInfo::name);
  return found == method.parameters.end() ? nullptr : &*found;
}

/// "fm:dot=2:size=64"
Wanted parse_wanted(const std::string& text) {
  std::vector<std::string> parts = split(text, ':');
  Wanted wanted{parts[0], {}, text};
  const MethodInfo* method = find_method(wanted.method);
  if (method == nullptr) {
    with_defaults({.method = wanted.method});  // throws, and names the closest one
    return wanted;
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    const size_t equals = parts[i].find('=');
    const std::string name = parts[i].substr(0, equals);
    const ParameterInfo* parameter = parameter_of(*method, name);
    if (equals == std::string::npos || parameter == nullptr) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format(
              "--methods {}: '{}' is no parameter of {}; write {}:NAME=VALUE, with the names of "
              "'mezzotint halftone --method {} --help'",
              text,
              parts[i],
              wanted.method,
              wanted.method,
              wanted.method));
    }
    const auto parsed = manifests::parse_parameter(*parameter, parts[i].substr(equals + 1));
    if (!parsed.value) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("--methods {}: {} {}", text, name, parsed.problem));
    }
    wanted.parameters[name] = *parsed.value;
  }
  return wanted;
}

std::vector<Wanted> all_methods(size_t inks) {
  std::vector<Wanted> all;
  for (const MethodInfo& method : methods()) {
    if (method.takes_tile) continue;
    const std::string name(method.name);
    all.push_back({name, {}, name});
    if (inks < 2 || method.make_together == nullptr) continue;
    const std::string inks_name(together::kInksParameter.name);
    all.push_back({name, {{inks_name, 1}}, name + ":inks=together"});
  }
  return all;
}

/// For a plate of the conditions, with their budget.
CompleteSettings settings_of(const Wanted& wanted,
                             const Piece& piece,
                             const std::string& ink,
                             const Conditions& conditions) {
  HalftoneSettings settings;
  settings.method = wanted.method;
  settings.engine = Engine::kCpu;
  settings.parameters = wanted.parameters;
  const MethodInfo& method = *find_method(wanted.method);
  const auto fill = [&](std::string_view name, double value) {
    if (parameter_of(method, name) != nullptr) {
      settings.parameters.try_emplace(std::string(name), value);
    }
  };
  const ParameterInfo* ruling = parameter_of(method, "ruling");
  if (ruling != nullptr) {
    fill("ruling", std::min(ruling->default_value, conditions.viewing.dpi / kCellPx));
  }
  const bool is_together = together::are_together(settings);
  fill("budget",
       conditions.budget_s / (is_together ? 1.0 : static_cast<double>(piece.inks.size())));
  return complete(settings, {.dpi = conditions.viewing.dpi, .ink = ink});
}

SampleBand band_of(const Piece& piece, size_t ink) {
  const uint32_t texture = texture_of_ink(piece.inks[ink]);
  return {.data = reinterpret_cast<const std::byte*>(piece.planes[ink].data()),
          .width_px = piece.place.width_px,
          .rows = piece.place.height_px,
          .stride_bytes = 2 * size_t{piece.place.width_px},
          .bytes_per_sample = 2,
          .plane = texture,
          .texture = texture};
}

BitBand band_of(Bits& bits) {
  return {bits.bytes.data(), bits.width, bits.height, bits.stride_bytes()};
}

Bits blank(const Rect& place) {
  return {std::vector<uint8_t>(bit_row_bytes(place.width_px) * place.height_px),
          place.width_px,
          place.height_px};
}

quality::Print print_of(const Piece& piece) {
  return compare::print_of(piece.inks, 0, 300);
}

void halftone_together(const Piece& piece,
                       const CompleteSettings& settings,
                       Team& team,
                       ShownMethod& shown) {
  const quality::Print print = print_of(piece);
  std::vector<size_t> order(piece.inks.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t ink) { return print.colours.solids[ink].l; });
  std::vector<std::string> names;
  for (const size_t ink : order) names.push_back(piece.inks[ink]);
  const auto colours = together::InkColours::of(compare::print_of(names, 0, 300).colours);
  const auto chosen = make_inks_halftoner(settings, colours, gpu::Context::of_process());
  const ToneCurve curve(piece.max_ink, Polarity::kMaxIsInk, {});
  std::vector<SampleBand> in;
  std::vector<const ToneCurve*> curves(order.size(), &curve);
  std::vector<BitBand> out;
  for (const size_t ink : order) {
    in.push_back(band_of(piece, ink));
    out.push_back(band_of(shown.plates[ink]));
  }
  const auto state =
      chosen.halftoner->make_state(piece.place.width_px, static_cast<uint32_t>(order.size()));
  chosen.halftoner->run({in, curves, out}, state.get(), team);
}

void halftone_apart(const Piece& piece,
                    const Wanted& wanted,
                    const Conditions& conditions,
                    Team& team,
                    ShownMethod& shown) {
  const ToneCurve curve(piece.max_ink, Polarity::kMaxIsInk, {});
  for (size_t ink = 0; ink < piece.inks.size(); ++ink) {
    const auto chosen = make_halftoner(settings_of(wanted, piece, piece.inks[ink], conditions));
    run_plane(*chosen.halftoner, band_of(piece, ink), curve, band_of(shown.plates[ink]), team);
  }
}

void judge(const Piece& piece, const Conditions& conditions, Team& team, ShownMethod& shown) {
  std::vector<std::unique_ptr<quality::MemoryPair>> pairs;
  std::vector<quality::PagePair*> inks;
  const auto pair_up = [&] {
    pairs.clear();
    inks.clear();
    for (size_t ink = 0; ink < piece.inks.size(); ++ink) {
      pairs.push_back(std::make_unique<quality::MemoryPair>(
          band_of(piece, ink), piece.max_ink, Polarity::kMaxIsInk, band_of(shown.plates[ink])));
      inks.push_back(pairs.back().get());
    }
  };
  pair_up();
  for (quality::PagePair* pair : inks) {
    shown.reports.push_back(quality::judge(*pair, conditions.viewing, team));
  }
  if (piece.inks.size() < 2) return;
  pair_up();
  shown.colours = quality::judge_colour(
      inks, print_of(piece), conditions.viewing, quality::RegisterError::kSkipped, team);
}

/// `ink_of` gives the grey of an ink, 255 without any.
template <typename Grey>
report::ColourImage coloured(const Piece& piece, const Grey& grey) {
  const Rect& place = piece.place;
  std::vector<report::GreyImage> inks(piece.inks.size());
  std::vector<const report::GreyImage*> views;
  for (size_t ink = 0; ink < inks.size(); ++ink) {
    inks[ink] = {place.width_px, place.height_px, {}};
    for (uint32_t y = 0; y < place.height_px; ++y) {
      for (uint32_t x = 0; x < place.width_px; ++x) inks[ink].pixels.push_back(grey(ink, x, y));
    }
    views.push_back(&inks[ink]);
  }
  if (inks.size() > 1) return compare::colour_dots(print_of(piece).colours, views);
  report::ColourImage image{place.width_px, place.height_px, {}};
  for (const uint8_t value : inks[0].pixels) image.pixels.push_back({value, value, value});
  return image;
}

}  // namespace

std::vector<Wanted> wanted_methods(const std::string& list, size_t inks) {
  if (list.empty()) return all_methods(inks);
  std::vector<Wanted> wanted;
  for (const std::string& text : split(list, ',')) {
    wanted.push_back(parse_wanted(text));
    if (inks < 2 && wanted.back().parameters.contains(together::kInksParameter.name)) {
      throw Error(
          ErrorKind::kUsage,
          fmt::format("--methods {}: the page has one ink, and inks are together from two on",
                      text));
    }
  }
  return wanted;
}

ShownMethod show(const Piece& piece,
                 const Wanted& wanted,
                 const Conditions& conditions,
                 Team& team) {
  ShownMethod shown;
  shown.name = wanted.name;
  shown.summary = find_method(wanted.method)->summary;
  shown.plates.assign(piece.inks.size(), blank(piece.place));
  const auto begin = std::chrono::steady_clock::now();
  const CompleteSettings first = settings_of(wanted, piece, piece.inks[0], conditions);
  if (together::are_together(*first)) {
    halftone_together(piece, first, team, shown);
  } else {
    halftone_apart(piece, wanted, conditions, team, shown);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  shown.seconds = took.count();
  judge(piece, conditions, team, shown);
  shown.picture = coloured(piece, [&](size_t ink, uint32_t x, uint32_t y) {
    return static_cast<uint8_t>(shown.plates[ink].ink(x, y) ? 0 : 255);
  });
  return shown;
}

report::ColourImage picture_of(const Piece& piece) {
  return coloured(piece, [&](size_t ink, uint32_t x, uint32_t y) {
    const uint32_t value = piece.planes[ink][size_t{y} * piece.place.width_px + x];
    return static_cast<uint8_t>(255 - (510 * value + piece.max_ink) / (2 * piece.max_ink));
  });
}

}  // namespace mezzo::gallery
