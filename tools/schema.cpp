// mezzotint schema: the JSON Schema of manifests and of folder.yaml, for editors.

#include <fmt/format.h>

#include "manifests/folder.h"
#include "tools/commands.h"

namespace mezzo {

void add_schema_command(CLI::App& app, const CommonOptions&, int&) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of manifests");
  const CLI::Option* folder =
      command->add_flag("--folder", "of folder.yaml, the settings of a hot folder");
  command->callback(
      [folder] { fmt::print("{}", folder->count() > 0 ? folder_schema() : manifest_schema()); });
}

}  // namespace mezzo
