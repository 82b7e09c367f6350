// Settings of a page with no member at its default, for tests of what must keep or tell all of them.
// A new member of PageSettings or OutputSettings does not compile until it is named here.
#pragma once

#include <vector>

#include "manifests/job.h"

namespace mezzo::test {

/// As a manifest can have them, but for the press, which is a file of its own.
inline manifests::PageSettings every_setting() {
  manifests::PageSettings all;
  auto& [halftone,
         tone,
         output,
         extra_channels,
         spot_polarity,
         scale,
         protect,
         assumed_dpi,
         geometry,
         colour,
         ink_limit,
         inks,
         press,
         curves,
         proof,
         ppf] = all;
  auto& [path, compression, replace, replace_any, mirror, negative, resolution_dpi, verify] =
      output;
  halftone = {.method = "bayer",
              .engine = Engine::kCpu,
              .parameters = {{"order", 2}},
              .levels = LevelSettings{
                  .drops = {0, 1.0 / 3, 21}, .in_picolitres = true, .overlap_percent = 62.5}};
  tone = {.invert = true, .gamma = 1.0 / 3, .points = {{0, 1e-7}, {33.3, 50.1}, {100, 100}}};
  path = "out \"x\" #1/{stem}: {ink}.tif";
  compression = "g4";
  replace = replace_any = true;  // the third choice of `existing`
  mirror = negative = true;
  resolution_dpi = 2540;
  verify = tiff::VerifyLevel::kRecompute;
  extra_channels = "inks";
  spot_polarity = "paper";
  scale = "linear";
  protect = {true, false};
  assumed_dpi = 72;
  geometry = {.crop = manifests::Crop{1, 2'500, 210'000, 99'999'999},
              .trim = {3'000, 0, 120, 70},
              .rotate_degrees = 270,
              .copies = {3, 1000, 1'000'000}};
  colour = {.profile = "/profiles/board.icc",
            .link = "/profiles/link.icc",
            .assumed_rgb = "sRGB",
            .assumed_cmyk = "/profiles/coated.icc",
            .assumed_grey = "/profiles/grey.icc",
            .ignores_embedded = true,
            .intent = "perceptual",
            .black_point = false,
            .black = "k-plane",
            .neutrals = "k-only",
            .grey = "managed",
            .inks = {"orange", "green \"x\""},
            .tables = "/jobs/tables"};
  ink_limit = {.percent = 287.5, .counts_spots = true, .only_checks = true};
  inks = {{.ink = "varnish", .label = {}, .is_dropped = true},
          {.ink = "gold",
           .label = "G",
           .halftone = {.method = "tile",
                        .parameters = {{"shift", 5}, {"values", 1}},
                        .tile = {.path = "/screens/house.tif"}},
           .over = {{"protect", "both"}}},
          {.ink = "light cyan",
           .label = {},
           .halftone = {.method = {},
                        .levels =
                            LevelSettings{.drops = {0, 0.5, 100}, .format = LevelFormat::kPlanes}},
           .from = "cyan"}};
  proof = {
      .dpi = 150, .path = "looks/{stem} {page}.pdf", .colours = "profile", .yule_nielsen = 1.7};
  ppf = {.path = "zones/{stem}.ppf", .zones = 32, .zone_width_um = 30'001};
  press = {.name = "XL 106", .xxh3 = std::string(32, 'a'), .inks = {{"black", {"Noir"}}}};
  curves = {};  // of a press file; plates have what follows from them
  return all;
}

/// These settings, each time with another member at its default: all that decide on the bits of a
/// plate. Paths, `replace`, `verify`, files beside the plates and the press, whose settings are those of
/// the page, do not.
inline std::vector<manifests::PageSettings> with_one_default() {
  const manifests::PageSettings all = every_setting(), none;
  std::vector<manifests::PageSettings> settings;
  const auto without = [&](auto member) {
    settings.push_back(all);
    member(settings.back()) = member(none);
  };
  without([](auto& page) -> auto& { return page.halftone; });
  without([](auto& page) -> auto& { return page.halftone.levels; });
  without([](auto& page) -> auto& { return page.tone; });
  without([](auto& page) -> auto& { return page.output.compression; });
  without([](auto& page) -> auto& { return page.output.mirror; });
  without([](auto& page) -> auto& { return page.output.negative; });
  without([](auto& page) -> auto& { return page.output.resolution_dpi; });
  without([](auto& page) -> auto& { return page.extra_channels; });
  without([](auto& page) -> auto& { return page.spot_polarity; });
  without([](auto& page) -> auto& { return page.scale; });
  without([](auto& page) -> auto& { return page.protect; });
  without([](auto& page) -> auto& { return page.assumed_dpi; });
  without([](auto& page) -> auto& { return page.geometry; });
  without([](auto& page) -> auto& { return page.ink_limit; });
  without([](auto& page) -> auto& { return page.inks; });
  return settings;
}

}  // namespace mezzo::test
