// mezzotint schema: the JSON Schema of manifests and of folder.yaml, for editors.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "manifests/folder.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {

void add_schema_command(CLI::App& app, const CommonOptions&, int&) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of manifests");
  const auto is_folder = std::make_shared<bool>(false);
  command->add_flag("--folder", *is_folder, "of folder.yaml, the settings of a hot folder");
  command->callback([is_folder] {
    fmt::print("{}", *is_folder ? manifests::folder_schema() : manifests::manifest_schema());
  });
}

}  // namespace mezzo::commands
