// The program mezzotint: the command line, and the one place where exceptions become an exit
// status.

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <functional>
#include <new>
#include <span>
#include <system_error>

#include "pipeline/exit_status.h"
#include "pipeline/version.h"
#include "stages/tiff/read/reader.h"
#include "tools/bench/bench.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/program.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"
#include "tools/commands/help_topics.h"
#include "tools/compare/compare.h"

namespace mezzo {
namespace {

/// Results that nobody could read must not pass for success.
void flush_results() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category());
  }
}

void add_common_options(cli::Program& program, commands::CommonOptions& common) {
  program.flag("-q,--quiet", common.quiet, "Errors and warnings only");
  program.flag("-v,--verbose", common.verbose, "More detail");
  program.flag("--json", common.json, "Results as JSON lines on standard output");
  program.flag("--log-json",
               common.log_json,
               "Messages as JSON lines on standard error, without a line of progress");
}

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
  commands::add_synth_command(program, common);
  commands::add_info_command(program, common);
  commands::add_schema_command(program, common);
  bench::add_bench_command(program, common);
  commands::add_help_topics(program);
  program.example("mezzotint halftone page.tif plate.tif", "Halftone one file.");
  program.example("mezzotint run job.yaml", "Run the job of a manifest.");
  program.example("mezzotint help methods", "Show what methods there are.");
}

/// What the words ask for. Messages have the form that flags ask for, also when a word is wrong.
std::function<int()> parse(cli::Program& program,
                           const commands::CommonOptions& common,
                           std::span<const char* const> words) {
  try {
    auto action = program.parse(words);
    cli::set_up_log(common.verbosity(), common.log_json);
    return action;
  } catch (const Error&) {
    cli::set_up_log(common.verbosity(), common.log_json);
    throw;
  }
}

int run_program(std::span<const char* const> words) {
  commands::CommonOptions common;
  cli::Program program("mezzotint",
                       "Halftones contone TIFF pages into bilevel plates, the same bits on any "
                       "machine.",
                       kVersion);
  add_common_options(program, common);
  add_commands(program, common);
  int status = kExitGood;
  try {
    status = parse(program, common, words)();
    flush_results();
  } catch (const Error& error) {
    return cli::report_error(error, common);
  } catch (const std::system_error& error) {
    // What fmt throws when it cannot print; files have an Error of their own.
    if (error.code().value() == EPIPE) return status;  // whoever read the results has had enough
    spdlog::error("standard output: {}", error.code().message());
    return kExitIo;
  } catch (const std::bad_alloc&) {
    spdlog::error("out of memory");
    return kExitTryAgain;
  } catch (const std::exception& error) {
    spdlog::error("unexpected: {}; please report this", error.what());
    return kExitBug;
  }
  return status;
}

}  // namespace
}  // namespace mezzo

int main(int argc, char** argv) {
  mezzo::cli::handle_signals();
  mezzo::tiff::clear_codec_environment();
  return mezzo::run_program({argv, static_cast<size_t>(argc)});
}
