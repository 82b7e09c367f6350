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
#include "tools/cli/console.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/report.h"
#include "tools/cli/run_program.h"
#include "tools/commands/commands.h"
#include "tools/compare/compare.h"
#include "tools/gallery/gallery.h"
#include "tools/words/words_commands.h"

namespace mezzo {
namespace {

struct CommandEntry {
  const char* name;
  const char* summary;
  void (*make)(cli::Command& command, const cli::CommonOptions& common);
};

/// In the order in which help lists them.
constexpr CommandEntry kCommands[] = {
    {"run", "Run the jobs of manifests", commands::make_run_command},
    {"check", "Check manifests and show the plan, run nothing", commands::make_check_command},
    {"watch", "Run the jobs that are dropped into hot folders", commands::make_watch_command},
    {"jobs", "Show and control the jobs of a watcher", commands::make_jobs_command},
    {"submit", "Submit the jobs of manifests to a cluster", commands::make_submit_command},
    {"worker",
     "Make one unit of a submitted job, as a cluster task",
     commands::make_worker_command},
    {"collect",
     "Submit the missing units of a job again, and write its report",
     commands::make_collect_command},
    {"cancel", "Cancel a submitted job", commands::make_cancel_command},
    {"status", "Show the progress of a submitted job", commands::make_status_command},
    {"halftone", "Halftone one file, without a manifest", commands::make_halftone_command},
    {"compare",
     "Measure how halftones of a page look, side by side",
     compare::make_compare_command},
    {"gallery",
     "Show a piece of a page by all methods, with time and numbers",
     gallery::make_gallery_command},
    {"screen",
     "Show the AM screens of a set of inks, and their moire",
     commands::make_screen_command},
    {"linearise", "Make curves of a press from a measured wedge", commands::make_linearise_command},
    {"curves",
     "Show curves, and convert them from and to other programs",
     commands::make_curves_command},
    {"colour",
     "Show ICC profiles, and keep the tables of a job's colours",
     commands::make_colour_command},
    {"wedge",
     "Make patches to measure a press with, and their plates",
     commands::make_wedge_command},
    {"proof",
     "Make a picture of the print from the plates of a page",
     commands::make_proof_command},
    {"synth", "Write a print-like test page of any size", commands::make_synth_command},
    {"info",
     "Show processor, SIMD targets, GPUs, libraries and limits",
     commands::make_info_command},
    {"schema", "Print the JSON Schema of manifests", commands::make_schema_command},
    {"calibrate",
     "Measure the speeds that engine 'auto' chooses by, and keep them",
     commands::make_calibrate_command},
};

void add_commands(cli::Program& program, const cli::CommonOptions& common) {
  for (const CommandEntry& entry : kCommands) {
    program.command(entry.name, entry.summary, [&entry, &common](cli::Command& command) {
      entry.make(command, common);
    });
  }
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
