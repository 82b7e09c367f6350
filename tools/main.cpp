// The program mezzotint.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "kernels/registry.h"
#include "pipeline/exit_status.h"
#include "pipeline/version.h"
#include "stages/tiff/read/reader.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/report.h"
#include "tools/cli/run_program.h"
#include "tools/commands/commands.h"
#include "tools/compare/compare.h"
#include "tools/gallery/gallery.h"
#include "tools/words/words_commands.h"

namespace mezzo {
namespace {

void add_commands(cli::Program& program, const commands::CommonOptions& common) {
  commands::add_run_command(program, common);
  commands::add_check_command(program, common);
  commands::add_watch_command(program, common);
  commands::add_jobs_command(program, common);
  commands::add_submit_command(program, common);
  commands::add_worker_command(program, common);
  commands::add_collect_command(program, common);
  commands::add_cancel_command(program, common);
  commands::add_status_command(program, common);
  commands::add_halftone_command(program, common);
  compare::add_compare_command(program, common);
  gallery::add_gallery_command(program, common);
  commands::add_screen_command(program, common);
  commands::add_linearise_command(program, common);
  commands::add_curves_command(program, common);
  commands::add_colour_command(program, common);
  commands::add_wedge_command(program, common);
  commands::add_proof_command(program, common);
  commands::add_synth_command(program, common);
  commands::add_info_command(program, common);
  commands::add_schema_command(program, common);
  commands::add_calibrate_command(program, common);
  words::add_words_commands(program);
  commands::add_help_topics(program);
  program.example("mezzotint halftone page.tif plate.tif", "Halftone one file.");
  program.example("mezzotint run job.yaml", "Run the job of a manifest.");
  program.example("mezzotint help methods", "List the halftoning methods.");
}

/// Whether the words name a command that is now in another place.
bool ask_for_bench(std::span<const char* const> words) {
  for (const char* word : words.subspan(1)) {
    if (*word != '-') return std::strcmp(word, "bench") == 0;
  }
  return false;
}

int run_mezzotint(std::span<const char* const> words) {
  cli::CommonOptions common;
  if (ask_for_bench(words)) {
    cli::set_up_log(common.verbosity());
    return cli::report_error(
        Error(ErrorKind::kUsage,
              "'mezzotint bench calibrate' is now 'mezzotint calibrate'; the other parts of bench "
              "are commands of the program mezzotint-lab, which is built beside this one"),
        common);
  }
  cli::Program program("mezzotint",
                       "Halftones contone TIFF pages into bilevel plates, the same bits on any "
                       "machine.",
                       kVersion);
  cli::add_common_options(program, common);
  add_commands(program, common);
  return cli::run_program(program, common, words);
}

/// The first files that are opened get the numbers of standard streams that are closed, and what is said
/// would be written into them. Here those streams stay such that reading or writing them fails.
void hold_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) std::_Exit(kExitIo);
  }
}

}  // namespace
}  // namespace mezzo

int main(int argc, char** argv) {
  mezzo::hold_closed_streams();
  mezzo::cli::handle_signals();
  mezzo::tiff::clear_codec_environment();
  return mezzo::run_mezzotint({argv, static_cast<size_t>(argc)});
}
