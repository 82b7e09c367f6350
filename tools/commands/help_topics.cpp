#include <vector>

#include "kernels/registry.h"
#include "manifests/fields.h"
#include "tools/cli/help_text.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

using cli::HelpRow;

std::string methods_text() {
  std::vector<HelpRow> rows;
  for (const MethodInfo& method : methods()) {
    rows.push_back({std::string(method.name), std::string(method.summary)});
  }
  return "Halftoning methods (--method NAME, in a manifest halftone: {method: NAME}):\n\n" +
         cli::columns(rows) +
         "\nThe parameters of a method: mezzotint halftone --method NAME --help\n"
         "To compare their plates: mezzotint compare CONTONE PLATE...\n";
}

std::string engines_text() {
  return "Where a method runs (--engine NAME, in a manifest halftone: {engine: NAME}):\n\n" +
         cli::columns({
             {"auto", "where the job is expected to end sooner; --explain says where and why"},
             {"cpu", "on the processors of this machine"},
             {"gpu", "on its CUDA GPUs"},
             {"handover", "the CPU begins and ends a page, the GPU does the middle"},
             {"hybrid", "CPU and GPU work on a page at the same time"},
         }) +
         "\nThe bits of a plate are the same on all of them. When the requested engine is\n"
         "not available, the command ends with 69. `mezzotint info` lists GPUs and\n"
         "schedules, the ways in which each engine can run a method.\n";
}

/// The keys of a map of the manifest.
std::string keys_text(const std::string& title, manifests::Scope scope) {
  std::vector<HelpRow> rows;
  for (const manifests::Field* field : manifests::fields_of(scope)) {
    rows.push_back({std::string(field->name), std::string(field->summary)});
  }
  return "\n" + title + ":\n" + cli::columns(rows);
}

std::string manifest_text() {
  return "A manifest is a YAML file, or JSON, that describes one job:\n\n"
         "  mezzotint: 1\n"
         "  job: Leaflet\n"
         "  defaults:\n"
         "    output: {path: \"plates/{stem}_{ink}.tif\"}\n"
         "  pages:\n"
         "    - front.tif\n"
         "    - input: back.tif\n"
         "      halftone: {method: bayer, order: 4}\n"
         "\n`mezzotint check FILE` finds mistakes and shows the plan, `mezzotint run FILE`\n"
         "runs it, `mezzotint schema` prints the JSON Schema for editors.\n" +
         keys_text("Keys at the top", manifests::kInManifest) +
         keys_text("Keys of a page", manifests::kInPage) +
         keys_text("Keys of halftone, beside the method's parameters", manifests::kInHalftone) +
         keys_text("Keys of levels", manifests::kInLevels) +
         keys_text("Keys of tone", manifests::kInTone) +
         keys_text("Keys of output", manifests::kInOutput) +
         keys_text("Keys of limits", manifests::kInLimits);
}

std::string exit_status_text() {
  return "The exit status of a command:\n\n" +
         cli::columns({
             {"0", "all pages are good"},
             {"1", "finished, and some page failed"},
             {"64", "the command line is wrong"},
             {"65",
              "the manifest is wrong or names an input that is missing; or a page is damaged, "
              "unsupported or beyond a limit"},
             {"66", "the manifest itself, or the input of halftone or compare, is missing"},
             {"69", "an engine or device that was asked for is unavailable"},
             {"70, 134", "a bug in mezzotint: please report it"},
             {"71", "a GPU failed, and only a new process can use it: run the command again"},
             {"73", "an output cannot be created"},
             {"74", "reading or writing failed"},
             {"75", "try again: disk full, memory short, time up, or the job is already running"},
             {"130, 143", "interrupted, terminated"},
         }) +
         "\nWith several manifests, a status that is worth another try wins over one that is\n"
         "not, and both win over failed pages.\n";
}

std::string environment_text() {
  return "Environment variables:\n\n" +
         cli::columns({
             {"STATE_DIRECTORY, XDG_STATE_HOME, HOME",
              "the first that is set gives the state folder: journals and the watcher's history, "
              "in "
              "$STATE_DIRECTORY, $XDG_STATE_HOME/mezzotint or ~/.local/state/mezzotint"},
             {"XDG_CACHE_HOME", "folder for the measured speeds of GPUs; default: ~/.cache"},
             {"RUNTIME_DIRECTORY, XDG_RUNTIME_DIR", "the watcher's socket, for mezzotint jobs"},
             {"CUDA_VISIBLE_DEVICES", "the GPUs to use, as CUDA numbers them; empty: none"},
             {"NO_COLOR", "when it is not empty, messages have no colour"},
             {"CI", "when it is set, no progress line is drawn"},
             {"TZ", "the time zone of --window, --deadline and of a hot folder's hours"},
         });
}

}  // namespace

void add_help_topics(cli::Program& program) {
  program.topic("methods", "Halftoning methods", methods_text);
  program.topic("engines", "Where a method can run", engines_text);
  program.topic("manifest", "The description of a job, with all keys", manifest_text);
  program.topic("exit-status", "Meanings of the exit status", exit_status_text);
  program.topic("environment", "Environment variables", environment_text);
}

}  // namespace mezzo::commands
