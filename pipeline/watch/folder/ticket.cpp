#include "pipeline/watch/folder/ticket.h"

#include <algorithm>
#include <filesystem>
#include <variant>

#include "manifests/draft.h"
#include "manifests/named_files.h"
#include "manifests/plate_settings.h"
#include "manifests/source_text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/folder/job_record.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

/// The text of a manifest; nothing when there is none that can be read.
std::optional<std::string> read_manifest(int folder, const std::string& name) {
  const files::Descriptor file = files::open_regular(folder, name);
  std::optional<std::string> text =
      file ? files::read_all(file.get(), manifests::kMaxManifestBytes + 1) : std::nullopt;
  if (text && text->size() > manifests::kMaxManifestBytes) text.reset();
  return text;
}

/// The draft of a manifest; null when the text is none.
manifests::JobDraftPtr parse_draft(const std::optional<std::string>& text,
                                   const std::string& name,
                                   const manifests::FolderSettings& settings) {
  if (!text) return nullptr;
  manifests::Checked<manifests::JobDraftPtr> parsed =
      manifests::parse_manifest(*text, name, {.given = settings.press});
  manifests::JobDraftPtr* draft = std::get_if<manifests::JobDraftPtr>(&parsed);
  return draft == nullptr ? nullptr : std::move(*draft);
}

/// Why the plates of a job cannot go where it sends them; empty when they can.
std::string problem_of_plates(const manifests::JobDraft& draft,
                              const std::string& path,
                              const manifests::FolderSettings& settings) {
  for (const manifests::DraftPage& page : draft.pages) {
    for (const std::string& plates : manifests::plate_templates(page.settings)) {
      const std::string problem = plates_problem(path, settings, plates);
      if (problem.empty()) continue;
      return "for 'output.path' " + manifests::in_quotes(plates) + " its " + problem +
             "; give the plates a folder of their own, such as plates/";
    }
  }
  return {};
}

/// Not of [..], which names of files may have.
bool is_pattern(const std::string& name) {
  return name.find_first_of("*?") != std::string::npos;
}

bool is_page_name(const std::string& name) {
  return name.find('/') == std::string::npos && kind_of_name(name) == NameKind::kPage &&
         !name_problem(name) && !is_pattern(name);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

void sort_names(std::vector<std::string>& names) {
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
}

std::string without_dot(std::string name) {
  if (name.starts_with("./")) name.erase(0, 2);
  return name;
}

/// The names of pages that a line of YAML has, as far as they can be told without its grammar:
/// each begins after the last mark of YAML before its end.
void add_names_in(std::string_view line, std::vector<std::string>& names) {
  constexpr size_t kLongest = 256;  // that a page's name can be, and more
  for (size_t at = 0; (at = line.find('.', at)) != std::string_view::npos; ++at) {
    for (const size_t bytes : {5, 4}) {
      const size_t first = at > kLongest ? at - kLongest : 0;
      const std::string_view begun = line.substr(first, at - first + bytes);
      if (kind_of_name(begun.substr(at == 0 ? 0 : at - first - 1)) != NameKind::kPage) continue;
      const size_t end = first + begun.size();
      if (end < line.size() && is_letter(line[end])) continue;
      size_t begin = begun.find_last_of("\"'[]{},");
      begin = begin == std::string_view::npos ? 0 : begin + 1;
      for (const std::string_view mark : {"- ", ": "}) {
        const size_t found = begun.rfind(mark);
        if (found != std::string_view::npos) begin = std::max(begin, found + mark.size());
      }
      begin = std::min(begun.find_first_not_of(' ', begin), begun.size());
      const std::string name = without_dot(std::string(begun.substr(begin)));
      if (is_page_name(name)) names.push_back(name);
      break;
    }
  }
}

/// As many as a manifest may have pages.
constexpr size_t kMaxNames = 5'000;

std::vector<std::string> names_in_text(const std::string& text) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    add_names_in(std::string_view(text).substr(begin, end - begin), names);
    if (names.size() > kMaxNames) break;
    begin = end + 1;
  }
  sort_names(names);
  return names;
}

}  // namespace

Ticket read_ticket(int folder,
                   const std::string& name,
                   const std::string& path,
                   const manifests::FolderSettings& settings) {
  const std::optional<std::string> text = read_manifest(folder, name);
  const manifests::JobDraftPtr draft = parse_draft(text, name, settings);
  if (!draft) {
    return {.is_readable = false,
            .names = text ? names_in_text(*text) : std::vector<std::string>(),
            .problem = {}};
  }
  Ticket ticket{.is_readable = true, .names = {}, .problem = {}};
  const auto add = [&ticket](const std::string& written) {
    const std::string file = without_dot(written);
    if (is_page_name(file)) {
      ticket.names.push_back(file);
    } else if (ticket.problem.empty()) {
      ticket.problem =
          "it names " + manifests::in_quotes(written) + (is_pattern(file) ? ", a pattern" : "") +
          "; name files one by one, without * and ?, that lie in the hot folder itself "
          "and end in .tif or .tiff";
    }
  };
  for (const manifests::DraftPage& page : draft->pages) {
    add(page.input);
    for (const manifests::DraftLinework& one : page.linework) {
      // Not a name of a file: the job is refused when it is read.
      if (!one.linework.is_of_each_ink) add(one.linework.file);
    }
    manifests::PageSettings all = page.settings;
    for (const manifests::NamedFile& file : manifests::named_files(all, page.origins.get())) {
      if (!is_of_press(file)) add(*file.path);
    }
  }
  sort_names(ticket.names);
  if (ticket.problem.empty()) ticket.problem = problem_of_plates(*draft, path, settings);
  return ticket;
}

std::string plates_problem(const std::string& path,
                           const manifests::FolderSettings& settings,
                           const std::string& plate_template) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(path).lexically_normal();
  const fs::path plate = (folder / settings.plates / plate_template).lexically_normal();
  return manifests::plates_problem(".", plate.lexically_relative(folder).string());
}

std::string folder_job_problem(int folder,
                               const std::string& name,
                               const std::string& path,
                               const manifests::FolderSettings& settings) {
  const files::Descriptor inside = files::open_folder(folder, name);
  if (!inside) return {};
  const manifests::JobDraftPtr draft =
      parse_draft(read_manifest(inside.get(), kManifestName), kManifestName, settings);
  return draft ? problem_of_plates(*draft, path, settings) : std::string();
}

}  // namespace mezzo::watch
