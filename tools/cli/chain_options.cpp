#include "tools/cli/chain_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/base/error.h"
#include "manifests/parameters.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"
#include "pipeline/text.h"
#include "tools/cli/file_offers.h"

namespace mezzo::cli {
namespace {

manifests::Parsed<uint32_t> parse_dpi(std::string_view text) {
  const auto whole = manifests::parse_integer(manifests::without_unit(text, "dpi").first);
  if (whole.value && *whole.value >= manifests::kLeastDpi && *whole.value <= manifests::kMostDpi) {
    return manifests::Parsed<uint32_t>::good(static_cast<uint32_t>(*whole.value));
  }
  return manifests::Parsed<uint32_t>::bad(fmt::format(
      "must be a whole number from {} to {}", manifests::kLeastDpi, manifests::kMostDpi));
}

/// Lengths in millimetres, with or without their unit, separated by commas: as many as one of
/// `counts`.
manifests::Parsed<std::vector<uint32_t>> parse_lengths(const std::string& text,
                                                       std::initializer_list<size_t> counts,
                                                       const std::string& expected) {
  using Lengths = manifests::Parsed<std::vector<uint32_t>>;
  std::vector<uint32_t> lengths;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    std::string part(manifests::trimmed(std::string_view(text).substr(begin, comma - begin)));
    if (!part.ends_with("mm")) part += " mm";
    const auto length = manifests::parse_length(part);
    if (!length.value || *length.value > manifests::kMostLengthUm) {
      return Lengths::bad("must be " + expected + ", found " + manifests::in_quotes(text),
                          length.hint);
    }
    lengths.push_back(static_cast<uint32_t>(*length.value));
    begin = comma + 1;
  }
  if (std::ranges::find(counts, lengths.size()) != counts.end()) {
    return Lengths::good(std::move(lengths));
  }
  return Lengths::bad("must be " + expected + ", found " + counted(lengths.size(), "length"));
}

manifests::Parsed<std::optional<manifests::Crop>> parse_crop(const std::string& text) {
  using Crop = manifests::Parsed<std::optional<manifests::Crop>>;
  const auto parsed = parse_lengths(text, {4}, "LEFT,TOP,WIDTH,HEIGHT in mm, as 10,10,210,297");
  if (!parsed.value) return Crop::bad(parsed.problem, parsed.hint);
  const std::vector<uint32_t>& lengths = *parsed.value;
  if (lengths[2] == 0 || lengths[3] == 0) return Crop::bad("must keep more than 0 mm");
  return Crop::good(manifests::Crop{lengths[0], lengths[1], lengths[2], lengths[3]});
}

manifests::Parsed<manifests::Trim> parse_trim(const std::string& text) {
  using Trim = manifests::Parsed<manifests::Trim>;
  const auto parsed = parse_lengths(text, {1, 4}, "MARGIN or LEFT,TOP,RIGHT,BOTTOM in mm, as 3");
  if (!parsed.value) return Trim::bad(parsed.problem, parsed.hint);
  std::vector<uint32_t> lengths = *parsed.value;
  lengths.resize(4, lengths.front());
  return Trim::good({lengths[0], lengths[1], lengths[2], lengths[3]});
}

manifests::Parsed<uint32_t> parse_gap(const std::string& text) {
  using Gap = manifests::Parsed<uint32_t>;
  const auto parsed = parse_lengths(text, {1}, "a length in mm, as 3");
  if (!parsed.value) return Gap::bad(parsed.problem, parsed.hint);
  return parsed.value->front() <= manifests::kMostGapUm ? Gap::good(parsed.value->front())
                                                        : Gap::bad("must be at most 1000 mm");
}

/// "3x4": across, then down.
std::string read_copies(const std::string& text, manifests::Copies& copies) {
  const size_t x = std::min(text.find('x'), text.size());
  const auto across = manifests::parse_integer(std::string_view(text).substr(0, x));
  const auto down =
      manifests::parse_integer(std::string_view(text).substr(std::min(x + 1, text.size())));
  const auto is_good = [](const auto& count) {
    return count.value && *count.value >= 1 && *count.value <= manifests::kMostCopies;
  };
  if (!is_good(across) || !is_good(down)) {
    return "must be ACROSSxDOWN, each from 1 to 1000, as 3x4; found " + manifests::in_quotes(text);
  }
  copies.across = static_cast<uint32_t>(*across.value);
  copies.down = static_cast<uint32_t>(*down.value);
  return {};
}

manifests::Parsed<uint32_t> parse_rotation(std::string_view text) {
  using Degrees = manifests::Parsed<uint32_t>;
  const auto whole = manifests::parse_integer(text);
  return whole.value && manifests::is_rotation(*whole.value)
             ? Degrees::good(static_cast<uint32_t>(*whole.value))
             : Degrees::bad("must be 0, 90, 180 or 270, found " + manifests::in_quotes(text));
}

/// The options that a manifest has under crop, trim, rotate and copies.
void add_geometry_options(Command& command, manifests::Geometry& geometry, std::string_view group) {
  command
      .option("--crop",
              parsed(geometry.crop, parse_crop),
              "Rectangle of the page to keep, in mm: LEFT,TOP,WIDTH,HEIGHT")
      .takes("MM,MM,MM,MM")
      .group(group);
  command
      .option("--trim",
              parsed(geometry.trim, parse_trim),
              "Margins to take off, in mm: one, or LEFT,TOP,RIGHT,BOTTOM")
      .takes("MM")
      .group(group);
  command
      .option("--rotate",
              parsed(geometry.rotate_degrees, parse_rotation),
              "Turn the page clockwise by 90, 180 or 270 degrees, after crop and trim")
      .takes("DEGREES")
      .group(group);
  command
      .option("--copies",
              Target{.read =
                         [&geometry](const Words& words) {
                           return read_copies(words.front(), geometry.copies);
                         }},
              "Step and repeat: copies of the page on the plate, screened as one sheet, e.g. 3x4")
      .takes("ACROSSxDOWN")
      .group(group);
  command
      .option("--gap", parsed(geometry.copies.gap_um, parse_gap), "Paper between the copies, in mm")
      .takes("MM")
      .group(group);
}

}  // namespace

void add_chain_options(Command& command,
                       manifests::PageSettings& settings,
                       std::string_view group) {
  add_geometry_options(command, settings.geometry, group);
  command.flag("--mirror", settings.output.mirror, "Exchange left and right of the finished plate")
      .group(group);
  command.flag("--negative", settings.output.negative, "Swap ink and paper of the finished plate")
      .group(group);
  command
      .option("--resolution",
              parsed(settings.output.resolution_dpi, parse_dpi),
              "Resolution of the plates in dpi, to which pages are scaled")
      .takes("DPI")
      .group(group);
  command.option("--scale", settings.scale, "Filter for --resolution")
      .one_of(manifests::scale_names())
      .shows_default()
      .group(group);
  command
      .option("--assume-resolution",
              parsed(settings.assumed_dpi, parse_dpi),
              "Resolution of pages whose files do not say theirs")
      .takes("DPI")
      .group(group);
  command
      .option("--extra-channels",
              settings.extra_channels,
              "Refuse a page with channels beside its inks, print it without them, or print spot "
              "colours of Photoshop as inks")
      .one_of(manifests::extra_channel_names())
      .shows_default()
      .group(group);
  command
      .option("--spot-polarity",
              settings.spot_polarity,
              "For spot colours: their largest sample is full ink, or paper")
      .one_of(manifests::spot_polarity_names())
      .group(group);
}

void check_chain_options(const manifests::PageSettings& settings) {
  const auto& [across, down, gap_um] = settings.geometry.copies;
  if (gap_um == 0 || across > 1 || down > 1) return;
  throw Error(ErrorKind::kUsage,
              "--gap has no effect: it lies between copies, and there is one; give --copies");
}

void add_linework_options(Command& command, LineworkOptions& options, std::string_view group) {
  command
      .option("--linework",
              options.linework.file,
              "TIFF of one bit a pixel, such as type, to print over the plates")
      .takes("FILE")
      .offers(offer_tiffs)
      .group(group);
  command.option("--linework-ink", options.linework.ink, "Ink that prints the line work, or all")
      .takes("NAME")
      .shows_default()
      .group(group);
  command
      .option("--linework-overprint",
              options.overprint,
              "Print the other inks below it, too; default: below black alone")
      .one_of({"true", "false"})
      .group(group);
}

std::optional<manifests::Linework> linework_of(const LineworkOptions& options) {
  manifests::Linework linework = options.linework;
  if (options.overprint) linework.overprint = *options.overprint == "true";
  if (linework.file.empty()) {
    if (linework == manifests::Linework()) return std::nullopt;
    throw Error(
        ErrorKind::kUsage,
        "--linework-ink and --linework-overprint are for --linework FILE, which is missing");
  }
  if (linework.overprint && manifests::lower_case(linework.ink) == "all") {
    throw Error(ErrorKind::kUsage,
                "--linework-overprint is about other inks than that of the line work, and "
                "--linework-ink is all; leave one of the two out");
  }
  return linework;
}

}  // namespace mezzo::cli
