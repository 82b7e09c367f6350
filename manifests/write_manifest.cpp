#include <algorithm>
#include <charconv>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/folder.h"
#include "manifests/job_name.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"
#include "manifests/yaml_tree.h"

namespace mezzo::manifests {
namespace {

/// The shortest digits, without an exponent, that are read as this number again.
std::string digits(double value) {
  char text[400];  // the longest of all has 309 before the point
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, value, std::chars_format::fixed);
  MZ_ASSERT(error == std::errc());
  return std::string(text, end);
}

/// A percentage: with its sign where it could be taken for a fraction.
std::string percent_text(double value) {
  return digits(value) + (value > 0 && value <= 1 ? "%" : "");
}

std::string parameter_text(const MethodInfo* method, const std::string& name, double value) {
  const ParameterInfo* info = method == nullptr ? nullptr : find_parameter(*method, name);
  const bool is_choice = info != nullptr && !info->choices.empty() && value >= 0 &&
                         value < static_cast<double>(info->choices.size());
  if (is_choice) return std::string(choice_name(*info, value));
  return info != nullptr && info->percent ? percent_text(value) : digits(value);
}

std::string line(int depth, std::string_view key, const std::string& value) {
  return std::string(static_cast<size_t>(depth) * 2, ' ') + std::string(key) + ":" +
         (value.empty() ? "" : " " + value) + "\n";
}

std::string number_unless_0(int depth, std::string_view key, uint32_t value) {
  return value == 0 ? "" : line(depth, key, std::to_string(value));
}

std::string quoted_unless_empty(int depth, std::string_view key, const std::string& value) {
  return value.empty() ? "" : line(depth, key, in_double_quotes(value));
}

std::string halftone_text(const HalftoneSettings& halftone) {
  std::string text = line(1, "halftone", "") + line(2, "method", halftone.method) +
                     line(2, "engine", std::string(to_string(halftone.engine)));
  if (!halftone.schedule.empty()) text += line(2, "schedule", halftone.schedule);
  text += quoted_unless_empty(2, kTileKey, halftone.tile.path);
  for (const auto& [name, value] : halftone.parameters) {
    text += line(2, name, parameter_text(find_method(halftone.method), name, value));
  }
  return text;
}

/// In one line; `depth` is that of the key.
std::string levels_text(int depth, const std::optional<LevelSettings>& levels) {
  if (!levels) return {};
  std::string drops;
  for (const double drop : levels->drops) {
    drops +=
        (drops.empty() ? "" : ", ") + (levels->in_picolitres ? digits(drop) : percent_text(drop));
  }
  const bool is_packed = levels->format == LevelFormat::kPacked;
  return line(depth,
              "levels",
              std::string("{") + (levels->in_picolitres ? "drops" : "volumes") + ": [" + drops +
                  "], overlap: " + percent_text(levels->overlap_percent) +
                  ", format: " + (is_packed ? "packed" : "planes") + "}");
}

std::string points_text(const std::vector<CurvePoint>& points) {
  std::string text;
  for (const CurvePoint& point : points) {
    text += (text.empty() ? "[" : ", [") + percent_text(point.in_percent) + ", " +
            percent_text(point.out_percent) + "]";
  }
  return "[" + text + "]";
}

std::string tone_text(const ToneSettings& tone) {
  return line(1, "tone", "") + line(2, "invert", tone.invert ? "true" : "false") +
         line(2, "gamma", digits(tone.gamma)) +
         (tone.points.empty() ? "" : line(2, "curve", points_text(tone.points)));
}

std::string output_text(const OutputSettings& output) {
  return line(1, "output", "") + line(2, "path", in_double_quotes(output.path)) +
         line(2, "compression", in_double_quotes(output.compression)) +
         line(2,
              "existing",
              !output.replace      ? "refuse"
              : output.replace_any ? "overwrite"
                                   : "replace") +
         (output.mirror ? line(2, "mirror", "true") : "") +
         (output.negative ? line(2, "negative", "true") : "") +
         number_unless_0(2, "resolution", output.resolution_dpi) +
         (output.verify == OutputSettings().verify
              ? ""
              : line(2, "verify", std::string(to_string(output.verify))));
}

std::string sides(uint32_t left_um, uint32_t top_um) {
  return "left: " + length_text(left_um) + ", top: " + length_text(top_um);
}

std::string geometry_text(const Geometry& geometry) {
  std::string text;
  if (const auto& crop = geometry.crop) {
    text +=
        line(1,
             "crop",
             "{" + sides(crop->left_um, crop->top_um) + ", width: " + length_text(crop->width_um) +
                 ", height: " + length_text(crop->height_um) + "}");
  }
  if (const Trim& trim = geometry.trim; trim != Trim()) {
    text += line(1,
                 "trim",
                 "{" + sides(trim.left_um, trim.top_um) + ", right: " + length_text(trim.right_um) +
                     ", bottom: " + length_text(trim.bottom_um) + "}");
  }
  text += number_unless_0(1, "rotate", geometry.rotate_degrees);
  if (const Copies& copies = geometry.copies; copies != Copies()) {
    text += line(1,
                 "copies",
                 "{across: " + std::to_string(copies.across) + ", down: " +
                     std::to_string(copies.down) + ", gap: " + length_text(copies.gap_um) + "}");
  }
  return text;
}

/// A block whose keys are one deeper; nothing when it has none.
std::string block(int depth, std::string_view key, const std::string& inside) {
  return inside.empty() ? "" : line(depth, key, "") + inside;
}

std::string boolean(bool value) {
  return value ? "true" : "false";
}

/// A line unless the value is the default.
std::string choice(int depth,
                   std::string_view key,
                   std::string_view value,
                   std::string_view usual) {
  return value == usual ? "" : line(depth, key, std::string(value));
}

std::string inks_list_text(int depth, const std::vector<std::string>& inks) {
  std::string text;
  for (const std::string& ink : inks) text += (text.empty() ? "" : ", ") + in_double_quotes(ink);
  return text.empty() ? "" : line(depth, "inks", "[" + text + "]");
}

std::string colour_text(const ColourSettings& colour) {
  const ColourSettings usual;
  const std::string assumed = quoted_unless_empty(3, "rgb", colour.assumed_rgb) +
                              quoted_unless_empty(3, "cmyk", colour.assumed_cmyk) +
                              quoted_unless_empty(3, "grey", colour.assumed_grey);
  return quoted_unless_empty(1, "profile", colour.profile) +
         block(1,
               "colour",
               block(2, "assume", assumed) +
                   (colour.ignores_embedded ? line(2, "embedded", "ignore") : "") +
                   quoted_unless_empty(2, "link", colour.link) +
                   choice(2, "intent", colour.intent, usual.intent) +
                   choice(2, "black_point", boolean(colour.black_point), "true") +
                   choice(2, "black", colour.black, usual.black) +
                   choice(2, "neutrals", colour.neutrals, usual.neutrals) +
                   choice(2, "grey", colour.grey, usual.grey) + inks_list_text(2, colour.inks) +
                   quoted_unless_empty(2, "tables", colour.tables));
}

std::string ink_limit_text(const InkLimit& limit) {
  if (limit.percent == 0) return {};
  return line(1,
              "ink_limit",
              "{most: " + percent_text(limit.percent) +
                  ", count: " + (limit.counts_spots ? "all" : "process") +
                  ", check: " + boolean(limit.only_checks) + "}");
}

std::string side_files_text(const PageSettings& settings) {
  std::string text;
  if (const auto& proof = settings.proof) {
    text += line(1, "proof", "") + line(2, "dpi", std::to_string(proof->dpi)) +
            line(2, "path", in_double_quotes(proof->path)) + line(2, "colours", proof->colours) +
            line(2, "yule_nielsen", digits(proof->yule_nielsen));
  }
  if (const auto& ppf = settings.ppf) {
    text += line(1, "ppf", "") + line(2, "path", in_double_quotes(ppf->path)) +
            line(2, "zones", std::to_string(ppf->zones)) +
            line(2, "zone_width", length_text(ppf->zone_width_um));
  }
  return text;
}

/// Left out where they are the defaults, so that the digests of earlier jobs still hold.
std::string page_keys_text(const PageSettings& settings) {
  const std::string& extras = settings.extra_channels;
  const std::string& polarity = settings.spot_polarity;
  return (extras == "refuse" ? "" : line(1, "extra_channels", extras)) +
         (polarity.empty() ? "" : line(1, "spot_polarity", polarity)) +
         number_unless_0(1, "assume_resolution", settings.assumed_dpi) +
         (settings.protect.any() ? line(1, "protect", std::string(name_of(settings.protect)))
                                 : "") +
         (settings.scale == "auto" ? "" : line(1, "scale", settings.scale)) +
         geometry_text(settings.geometry) + colour_text(settings.colour) +
         ink_limit_text(settings.ink_limit) + levels_text(1, settings.halftone.levels) +
         side_files_text(settings);
}

std::string ink_halftone_text(const HalftoneSettings& ink, const PageSettings& page) {
  const std::string& method = ink.method.empty() ? page.halftone.method : ink.method;
  std::string text = ink.method.empty() ? "" : line(4, "method", ink.method);
  if (ink.engine != Engine::kAutomatic) {
    text += line(4, "engine", std::string(to_string(ink.engine)));
  }
  if (!ink.schedule.empty()) text += line(4, "schedule", ink.schedule);
  text += quoted_unless_empty(4, kTileKey, ink.tile.path);
  for (const auto& [name, value] : ink.parameters) {
    text += line(4, name, parameter_text(find_method(method), name, value));
  }
  return text;
}

std::string ink_tone_text(const InkTone& tone) {
  return (tone.invert ? line(4, "invert", *tone.invert ? "true" : "false") : "") +
         (tone.gamma ? line(4, "gamma", digits(*tone.gamma)) : "") +
         (tone.points.empty() ? "" : line(4, "curve", points_text(tone.points)));
}

std::string shares_text(const std::vector<InkShare>& shares) {
  if (shares.size() == 1 && shares.front().percent == 100) {
    return line(3, "as", in_double_quotes(shares.front().ink));
  }
  std::string text;
  for (const InkShare& share : shares) {
    text += line(4, in_double_quotes(share.ink), percent_text(share.percent));
  }
  return block(3, "to", text);
}

std::string ink_text(const InkSettings& ink, const PageSettings& page) {
  if (ink.is_dropped) return line(2, in_double_quotes(ink.ink), "drop");
  if (!ink.shares.empty()) return line(2, in_double_quotes(ink.ink), "") + shares_text(ink.shares);
  const std::string text =
      quoted_unless_empty(3, "plate", ink.plate) + quoted_unless_empty(3, "from", ink.from) +
      quoted_unless_empty(3, "label", ink.label) +
      block(3, "halftone", ink_halftone_text(ink.halftone, page)) +
      levels_text(3, ink.halftone.levels) + block(3, "tone", ink_tone_text(ink.tone)) +
      (ink.protect ? line(3, "protect", std::string(name_of(*ink.protect))) : "") +
      block(3,
            "output",
            quoted_unless_empty(4, "path", ink.path) +
                quoted_unless_empty(4, "compression", ink.compression));
  return text.empty() ? line(2, in_double_quotes(ink.ink), "{}")
                      : line(2, in_double_quotes(ink.ink), "") + text;
}

std::string inks_text(const PageSettings& page) {
  std::string text;
  for (const InkSettings& ink : page.inks) text += ink_text(ink, page);
  return block(1, "inks", text);
}

std::string limits_text(const JobLimits& limits) {
  std::string text = line(0, "limits", "") + line(1, "memory", std::to_string(limits.memory_bytes));
  if (limits.device_memory_bytes != 0) {
    text += line(1, "device_memory", std::to_string(limits.device_memory_bytes));
  }
  return text + line(1, "threads", std::to_string(limits.threads));
}

std::string page_text(const WrittenPage& page) {
  const bool looks_like_pattern = page.input.find_first_of("*?[") != std::string::npos;
  if (!page.sha256 && !looks_like_pattern && page.ink.empty())
    return "  - " + in_double_quotes(page.input) + "\n";
  return "  - input: " + in_double_quotes(page.input) + "\n" +
         (looks_like_pattern ? line(2, "literal", "true") : "") +
         (page.ink.empty() ? "" : line(2, "ink", in_double_quotes(page.ink))) +
         (page.sha256 ? line(2, "sha256", in_double_quotes(*page.sha256)) : "");
}

/// `defaults`: the block, with its head.
std::string manifest_text(const std::string& job_name,
                          const JobLimits& limits,
                          const std::string& defaults,
                          const std::vector<WrittenPage>& pages,
                          const PressSource& press) {
  std::string text = line(0, "mezzotint", std::to_string(kManifestVersion)) +
                     line(0, "job", in_double_quotes(as_job_name(job_name))) + limits_text(limits) +
                     defaults + line(0, "pages_total", std::to_string(pages.size())) +
                     line(0, "pages", "");
  for (const WrittenPage& page : pages) text += page_text(page);
  text += line(0, "end", "true");
  const auto parsed = parse_manifest(text, "the manifest of " + as_job_name(job_name), press);
  if (const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    throw Error(ErrorKind::kData,
                "no manifest can be written for the job " + in_quotes(as_job_name(job_name)) +
                    ": " + wrong->front().message);
  }
  return text;
}

}  // namespace

std::string write_manifest(const std::string& job_name,
                           const JobLimits& limits,
                           const PageSettings& defaults,
                           const std::vector<WrittenPage>& pages) {
  const std::string block = line(0, "defaults", "") + halftone_text(defaults.halftone) +
                            tone_text(defaults.tone) + output_text(defaults.output) +
                            page_keys_text(defaults) + inks_text(defaults);
  return manifest_text(job_name, limits, block, pages, {});
}

std::string write_manifest(const std::string& job_name,
                           const FolderSettings& folder,
                           const std::vector<WrittenPage>& pages) {
  if (!folder.press) return write_manifest(job_name, folder.limits, folder.defaults, pages);
  const std::string defaults = block(0, "defaults", folder.defaults_text);
  return manifest_text(job_name, folder.limits, defaults, pages, {.given = folder.press});
}

}  // namespace mezzo::manifests
