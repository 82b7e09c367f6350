// mezzotint schema: the JSON Schema of manifests and of folder.yaml, for editors.

#include <fmt/format.h>

#include <memory>

#include "manifests/folder.h"
#include "pipeline/exit_status.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {

void add_schema_command(cli::Program& program, const CommonOptions&) {
  cli::Command& command = program.command("schema", "Print the JSON Schema of manifests");
  const auto is_folder = std::make_shared<bool>(false);
  command.flag("--folder", *is_folder, "Print that of folder.yaml, the settings of a hot folder");
  command.runs([is_folder] {
    fmt::print("{}", *is_folder ? manifests::folder_schema() : manifests::manifest_schema());
    return kExitGood;
  });
  command.example("mezzotint schema >job.schema.json", "Save it for an editor.");
}

}  // namespace mezzo::commands
