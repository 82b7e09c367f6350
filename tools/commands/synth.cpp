// mezzotint synth: a print-like test page of any size.

#include <fmt/format.h>

#include <memory>

#include "pipeline/exit_status.h"
#include "tools/cli/file_offers.h"
#include "tools/commands/commands.h"
#include "tools/synth/write_page.h"

namespace mezzo::commands {
namespace {

struct SynthCommand {
  std::string output;
  std::string colour = "grey";
  std::string compression = "none";
  synth::SynthOptions page;
};

int make_page(const SynthCommand& command, const CommonOptions& common) {
  synth::SynthOptions page = command.page;
  page.planes = command.colour == "cmyk" ? 4 : command.colour == "rgb" ? 3 : 1;
  synth::write_synth_page(command.output, page, command.compression);
  if (!common.quiet) {
    fmt::print("{}: {} x {} px, {}-bit {}, {:.6g} dpi\n",
               command.output,
               page.width_px,
               page.height_px,
               page.bits,
               command.colour,
               page.dpi);
  }
  return kExitGood;
}

}  // namespace

void make_synth_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<SynthCommand>();
  synth::SynthOptions& page = options->page;
  command.output("OUT", options->output, "TIFF to write")
      .kind({"tif", "tiff"})
      .required()
      .offers(cli::offer_tiffs);
  command.option("--width", page.width_px, "Width in pixels").range(1, 100'000).shows_default();
  command.option("--height", page.height_px, "Height in pixels").range(1, 100'000).shows_default();
  command.option("--bits", page.bits, "Bits of a sample")
      .one_of({"8", "16"})
      .takes("N")
      .shows_default();
  command.option("--colour,--color", options->colour, "Colour space")
      .one_of({"grey", "rgb", "cmyk"})
      .shows_default();
  command.option("--dpi", page.dpi, "Resolution in dpi").range(10, 10'000).shows_default();
  command.option("--seed", page.seed, "Seed of the picture").shows_default();
  command.option("--compression", options->compression, "Compression of the page")
      .one_of({"none", "packbits", "lzw", "deflate"})
      .shows_default();
  command.example("mezzotint synth page.tif --width 6000 --height 8000 --colour cmyk",
                  "A page in four inks to try things on.");
  command.runs([options, &common] { return make_page(*options, common); });
}

}  // namespace mezzo::commands
