#include "tests/manifests/tool/reference.h"

#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/key_sections.h"
#include "manifests/kinds/kind.h"
#include "manifests/parameters.h"

namespace mezzo::test {
namespace {

std::string row(std::string_view name,
                const std::string& value,
                std::string_view when_left_out,
                std::string_view meaning) {
  const std::string otherwise = when_left_out.empty() || when_left_out == "required"
                                    ? std::string(when_left_out)
                                    : "`" + std::string(when_left_out) + "`";
  return "| `" + std::string(name) + "` | " + value + " | " + otherwise + " | " +
         std::string(meaning) + " |\n";
}

const char* const kHead = "\n| key | value | default | meaning |\n|---|---|---|---|\n";

std::string section(const manifests::KeySection& section) {
  std::string text = "\n### " + std::string(section.title) + "\n" + kHead;
  for (const manifests::Field* field : manifests::fields_of(section.scope)) {
    text += row(field->name,
                manifests::expected(*field),
                field->is_required ? "required" : manifests::default_text(*field),
                field->summary);
  }
  return text;
}

std::string section(const MethodInfo& method) {
  std::string text =
      "\n### `method: " + std::string(method.name) + "`\n\n" + std::string(method.summary) + ".\n";
  if (method.parameters.empty()) return text;
  text += kHead;
  for (const ParameterInfo& parameter : method.parameters) {
    text += row(parameter.name,
                manifests::expected(parameter),
                manifests::default_text(parameter),
                parameter.summary);
  }
  return text;
}

}  // namespace

std::string key_reference() {
  std::string text =
      "# All keys\n\n"
      "[README.md](README.md) explains manifests; this list is made from the tables of the "
      "program.\n"
      "Another key is refused, and so is a value of another kind. Where *default* is empty, a key "
      "that\n"
      "is left out has no effect.\n\n"
      "## Job manifests\n";
  for (const manifests::KeySection& each : manifests::sections_of_manifests())
    text += section(each);
  text +=
      "\n## Press files\n\nTheir `halftone` and `tone`, and `output` of an ink, are as above.\n";
  for (const manifests::KeySection& each : manifests::sections_of_presses()) text += section(each);
  text +=
      "\n## `folder.yaml`\n\nBeside these it has `limits` and `defaults`, as above. "
      "`press`, `plates` outside of the\nfolder, `limits`, `hours`, `priority`, `throttle`, "
      "`tries`, "
      "`stall`, `keep` and `reserve` count only in a\nfile that belongs to the watcher's user or "
      "to root, and that no one else can write.\n";
  for (const manifests::KeySection& each : manifests::sections_of_folders()) text += section(each);
  text +=
      "\n## Curve files\n\nThey are made by `mezzotint linearise`, and lie in the library of a "
      "press "
      "file.\n";
  for (const manifests::KeySection& each : manifests::sections_of_curves()) text += section(each);
  text += "\n## Parameters of methods\n\nThey stand in `halftone`, beside `method`.\n";
  for (const MethodInfo& method : methods()) text += section(method);
  return text;
}

}  // namespace mezzo::test
