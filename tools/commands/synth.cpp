// mezzotint synth: a print-like test page of any size.

#include "tools/commands/synth.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
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

void add_synth_command(CLI::App& app, const CommonOptions& common, int& status) {
  CLI::App* command = app.add_subcommand("synth", "Write a print-like test page of any size");
  auto options = std::make_shared<SynthCommand>();
  command->add_option("OUT", options->output, "TIFF to write")->required();
  command->add_option("--width", options->page.width_px, "Pixels")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  command->add_option("--height", options->page.height_px, "Pixels")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  command->add_option("--bits", options->page.bits, "Of a sample")
      ->check(CLI::IsMember({8, 16}))
      ->capture_default_str();
  command->add_option("--colour,--color", options->colour, "Planes")
      ->check(CLI::IsMember({"grey", "rgb", "cmyk"}))
      ->capture_default_str();
  command->add_option("--dpi", options->page.dpi, "Resolution")
      ->check(CLI::Range(10.0, 10'000.0))
      ->capture_default_str();
  command->add_option("--seed", options->page.seed, "Of the picture")->capture_default_str();
  command->add_option("--compression", options->compression, "Of the page")
      ->check(CLI::IsMember({"none", "packbits", "lzw", "deflate"}))
      ->capture_default_str();
  command->callback([options, &common, &status] { status = make_page(*options, common); });
}

}  // namespace mezzo::commands
