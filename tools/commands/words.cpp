// mezzotint words: writes manual pages and completion scripts, for the build and for tools/install.

#include <filesystem>
#include <fstream>
#include <memory>

#include "kernels/base/error.h"
#include "pipeline/exit_status.h"
#include "tools/cli/help_text.h"
#include "tools/commands/commands.h"
#include "tools/commands/shells/scripts.h"
#include "tools/words/command_page.h"
#include "tools/words/pages.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;

void write_file(const fs::path& path, std::string_view text) {
  std::error_code ignored;
  fs::create_directories(path.parent_path(), ignored);
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::kCannotCreate, path.string() + ": cannot be written");
}

void write_pages(const cli::Program& program, const fs::path& folder) {
  write_file(folder / "man1/mezzotint.1", words::command_page(program));
  for (const cli::Command* command : cli::HelpText(program, {}).commands()) {
    write_file(folder / "man1" / (words::page_name(*command) + ".1"),
               words::command_page(*command));
  }
  for (const words::Page& page : words::other_pages()) {
    const std::string section = std::to_string(page.section);
    write_file(folder / ("man" + section) / (std::string(page.name) + "." + section),
               words::manual_page(page));
  }
}

}  // namespace

void add_words_command(cli::Program& program) {
  cli::Command& command =
      program.command("words", "Write manual pages and completion scripts").hidden();
  const auto folder = std::make_shared<std::string>();
  command.argument("FOLDER", *folder, "Where man, bash-completion, zsh and fish go: PREFIX/share")
      .required()
      .takes("FOLDER");
  command.runs([folder, &program] {
    const fs::path share = *folder;
    write_pages(program, share / "man");
    write_file(share / "bash-completion/completions/mezzotint", kBashScript);
    write_file(share / "zsh/vendor-completions/_mezzotint", kZshScript);
    write_file(share / "fish/vendor_completions.d/mezzotint.fish", kFishScript);
    return kExitGood;
  });
}

}  // namespace mezzo::commands
