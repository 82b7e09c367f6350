// The program mezzotint: the command line, and the one place where exceptions become an exit
// status.

#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>
#include <vector>

#include "kernels/registry.h"
#include "pipeline/exit_status.h"
#include "pipeline/version.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"

namespace mezzo {
namespace {

/// Results that nobody could read must not pass for success.
void flush_results() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw std::system_error(errno == 0 ? EIO : errno, std::generic_category());
  }
}

/// "there is no command 'halfton', did you mean 'halftone'?" when that is what is wrong.
std::string unknown_command(const CLI::App& app, const std::vector<std::string>& words) {
  const auto first = std::ranges::find_if(words, [](const auto& word) { return word[0] != '-'; });
  if (first == words.end() || !app.get_subcommands().empty()) return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const auto*) { return true; })) {
    names.push_back(command->get_name());
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view close = closest_name(*first, candidates);
  return "there is no command '" + *first + "'" +
         (close.empty() ? "" : ", did you mean '" + std::string(close) + "'?");
}

/// One line and a hint, without the pages of usage that CLI11 would print.
int report_usage(const CLI::App& app,
                 const CLI::ParseError& error,
                 const std::vector<std::string>& words) {
  if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
  std::string text = unknown_command(app, words);
  if (text.empty()) text = error.what();
  std::string command = "mezzotint";
  for (const CLI::App* chosen : app.get_subcommands()) {
    command += " " + chosen->get_name();
  }
  spdlog::error("{}; see {} --help", text, command);
  return kExitUsage;
}

int run_program(int argc, char** argv) {
  CLI::App app("Halftones contone TIFF pages into bilevel plates, the same bits on any machine.");
  app.name("mezzotint");
  app.set_version_flag("--version", std::string("mezzotint ") + kVersion);
  app.require_subcommand(1);
  app.fallthrough();
  commands::CommonOptions common;
  app.add_flag("-q,--quiet", common.quiet, "Errors and warnings only");
  app.add_flag("-v,--verbose", common.verbose, "More detail");
  app.add_flag("--json", common.json, "Results as JSON lines on standard output");
  // Takes effect at once, so that what is wrong with the words after it is JSON too.
  app.add_flag_callback(
         "--log-json",
         [&common] {
           common.log_json = true;
           cli::set_up_log(common.verbosity(), common.log_json);
         },
         "Messages as JSON lines on standard error, without a line of progress")
      ->trigger_on_parse();

  int status = kExitGood;
  commands::add_run_command(app, common, status);
  commands::add_check_command(app, common, status);
  commands::add_watch_command(app, common, status);
  commands::add_jobs_command(app, common, status);
  commands::add_submit_command(app, common, status);
  commands::add_worker_command(app, common, status);
  commands::add_collect_command(app, common, status);
  commands::add_cancel_command(app, common, status);
  commands::add_status_command(app, common, status);
  commands::add_halftone_command(app, common, status);
  commands::add_compare_command(app, common, status);
  commands::add_synth_command(app, common, status);
  commands::add_info_command(app, common, status);
  commands::add_schema_command(app, common, status);
  commands::add_bench_command(app, common, status);
  app.parse_complete_callback([&common] { cli::set_up_log(common.verbosity(), common.log_json); });
  cli::set_up_log(cli::Verbosity::kNormal);
  try {
    app.parse(argc, argv);
    flush_results();
  } catch (const CLI::ParseError& error) {
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i) {
      if (*argv[i] != '\0') words.emplace_back(argv[i]);
    }
    return report_usage(app, error, words);
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
  return mezzo::run_program(argc, argv);
}
