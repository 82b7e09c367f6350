#include "tools/words/pages.h"

#include <algorithm>
#include <sstream>

#include "kernels/registry.h"
#include "tools/words/mdoc.h"
#include "tools/words/tables.h"
#include "tools/words/texts.h"

namespace mezzo::words {
namespace {

Document topic(std::string_view heading) {
  return part_of(parse_markdown(kTopics), heading);
}

/// Parts of a page, with their headings.
Document parts_of(std::string_view markdown, std::initializer_list<std::string_view> headings) {
  const Document page = parse_markdown(markdown);
  Document parts;
  for (const std::string_view heading : headings) {
    parts.push_back({BlockKind::kHeading, std::string(heading)});
    append(parts, part_of(page, heading));
  }
  return parts;
}

Document joined(std::initializer_list<Document> documents) {
  Document whole;
  for (const Document& document : documents) append(whole, document);
  return whole;
}

Document under(std::string_view heading, const Document& document) {
  return joined({{{BlockKind::kHeading, std::string(heading)}}, document});
}

Document methods_topic() {
  return joined({topic("Methods"), methods_table(), topic("Choosing a method")});
}

Document engines_topic() {
  return part_of(parse_markdown(kOfKernels), "Engines");
}

Document manifest_keys() {
  return under("Keys", joined({topic("Keys"), keys_of(manifests::sections_of_manifests())}));
}

Document press_keys() {
  return under("Keys",
               joined({topic("Keys of press files"),
                       keys_of(manifests::sections_of_presses()),
                       keys_of(manifests::sections_of_curves())}));
}

Document folder_keys() {
  return under("Keys",
               joined({topic("Keys of folder.yaml"), keys_of(manifests::sections_of_folders())}));
}

Document press_text() {
  return joined({part_of(parse_markdown(kOfManifests), "Press files"),
                 parts_of(kOfManifests, {"Measured curves"})});
}

Document folder_text() {
  return joined({beginning_of(parse_markdown(kOfWatch)), parts_of(kOfWatch, {"Settings"})});
}

Document methods_page() {
  Document page = joined({methods_topic(), {{BlockKind::kHeading, "Parameters"}}});
  for (const MethodInfo& method : methods()) {
    page.push_back({BlockKind::kSubheading, "`" + std::string(method.name) + "`"});
    append(page, parameters_of(method));
  }
  append(page,
         parts_of(kOfKernels,
                  {"Engines",
                   "Green noise",
                   "Stochastic screens",
                   "Dots of several pixels",
                   "Screens of your own"}));
  return page;
}

Document manifest_page() {
  return joined({topic("Manifests"),
                 manifest_keys(),
                 parts_of(kOfManifests,
                          {"Paths",
                           "Percentages",
                           "The order of tones",
                           "The page on its plate",
                           "Channels",
                           "Inks",
                           "Drops of several sizes",
                           "Separations in files of their own",
                           "Line work and pages of one bit",
                           "Verification",
                           "Memory"})});
}

/// The words of a paragraph "See also: a(1) b(5)" at the end, which is taken off.
std::vector<std::string> take_references(Document& document) {
  constexpr std::string_view kMark = "See also: ";
  std::vector<std::string> names;
  if (document.empty() || !document.back().text.starts_with(kMark)) return names;
  std::istringstream words(document.back().text.substr(kMark.size()));
  for (std::string name; words >> name;) names.push_back(name);
  document.pop_back();
  return names;
}

/// Of the list "by command" of exit statuses, what names the command.
Document statuses_of(const std::string& command) {
  Document found;
  for (const Block& block : parse_markdown(kOfCli)) {
    const bool is_named = block.text.find("`" + command + "`") != std::string::npos ||
                          block.text.find("`" + command + " ") != std::string::npos;
    if (block.kind == BlockKind::kItem && is_named) {
      found.push_back({BlockKind::kParagraph, block.text});
    }
  }
  return found;
}

}  // namespace

std::vector<TopicText> topic_texts() {
  return {
      {"start", "First steps: from a page to its plates", [] { return topic("First steps"); }},
      {"methods", "Halftoning methods, and which to choose", methods_topic},
      {"engines", "Where a method can run", engines_topic},
      {"manifest",
       "The description of a job, with all keys",
       [] {
         return joined({topic("Manifests"), manifest_keys()});
       }},
      {"inks",
       "Settings of single inks; inks that are dropped, mixed or renamed",
       [] { return part_of(parse_markdown(kOfManifests), "Inks"); }},
      {"press",
       "Settings that belong to a machine, with all keys",
       [] {
         return joined({press_text(), press_keys()});
       }},
      {"hot-folders",
       "Folders whose pages are printed as they arrive, with all keys",
       [] {
         return joined({folder_text(), folder_keys()});
       }},
      {"cluster",
       "Jobs on many machines",
       [] {
         return joined({beginning_of(parse_markdown(kOfCluster)),
                        parts_of(kOfCluster, {"When something fails"})});
       }},
      {"exit-status",
       "Meanings of the exit status",
       [] { return beginning_of(parse_markdown(kOfCli)); }},
      {"environment", "Environment variables", [] { return topic("Environment"); }},
      {"files", "Files that mezzotint keeps", [] { return topic("Files"); }},
  };
}

std::vector<Page> other_pages() {
  return {
      {"mezzotint-manifest",
       5,
       "description of a job of mezzotint",
       manifest_page,
       {"mezzotint-check(1)",
        "mezzotint-run(1)",
        "mezzotint-schema(1)",
        "mezzotint-press(5)",
        "mezzotint-methods(7)"}},
      {"mezzotint-press",
       5,
       "settings of mezzotint that belong to a machine",
       [] {
         return joined({press_text(), press_keys()});
       },
       {"mezzotint-check(1)", "mezzotint-manifest(5)", "mezzotint-folder(5)"}},
      {"mezzotint-folder",
       5,
       "hot folders of mezzotint and their settings",
       [] {
         return joined({folder_text(), folder_keys(), parts_of(kOfWatch, {"Promises"})});
       },
       {"mezzotint-watch(1)",
        "mezzotint-jobs(1)",
        "mezzotint-manifest(5)",
        "mezzotint-press(5)",
        "mezzotint-service(7)"}},
      {"mezzotint-methods",
       7,
       "halftoning methods of mezzotint and their parameters",
       methods_page,
       {"mezzotint-halftone(1)", "mezzotint-compare(1)", "mezzotint-manifest(5)"}},
      {"mezzotint-service",
       7,
       "mezzotint as services of systemd",
       [] { return beginning_of(parse_markdown(kOfService)); },
       {"mezzotint-watch(1)", "mezzotint-jobs(1)", "mezzotint-folder(5)"}},
  };
}

std::string manual_page(const Page& page) {
  return mdoc_head(page.name, page.section, page.summary) + mdoc_section("Description") +
         mdoc_body(page.text()) + see_also_section(page.see_also);
}

CommandText command_text(const std::string& command) {
  CommandText text{.description = part_of(parse_markdown(kCommands), command),
                   .sections = {},
                   .statuses = statuses_of(command),
                   .see_also = {}};
  text.see_also = take_references(text.description);
  if (command == "mezzotint") text.description = topic("First steps");
  if (command == "run") text.sections = parts_of(kOfRun, {"After a stop", "By night", "Reports"});
  if (command == "jobs") text.sections = parts_of(kOfWatch, {"Steering"});
  if (command == "submit") {
    append(text.description, beginning_of(parse_markdown(kOfCluster)));
    text.sections = parts_of(kOfCluster, {"When something fails", "Options, and other schedulers"});
  }
  if (command == "compare") {
    append(text.description, beginning_of(parse_markdown(kOfCompare)));
    text.sections =
        parts_of(kOfCompare, {"A print of several inks", "What is compared", "As a page"});
  }
  return text;
}

std::string see_also_section(std::vector<std::string> pages) {
  // By section, then by name.
  std::ranges::sort(
      pages, {}, [](const std::string& page) { return page.substr(page.size() - 2) + page; });
  std::string text = mdoc_section("See also");
  for (const std::string& page : pages) {
    text += mdoc_text(page + (page == pages.back() ? "" : ","));
  }
  return text;
}

}  // namespace mezzo::words
