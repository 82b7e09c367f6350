// mezzotint schema: the JSON Schema of manifests, of folder.yaml, of press files and of curve files, for editors.

#include <fmt/format.h>

#include <memory>

#include "manifests/folder.h"
#include "manifests/key_sections.h"
#include "manifests/press_file.h"
#include "pipeline/exit_status.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {

void make_schema_command(cli::Command& command, const CommonOptions&) {
  const auto is_folder = std::make_shared<bool>(false);
  cli::Option& folder = command.flag(
      "--folder", *is_folder, "Print that of folder.yaml, the settings of a hot folder");
  const auto is_press = std::make_shared<bool>(false);
  cli::Option& press =
      command.flag("--press", *is_press, "Print that of press files").excludes(folder);
  const auto is_curve = std::make_shared<bool>(false);
  command.flag("--curve", *is_curve, "Print that of curve files").excludes(folder).excludes(press);
  command.runs([is_folder, is_press, is_curve] {
    fmt::print("{}",
               *is_folder  ? manifests::folder_schema()
               : *is_press ? manifests::press_schema()
               : *is_curve ? manifests::curve_schema()
                           : manifests::manifest_schema());
    return kExitGood;
  });
  command.example("mezzotint schema >job.schema.json", "Save it for an editor.");
}

}  // namespace mezzo::commands
