#include "tools/words/words_commands.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "kernels/base/error.h"
#include "pipeline/exit_status.h"
#include "tools/cli/completion.h"
#include "tools/cli/help_text.h"
#include "tools/words/command_page.h"
#include "tools/words/pages.h"
#include "tools/words/shells/scripts.h"

namespace mezzo::words {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "mezzotint";  ///< that the scripts are written for

std::string script_for(const cli::Program& program, std::string_view shell) {
  std::string script(shell == "bash" ? kBashScript : shell == "zsh" ? kZshScript : kFishScript);
  const std::string name = cli::HelpText(program, {}).name();
  for (size_t at = 0; (at = script.find(kProgram, at)) != std::string::npos; at += name.size()) {
    script.replace(at, kProgram.size(), name);
  }
  return script;
}

void add_completion(cli::Program& program) {
  cli::Command& command =
      program.command("completion", "Print the script by which a shell completes command lines");
  const auto shell = std::make_shared<std::string>();
  command.argument("SHELL", *shell, "Shell").required().one_of({"bash", "zsh", "fish"});
  const std::string line = cli::HelpText(program, {}).name() + " completion ";
  command.example("source <(" + line + "bash)", "Complete in this shell, a bash or a zsh.");
  command.example(line + "fish | source", "Complete in this fish.");
  command.runs([shell, &program] {
    fmt::print("{}", script_for(program, *shell));
    return kExitGood;
  });
}

void add_complete(cli::Program& program) {
  cli::Command& command =
      program.command("complete", "Print what completes the last word of a command line").hidden();
  const auto words = std::make_shared<cli::Words>();
  command.argument("WORD", *words, "The words so far, behind --; the last may be empty");
  command.runs([words, &program] {
    for (const std::string& line : cli::Completion(program).lines(*words)) fmt::print("{}\n", line);
    return kExitGood;
  });
}

void write_file(const fs::path& path, std::string_view text) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::kCannotCreate, path.string() + ": cannot be written");
}

void write_page(const fs::path& folder, std::string_view name, int section, std::string_view text) {
  const std::string number = std::to_string(section);
  write_file(folder / ("man" + number) / (std::string(name) + "." + number), text);
}

/// A page a command, and those on files and methods; of another program than mezzotint one page.
void write_pages(const cli::Program& program, const fs::path& folder) {
  const cli::HelpText help(program, {});
  if (help.name() != kProgram) {
    write_page(folder, help.name(), 1, page_with_commands(program));
    return;
  }
  write_page(folder, help.name(), 1, command_page(program));
  for (const cli::Command* command : help.commands()) {
    write_page(folder, page_name(*command), 1, command_page(*command));
  }
  for (const Page& page : other_pages()) {
    write_page(folder, page.name, page.section, manual_page(page));
  }
}

void add_words(cli::Program& program) {
  cli::Command& command =
      program.command("words", "Write manual pages and completion scripts").hidden();
  const auto folder = std::make_shared<std::string>();
  command.argument("FOLDER", *folder, "Where man, bash-completion, zsh and fish go: PREFIX/share")
      .required()
      .takes("FOLDER");
  command.runs([folder, &program] {
    const fs::path share = *folder;
    const std::string name = cli::HelpText(program, {}).name();
    write_pages(program, share / "man");
    write_file(share / "bash-completion/completions" / name, script_for(program, "bash"));
    write_file(share / "zsh/vendor-completions" / ("_" + name), script_for(program, "zsh"));
    write_file(share / "fish/vendor_completions.d" / (name + ".fish"), script_for(program, "fish"));
    return kExitGood;
  });
}

}  // namespace

void add_words_commands(cli::Program& program) {
  add_completion(program);
  add_complete(program);
  add_words(program);
}

}  // namespace mezzo::words
