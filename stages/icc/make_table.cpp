#include "stages/icc/make_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/prepress/ink_limit.h"
#include "stages/files/sha256.h"
#include "stages/files/xxh3.h"
#include "stages/icc/black_curve.h"
#include "stages/icc/transform.h"

namespace mezzo::icc {
namespace {

using prepress::BlackRule;
using prepress::ColourShape;
using prepress::ColourTable;

/// What decides nodes; part of every cache key.
constexpr int kRecipeVersion = 1;

/// A table in the making.
struct Draft {
  ColourShape shape;
  std::vector<uint16_t> nodes;
  BlackRule rule = BlackRule::kNone;
  uint32_t black = 0;
  std::vector<uint16_t> curve;
};

/// The first value of the node where each input has the same place.
size_t node_at(const ColourShape& shape, size_t place) {
  size_t node = 0;
  for (uint32_t d = 0; d < shape.inputs; ++d) node = node * shape.grid + place;
  return node * shape.outputs;
}

ColourShape shape_of(uint32_t inputs, uint32_t outputs, uint32_t grid, const std::string& place) {
  const ColourShape shape = {inputs, outputs, grid == 0 ? default_grid(inputs) : grid};
  if (prepress::is_possible(shape)) return shape;
  throw Error(
      ErrorKind::kUnsupported,
      fmt::format("{}: a table of colours from {} to {} channels cannot have {} nodes along "
                  "each; it may have 2 to {}",
                  place,
                  inputs,
                  outputs,
                  shape.grid,
                  prepress::most_grid(inputs)));
}

/// The value of an input at its node: a fraction, or CIELab as make_table.h has it.
double input_value(ColourSpace space, uint32_t channel, uint32_t node, uint32_t grid) {
  const double fraction = static_cast<double>(node) / (grid - 1);
  if (space != ColourSpace::kLab) return fraction;
  return channel == 0 ? 100.0 * fraction : 256.0 * fraction - 128.0;
}

/// Ink of a result of lcms2, which may lie beyond its range, or be no number.
uint16_t node_of(double value, bool is_grey) {
  const double ink = is_grey ? 1.0 - value : value;
  if (!(ink > 0.0)) return 0;
  return static_cast<uint16_t>(std::lround(std::min(ink, 1.0) * kInk15));
}

std::vector<uint16_t> nodes_of(const Transform& transform,
                               const ColourShape& shape,
                               ColourSpace from,
                               ColourSpace to) {
  const uint32_t grid = shape.grid, last = shape.inputs - 1;
  std::vector<double> in(size_t{grid} * shape.inputs), out(size_t{grid} * shape.outputs);
  std::vector<uint32_t> place(shape.inputs, 0);
  std::vector<uint16_t> nodes;
  nodes.reserve(prepress::node_values(shape));
  while (true) {
    for (uint32_t i = 0; i < grid; ++i) {
      place[last] = i;
      for (uint32_t d = 0; d <= last; ++d) {
        in[size_t{i} * shape.inputs + d] = input_value(from, d, place[d], grid);
      }
    }
    transform.apply(in, out);
    for (const double each : out) nodes.push_back(node_of(each, to == ColourSpace::kGrey));
    uint32_t axis = last;  // a line along the last input is done: the next one
    while (axis > 0 && ++place[axis - 1] == grid) place[--axis] = 0;
    if (axis == 0) return nodes;
  }
}

/// White of the page becomes no ink, or white.
void pin_white(Draft& draft, ColourSpace from, ColourSpace to) {
  const uint32_t last = draft.shape.grid - 1;
  size_t at = 0;
  switch (from) {
    case ColourSpace::kGrey:
    case ColourSpace::kRgb:
      at = node_at(draft.shape, last);
      break;
    case ColourSpace::kCmyk:
    case ColourSpace::kInks:
      break;
    case ColourSpace::kLab:
      if (last % 2 != 0) return;  // neutrals lie between nodes
      at = (size_t{last} * draft.shape.grid + last / 2) * draft.shape.grid + last / 2;
      at *= draft.shape.outputs;
      break;
  }
  const bool is_light = to == ColourSpace::kRgb;
  std::fill_n(draft.nodes.begin() + static_cast<std::ptrdiff_t>(at),
              draft.shape.outputs,
              static_cast<uint16_t>(is_light ? kInk15 : 0));
}

/// A curve at a node of the grid, of equally spaced values.
uint16_t at_node(const std::vector<uint16_t>& curve, uint32_t node, uint32_t grid) {
  const size_t steps = grid - 1, place = node * (curve.size() - 1);
  const size_t i = place / steps, rest = place % steps;
  if (rest == 0) return curve[i];
  const size_t sum = curve[i] * (steps - rest) + curve[i + 1] * rest;
  return static_cast<uint16_t>((sum + steps / 2) / steps);
}

/// The nodes along the last input, with the others 0, get black alone.
void put_black(Draft& draft, const std::vector<uint16_t>& curve) {
  for (uint32_t k = 0; k < draft.shape.grid; ++k) {
    uint16_t* node = &draft.nodes[size_t{k} * draft.shape.outputs];
    std::fill_n(node, draft.shape.outputs, uint16_t{0});
    node[draft.black] = at_node(curve, k, draft.shape.grid);
  }
}

/// Where the page has no black, or nothing else, the press has neither.
void pin_plane(Draft& draft) {
  const size_t grid = draft.shape.grid, outputs = draft.shape.outputs;
  for (size_t at = draft.black; at < draft.nodes.size(); at += outputs) {
    const size_t k = at / outputs % grid;
    if (k == 0) draft.nodes[at] = 0;
    if (k == grid - 1) draft.nodes[at] = kInk15;
  }
}

/// Those of the profile, or those that the caller has for it; empty where neither names them.
std::vector<std::string> inks_of(const Profile& profile,
                                 uint32_t channels,
                                 const TableSettings& settings) {
  if (!profile.facts().ink_names.empty()) return profile.facts().ink_names;
  if (settings.ink_names.empty() || settings.ink_names.size() == channels) {
    return settings.ink_names;
  }
  throw Error(ErrorKind::kUnsupported,
              fmt::format("{}: the ICC profile is of {} inks, and {} names are given",
                          profile.place(),
                          channels,
                          settings.ink_names.size()),
              "name each");
}

/// What settings come to for two profiles.
struct Choice {
  uint32_t lcms_intent = 0;
  bool black_point = false;
  BlackMode black = BlackMode::kProfile;
  bool neutrals = false;
  std::optional<uint32_t> black_ink;
  std::vector<std::string> inks;
};

[[noreturn]] void refuse_black(const Profile& input, const Profile& output, const char* finding) {
  throw Error(ErrorKind::kUnsupported,
              fmt::format("{} to {}: {}", input.place(), output.place(), finding));
}

/// The mode that is not kUsual, and that these profiles can have.
BlackMode black_mode(const Profile& input,
                     const Profile& output,
                     bool has_black,
                     const TableSettings& settings) {
  const bool is_cmyk = input.space() == ColourSpace::kCmyk;
  if (settings.intent == Intent::kAbsolute) return BlackMode::kProfile;
  switch (settings.black) {
    case BlackMode::kProfile:
      return BlackMode::kProfile;
    case BlackMode::kUsual:
      return is_cmyk && has_black ? BlackMode::kOnlyBlack : BlackMode::kProfile;
    case BlackMode::kPlane:
      if (is_cmyk && output.space() == ColourSpace::kCmyk) return BlackMode::kPlane;
      refuse_black(
          input,
          output,
          "the black plane can be kept from CMYK to CMYK. Choose black: k-only or profile");
    case BlackMode::kOnlyBlack:
      break;
  }
  if (!has_black) {
    refuse_black(
        input,
        output,
        "black: k-only needs an ink named black, and the output has none. Name its inks, or "
        "choose black: profile");
  }
  const bool can =
      is_cmyk || input.space() == ColourSpace::kRgb || input.space() == ColourSpace::kGrey;
  if (can) return BlackMode::kOnlyBlack;
  refuse_black(
      input, output, "black: k-only is for pages of grey, RGB and CMYK. Choose black: profile");
}

Choice choose(const Profile& input, const Profile& output, const TableSettings& settings) {
  Choice choice;
  choice.inks = inks_of(output, output.channels(), settings);
  choice.black_ink = ink_named(choice.inks, "Black");
  if (output.space() == ColourSpace::kGrey) choice.black_ink = 0;
  choice.black = black_mode(input, output, choice.black_ink.has_value(), settings);
  const bool is_absolute = settings.intent == Intent::kAbsolute;
  choice.black_point =
      !is_absolute && settings.black_point.value_or(settings.intent == Intent::kRelative);
  choice.neutrals = settings.neutrals_to_black && !is_absolute;
  const bool has_neutrals = input.space() == ColourSpace::kRgb && choice.black_ink;
  if (choice.neutrals && !has_neutrals) {
    refuse_black(input,
                 output,
                 "neutrals become black alone from RGB to a press with an ink named black. Leave "
                 "the setting of neutrals out");
  }
  choice.lcms_intent = static_cast<uint32_t>(settings.intent);
  if (choice.black == BlackMode::kPlane) {
    choice.lcms_intent += INTENT_PRESERVE_K_PLANE_PERCEPTUAL;
  }
  return choice;
}

void keep_black(Draft& draft, const Profile& input, const Profile& output, const Choice& choice) {
  draft.black = choice.black_ink.value_or(0);
  if (choice.black == BlackMode::kPlane) pin_plane(draft);
  if (choice.neutrals) {
    draft.rule = BlackRule::kNeutrals;
    draft.curve = black_curve(input, output, draft.black, choice.black_point);
  } else if (choice.black == BlackMode::kProfile) {
    return;
  } else if (input.space() == ColourSpace::kRgb) {
    draft.rule = BlackRule::kBlackPoint;
  } else if (input.space() == ColourSpace::kGrey) {
    put_black(draft, black_curve(input, output, draft.black, choice.black_point));
  } else {
    draft.rule = BlackRule::kOnlyBlack;
    draft.curve = black_curve(input, output, draft.black, choice.black_point);
    put_black(draft, draft.curve);
  }
}

/// Keeps all nodes to the limit, and so all that lies between them: an output is rounded up by half a
/// step at most, for which the limit of the nodes makes room.
void limit(Draft& draft,
           const std::vector<std::string>& names,
           ColourSpace to,
           const std::string& place,
           const TableSettings& settings) {
  const bool is_press = to == ColourSpace::kCmyk || to == ColourSpace::kInks;
  if (settings.ink_limit_percent <= 0.0 || !is_press) return;
  if (names.empty()) {
    throw Error(ErrorKind::kUnsupported,
                place + ": an ink limit needs the names of inks, and the ICC profile has none",
                "name them, or leave the limit out");
  }
  const uint32_t outputs = draft.shape.outputs;
  const auto count = static_cast<uint32_t>(draft.nodes.size() / outputs);
  std::vector<std::vector<uint16_t>> planes(outputs, std::vector<uint16_t>(count));
  for (size_t i = 0; i < draft.nodes.size(); ++i) planes[i % outputs][i / outputs] = draft.nodes[i];
  prepress::LimitedInks<uint16_t> inks;
  std::vector<const uint16_t*> spots;
  constexpr std::array<std::string_view, 4> kProcess = {"Cyan", "Magenta", "Yellow", "Black"};
  for (size_t i = 0; i < kProcess.size(); ++i) {
    if (const auto ink = ink_named(names, kProcess[i])) inks.cmyk[i] = planes[*ink].data();
  }
  for (uint32_t i = 0; i < outputs; ++i) {
    const bool is_counted = settings.limit_counts_spots && !prepress::is_process_ink(names[i]);
    if (is_counted) spots.push_back(planes[i].data());
  }
  inks.spots = spots;
  const auto most = static_cast<uint32_t>(settings.ink_limit_percent / 100.0 * kInk15);
  const uint32_t room = (outputs + 1) / 2;
  prepress::limit_ink(std::max(most, room) - room, inks, count);
  for (size_t i = 0; i < draft.nodes.size(); ++i) draft.nodes[i] = planes[i % outputs][i / outputs];
}

std::shared_ptr<const ColourTable> finished(Draft draft) {
  return std::make_shared<const ColourTable>(
      draft.shape, std::move(draft.nodes), draft.rule, draft.black, std::move(draft.curve));
}

/// All that decides a table, by the digests of its profiles.
std::string key_text(const Profile& input,
                     const Profile* output,
                     const TableSettings& settings,
                     const std::string ProfileFacts::*digest) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}",
                     kRecipeVersion,
                     ColourTable::kVersion,
                     input.facts().*digest,
                     output != nullptr ? output->facts().*digest : "link",
                     name_of(settings.intent),
                     settings.black_point.value_or(settings.intent == Intent::kRelative),
                     static_cast<int>(settings.black),
                     settings.neutrals_to_black,
                     settings.ink_limit_percent,
                     settings.limit_counts_spots,
                     settings.grid == 0 ? default_grid(input.channels()) : settings.grid,
                     fmt::join(settings.ink_names, "/"));
}

template <typename Digest>
Digest digest_of(const std::string& text) {
  Digest digest;
  digest.add(text.data(), text.size());
  return digest;
}

}  // namespace

uint32_t default_grid(uint32_t inputs) {
  return inputs == 1 ? 1025 : prepress::most_grid(inputs);
}

std::shared_ptr<const ColourTable> make_table(const Profile& input,
                                              const Profile& output,
                                              const TableSettings& settings) {
  check_input(input);
  check_output(output, settings.intent);
  const Choice choice = choose(input, output, settings);
  Draft draft;
  draft.shape = shape_of(input.channels(), output.channels(), settings.grid, input.place());
  draft.nodes = nodes_of(Transform(input, &output, choice.lcms_intent, choice.black_point),
                         draft.shape,
                         input.space(),
                         output.space());
  if (settings.intent != Intent::kAbsolute) pin_white(draft, input.space(), output.space());
  keep_black(draft, input, output, choice);
  limit(draft, choice.inks, output.space(), output.place(), settings);
  return finished(std::move(draft));
}

std::shared_ptr<const ColourTable> make_link_table(const Profile& link,
                                                   const TableSettings& settings) {
  check_link(link);
  const ProfileFacts& facts = link.facts();
  Draft draft;
  draft.shape = shape_of(facts.channels, facts.output_channels, settings.grid, facts.place);
  draft.nodes = nodes_of(Transform(link, nullptr, static_cast<uint32_t>(facts.intent), false),
                         draft.shape,
                         facts.space,
                         facts.output_space);
  limit(draft,
        inks_of(link, facts.output_channels, settings),
        facts.output_space,
        facts.place,
        settings);
  return finished(std::move(draft));
}

std::string table_key(const Profile& input, const Profile* output, const TableSettings& settings) {
  return digest_of<files::Sha256>(key_text(input, output, settings, &ProfileFacts::digest)).hex();
}

std::string old_table_key(const Profile& input,
                          const Profile* output,
                          const TableSettings& settings) {
  return digest_of<files::Xxh3>(key_text(input, output, settings, &ProfileFacts::xxh3)).hex128();
}

std::string cache_key(const Profile& input, const Profile* output, const TableSettings& settings) {
  return digest_of<files::Sha256>(table_key(input, output, settings) + " " + lcms_version()).hex();
}

}  // namespace mezzo::icc
