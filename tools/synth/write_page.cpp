#include "tools/synth/write_page.h"

#include <algorithm>
#include <vector>

#include "pipeline/plan/plan.h"
#include "pipeline/run/graph_executor.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tools/cli/interrupt.h"

namespace mezzo::synth {

void write_synth_page(const std::string& path,
                      const SynthOptions& options,
                      const std::string& compression) {
  const SynthPage page(options);
  tiff::ContoneOptions file;
  file.width_px = options.width_px;
  file.height_px = options.height_px;
  file.bits = options.bits;
  file.planes = options.planes;
  file.dpi = options.dpi;
  file.compression = tiff::compression_named(compression).value_or(file.compression);
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

}  // namespace mezzo::synth
