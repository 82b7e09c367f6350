// mezzotint synth: a print-like test page of any size.

#include "tools/commands/synth.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "pipeline/exit_status.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tools/cli/interrupt.h"
#include "tools/commands/commands.h"

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
  write_synth_page(command.output, page, command.compression);
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

void write_synth_page(const std::string& path,
                      const synth::SynthOptions& options,
                      const std::string& compression) {
  const synth::SynthPage page(options);
  tiff::ContoneOptions file;
  file.width_px = options.width_px;
  file.height_px = options.height_px;
  file.bits = options.bits;
  file.planes = options.planes;
  file.dpi = options.dpi;
  for (const tiff::CompressionInfo& info : tiff::compressions()) {
    if (info.name == compression) file.compression = info.compression;
  }
  const auto writer = tiff::ContoneWriter::create(path, file);
  run::GraphExecutor threads({plan::available_threads(), std::nullopt});
  // A few rows for each thread at a time: about 2 MiB in all.
  const auto block = std::min(
      static_cast<uint32_t>(std::max<size_t>((2U << 20) / page.row_bytes(), 8)), options.height_px);
  std::vector<std::byte> rows(page.row_bytes() * block);
  constexpr uint32_t kSlice = 8;
  for (uint32_t first = 0; first < options.height_px; first += block) {
    if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, path + ": interrupted");
    const uint32_t count = std::min(block, options.height_px - first);
    for_each_index(threads.team(), (count + kSlice - 1) / kSlice, [&](uint32_t slice) {
      const uint32_t begin = slice * kSlice;
      page.render_rows(
          first + begin, std::min(kSlice, count - begin), rows.data() + begin * page.row_bytes());
    });
    writer->write_rows(rows.data(), count);
  }
  writer->finish();
}

void add_synth_command(cli::Program& program, const CommonOptions& common) {
  cli::Command& command = program.command("synth", "Write a print-like test page of any size");
  auto options = std::make_shared<SynthCommand>();
  synth::SynthOptions& page = options->page;
  command.argument("OUT", options->output, "TIFF to write").required();
  command.option("--width", page.width_px, "Pixels").range(1, 100'000).shows_default();
  command.option("--height", page.height_px, "Pixels").range(1, 100'000).shows_default();
  command.option("--bits", page.bits, "Of a sample").one_of({"8", "16"}).takes("N").shows_default();
  command.option("--colour,--color", options->colour, "Planes")
      .one_of({"grey", "rgb", "cmyk"})
      .shows_default();
  command.option("--dpi", page.dpi, "Resolution").range(10, 10'000).shows_default();
  command.option("--seed", page.seed, "Of the picture").shows_default();
  command.option("--compression", options->compression, "Of the page")
      .one_of({"none", "packbits", "lzw", "deflate"})
      .shows_default();
  command.example("mezzotint synth page.tif --width 6000 --height 8000 --colour cmyk",
                  "A page in four inks to try things on.");
  command.runs([options, &common] { return make_page(*options, common); });
}

}  // namespace mezzo::commands
