// mezzotint completion: the script by which a shell completes command lines of mezzotint, and
// mezzotint complete, which the scripts ask.

#include "tools/cli/completion.h"

#include <fmt/format.h>

#include <memory>

#include "pipeline/exit_status.h"
#include "tools/commands/commands.h"
#include "tools/commands/shells/scripts.h"

namespace mezzo::commands {
namespace {

std::string_view script_of(std::string_view shell) {
  return shell == "bash" ? kBashScript : shell == "zsh" ? kZshScript : kFishScript;
}

}  // namespace

void add_completion_commands(cli::Program& program) {
  cli::Command& script =
      program.command("completion", "Print the script by which a shell completes command lines");
  const auto shell = std::make_shared<std::string>();
  script.argument("SHELL", *shell, "Shell").required().one_of({"bash", "zsh", "fish"});
  script.example("source <(mezzotint completion bash)", "Complete in this shell, a bash or a zsh.");
  script.example("mezzotint completion fish | source", "Complete in this fish.");
  script.runs([shell] {
    fmt::print("{}", script_of(*shell));
    return kExitGood;
  });

  cli::Command& complete =
      program.command("complete", "Print what completes the last word of a command line").hidden();
  const auto words = std::make_shared<cli::Words>();
  complete.argument("WORD", *words, "The words so far, behind --; the last may be empty");
  complete.runs([words, &program] {
    for (const std::string& line : cli::Completion(program).lines(*words)) fmt::print("{}\n", line);
    return kExitGood;
  });
}

}  // namespace mezzo::commands
