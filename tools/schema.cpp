// mezzotint schema: the JSON Schema of manifests, for editors.

#include <fmt/format.h>

#include "tools/commands.h"

namespace mezzo {

void add_schema_command(CLI::App& app, const CommonOptions&, int&) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of manifests");
  command->callback([] { fmt::print("{}", manifest_schema()); });
}

}  // namespace mezzo
