#include "pipeline/run/profile_colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/band/ink15.h"
#include "kernels/base/error.h"
#include "kernels/prepress/colour_lookup.h"
#include "stages/icc/make_table.h"

namespace mezzo::run {
namespace {

/// Of the profile, in its order.
std::vector<std::string> inks_of(const icc::Profile& profile) {
  if (!profile.facts().ink_names.empty()) return profile.facts().ink_names;
  if (profile.space() == icc::ColourSpace::kCmyk) return {"cyan", "magenta", "yellow", "black"};
  if (profile.space() == icc::ColourSpace::kGrey) return {"black"};
  throw Error(
      ErrorKind::kUnsupported,
      profile.place() +
          ": the profile does not name its inks, so a proof cannot tell which plates they are",
      "use 'colours: inks'");
}

/// Of each ink of the counted sets and after them, in a box.
void coverage_of(const proof::AreaRow& row, size_t box, std::vector<double>& coverage) {
  const size_t sets = size_t{1} << row.counted;
  uint64_t whole = 0;
  std::array<uint64_t, proof::kMostCounted> areas{};
  for (size_t set = 0; set < sets; ++set) {
    const uint64_t area = row.areas[box * sets + set];
    whole += area;
    for (size_t k = 0; k < row.counted; ++k) areas[k] += (set >> k & 1) != 0 ? area : 0;
  }
  for (size_t k = 0; k < row.counted; ++k) {
    coverage[k] = static_cast<double>(areas[k]) / static_cast<double>(whole);
  }
  for (size_t k = 0; k < row.others; ++k) {
    coverage[row.counted + k] = row.coverage[box * row.others + k];
  }
}

}  // namespace

ProfileColours::ProfileColours(const std::string& path,
                               const std::vector<ProfiledInk>& inks,
                               const proof::Lab& paper,
                               files::FileSystem& files) {
  const icc::Profile profile = icc::Profile::read(path, files);
  const std::vector<std::string> names = inks_of(profile);
  bool any = false;
  for (const ProfiledInk& ink : inks) {
    Ink& own = inks_.emplace_back(Ink{proof::NominalTone(ink.tone), -1});
    const auto channel = icc::ink_named(names, ink.ink);
    any = any || channel;
    if (channel) own.channel = static_cast<int>(*channel);
    const proof::Xyz light = proof::xyz_of(ink.lab), white = proof::xyz_of(paper);
    for (size_t c = 0; c < 3; ++c) own.filter[c] = std::max(light[c] / white[c], 0.0);
  }
  if (!any) {
    throw Error(ErrorKind::kUnsupported,
                fmt::format("{}: the profile is of {}, and the plates are of {}",
                            path,
                            fmt::join(names, ", "),
                            inks.front().ink));
  }
  is_light_ = profile.space() == icc::ColourSpace::kGrey;
  // Absolute: the paper of the press shows, and black stays as the profile has it.
  table_ = icc::make_table(profile,
                           icc::Profile::srgb(),
                           {.intent = icc::Intent::kAbsolute, .black = icc::BlackMode::kProfile});
}

void ProfileColours::paint(proof::AreaRow& row) const {
  const uint32_t inputs = table_->shape().inputs;
  std::vector<std::vector<uint16_t>> in(
      inputs, std::vector<uint16_t>(row.boxes, static_cast<uint16_t>(is_light_ ? 65535 : 0)));
  std::array<std::vector<uint16_t>, 3> out;
  std::vector<proof::Xyz> filters(row.boxes, proof::Xyz{1, 1, 1});
  std::vector<double> coverage(inks_.size());
  bool has_filter = false;
  for (size_t box = 0; box < row.boxes; ++box) {
    coverage_of(row, box, coverage);
    for (size_t k = 0; k < inks_.size(); ++k) {
      const uint16_t nominal = inks_[k].nominal(coverage[k]);
      if (inks_[k].channel >= 0) {
        in[static_cast<size_t>(inks_[k].channel)][box] =
            is_light_ ? static_cast<uint16_t>(65535 - nominal) : nominal;
        continue;
      }
      has_filter = true;
      const double part = nominal / 65535.0;
      for (size_t c = 0; c < 3; ++c) filters[box][c] *= 1 - part + part * inks_[k].filter[c];
    }
  }
  std::vector<const uint16_t*> from;
  std::array<uint16_t*, 3> to;
  for (const std::vector<uint16_t>& plane : in) from.push_back(plane.data());
  for (size_t c = 0; c < 3; ++c) {
    out[c].resize(row.boxes);
    to[c] = out[c].data();
  }
  prepress::convert(*table_, std::span<const uint16_t* const>(from), to, row.boxes);
  for (size_t box = 0; box < row.boxes; ++box) {
    proof::Rgb8 rgb;
    for (size_t c = 0; c < 3; ++c) {
      rgb[c] = static_cast<uint8_t>((uint32_t{out[c][box]} * 255 + kInk15 / 2) / kInk15);
    }
    if (has_filter) rgb = proof::srgb_of(proof::through(proof::xyz_of_srgb(rgb), filters[box]));
    std::ranges::copy(rgb, &row.rgb[3 * box]);
  }
}

}  // namespace mezzo::run
