#include "tools/cli/run_program.h"

#include <cerrno>
#include <cstdio>
#include <functional>
#include <new>
#include <system_error>

#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "tools/cli/console.h"
#include "tools/cli/report.h"

namespace mezzo::cli {
namespace {

/// Results that were not written must not count as success.
void flush_results() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category());
  }
}

/// The action of the command line. Sets the log up in any case, for mistakes in a word.
std::function<int()> parse(Program& program,
                           const CommonOptions& common,
                           std::span<const char* const> words) {
  try {
    auto action = program.parse(words);
    set_up_log(common.verbosity(), common.log_json);
    return action;
  } catch (...) {
    set_up_log(common.verbosity(), common.log_json);
    throw;
  }
}

}  // namespace

void add_common_options(Program& program, CommonOptions& common) {
  program.flag("-q,--quiet", common.quiet, "Errors and warnings only");
  program.flag("-v,--verbose", common.verbose, "More detail");
  program.flag("--json", common.json, "Results as JSON lines on standard output");
  program.flag("--log-json",
               common.log_json,
               "Messages as JSON lines on standard error, without a progress line");
}

int run_program(Program& program, const CommonOptions& common, std::span<const char* const> words) {
  int status = kExitGood;
  try {
    status = parse(program, common, words)();
    flush_results();
  } catch (const Error& error) {
    return report_error(error, common);
  } catch (const std::system_error& error) {
    // Thrown by fmt when it cannot print; files have an Error of their own.
    if (error.code().value() == EPIPE) return status;  // the reader of the results is gone
    log::error("standard output: {}", error.code().message());
    return kExitIo;
  } catch (const std::bad_alloc&) {
    log::error("out of memory");
    return kExitTryAgain;
  } catch (const std::exception& error) {
    log::error("unexpected: {}; please report this", error.what());
    return kExitBug;
  }
  return status;
}

}  // namespace mezzo::cli
