// The program mezzotint-lab: benchmarks, the studies of papers, the simulation of clusters and the
// training of tables. For those who work on mezzotint; it is not installed.

#include "pipeline/version.h"
#include "stages/tiff/read/reader.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/run_program.h"
#include "tools/lab/bench/bench.h"
#include "tools/lab/train/train.h"
#include "tools/words/words_commands.h"

int main(int argc, char** argv) {
  using namespace mezzo;
  cli::handle_signals();
  tiff::clear_codec_environment();
  cli::CommonOptions common;
  cli::Program program(
      "mezzotint-lab", "Measures mezzotint, and trains the tables of its methods.", kVersion);
  cli::add_common_options(program, common);
  bench::add_bench_command(program, common);
  train::add_train_command(program);
  words::add_words_commands(program);
  return cli::run_program(program, common, {argv, static_cast<size_t>(argc)});
}
