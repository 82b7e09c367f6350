#include "tools/cli/chain_options.h"

#include <fmt/format.h>

#include "kernels/base/error.h"
#include "manifests/scalars.h"
#include "manifests/source_text.h"

namespace mezzo::cli {
namespace {

manifests::Parsed<uint32_t> parse_dpi(std::string_view text) {
  const auto whole = manifests::parse_integer(text);
  if (whole.value && *whole.value >= manifests::kLeastDpi && *whole.value <= manifests::kMostDpi) {
    return manifests::Parsed<uint32_t>::good(static_cast<uint32_t>(*whole.value));
  }
  return manifests::Parsed<uint32_t>::bad(fmt::format(
      "must be a whole number from {} to {}", manifests::kLeastDpi, manifests::kMostDpi));
}

}  // namespace

void add_chain_options(Command& command,
                       manifests::PageSettings& settings,
                       std::string_view group) {
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

void add_linework_options(Command& command, LineworkOptions& options, std::string_view group) {
  command
      .option("--linework",
              options.linework.file,
              "TIFF of one bit a pixel, such as type, to print over the plates")
      .takes("FILE")
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
