#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "kernels/prepress/folded_name.h"
#include "manifests/draft.h"
#include "manifests/fields.h"
#include "manifests/input_finder.h"
#include "manifests/job.h"
#include "manifests/named_files.h"
#include "manifests/path_template.h"
#include "manifests/plate_settings.h"

namespace mezzo::manifests {
namespace {

namespace fs = std::filesystem;

// A file name may have 255 bytes; some are left for the name of a plate while it is written.
constexpr size_t kMaxNameBytes = 240;
constexpr size_t kMaxPathBytes = 4000;

/// The pages of the job that already write to a plate of one template.
struct Claim {
  std::optional<size_t> whole;           // by a page that writes every {page}
  std::map<uint32_t, size_t> by_number;  // by the {page} it writes
};

/// Claims the plates of job page `index`; gives the page that has one of them already.
std::optional<size_t> claim(Claim& claims, const JobPage& page, size_t index) {
  const bool is_whole = page.pages.empty() || !has_page_number(page.settings.output.path);
  std::optional<size_t> other = claims.whole;
  if (is_whole) {
    if (!other && !claims.by_number.empty()) other = claims.by_number.begin()->second;
    if (!claims.whole) claims.whole = index;
    return other;
  }
  for (const uint32_t number : page.pages) {
    const auto [place, is_new] = claims.by_number.emplace(number, index);
    if (!is_new && !other) other = place->second;
  }
  return other;
}

/// A resolved template as a pattern of fnmatch(3), and its text before the first {name}.
struct PlatePattern {
  std::string pattern;
  std::string start;
};

PlatePattern plate_pattern(std::string_view resolved) {
  PlatePattern result;
  bool is_start = true;
  for (size_t i = 0; i < resolved.size(); ++i) {
    const bool is_brace = resolved[i] == '{' || resolved[i] == '}';
    const bool is_doubled = is_brace && i + 1 < resolved.size() && resolved[i + 1] == resolved[i];
    if (resolved[i] == '{' && !is_doubled) {
      is_start = false;
      result.pattern += "?*";
      i = std::min(resolved.find('}', i), resolved.size());
      continue;
    }
    result.pattern += literal_pattern(resolved.substr(i, 1));
    if (is_start) result.start += resolved[i];
    i += is_doubled ? 1 : 0;
  }
  return result;
}

/// A file that settings name as an input of its own, likewise.
DraftPage file_entry(const NamedFile& file) {
  return {.input = *file.path,
          .input_place = file.origin == nullptr ? Place() : file.origin->place,
          .is_literal = true};
}

/// The mistake in one line, as failures of pages have it.
PageMistake page_mistake(const InputMistake& mistake) {
  Diagnostic found = mistake.diagnostic;
  found.excerpt.clear();
  const std::string hint = std::exchange(found.hint, {});
  return {mistake.kind, to_string(found) + (hint.empty() ? "" : "; " + hint)};
}

/// The line work as an input of its own, for an InputFinder.
DraftPage linework_entry(const DraftLinework& one) {
  return {.input = one.linework.file, .input_place = one.place, .is_literal = true};
}

/// A file that settings name, once it was looked for.
struct FoundFile {
  std::string path = {};  ///< empty: it cannot be used
  std::optional<InputMistake> mistake = {};
};

class Resolver {
 public:
  Resolver(const JobDraft& draft,
           const std::string& folder,
           const std::string& plates_folder,
           Reach reach,
           OnMistake on_mistake)
      : draft_(draft),
        folder_(folder.empty() ? "." : folder),
        plates_folder_(plates_folder.empty() ? folder_ : plates_folder),
        reach_(reach),
        on_mistake_(on_mistake),
        finder_(draft, folder_, reach, mistakes_) {}

  Checked<Job> run() {
    job_ = {.name = draft_.name,
            .manifest = draft_.source.file(),
            .folder = folder_,
            .plates_folder = plates_folder_,
            .press_file = draft_.press_file,
            .priority = draft_.priority,
            .limits = draft_.limits,
            .pages = {}};
    bool is_too_large = false;
    for (const DraftPage& entry : draft_.pages) {
      is_too_large = !add_entry(entry);
      if (is_too_large) break;
    }
    for (const JobPage& page : job_.pages) real_inputs_.push_back(real_path(page.input));
    check_collisions();
    check_inputs_are_safe();
    if (mistakes_.empty()) return std::move(job_);
    const bool is_any_good = std::ranges::any_of(
        job_.pages, [](const JobPage& page) { return !page.mistake.has_value(); });
    if (on_mistake_ == OnMistake::kFailPage && is_any_good && !is_too_large) return std::move(job_);
    return diagnostics();
  }

 private:
  std::vector<Diagnostic> diagnostics() {
    std::vector<Diagnostic> found;
    for (InputMistake& mistake : mistakes_) found.push_back(std::move(mistake.diagnostic));
    found = in_order(std::move(found));
    // A file of several pages was complained of for each.
    if (on_mistake_ == OnMistake::kFailPage) {
      found.erase(std::unique(found.begin(), found.end()), found.end());
    }
    return found;
  }

  /// A mistake of the entry at a place of its own.
  void complain_at(const Place& place, std::string message, std::string hint) {
    mistakes_.push_back({draft_.source.diagnostic(place, std::move(message), std::move(hint)),
                         "",
                         ErrorKind::kData});
  }

  /// Adds a page that cannot run, so that the job tells of it and goes on with the others.
  void add_failed(const DraftPage& entry, const InputMistake& mistake, const std::string& path) {
    if (on_mistake_ != OnMistake::kFailPage) return;
    const std::string& input = is_clean_text(path) ? path : entry.input;
    JobPage page;
    page.input = input;
    page.stem = fs::path(input).stem().string();
    page.pages = entry.pages;
    page.settings = entry.settings;
    page.place = entry.place;
    page.origins = entry.origins;
    page.mistake = page_mistake(mistake);
    job_.pages.push_back(std::move(page));
    entries_.push_back(&entry);
  }

  /// False when the job has grown too large to go on.
  bool add_entry(const DraftPage& entry) {
    const size_t before = mistakes_.size();
    const std::vector<std::string> paths = finder_.find(entry);
    for (size_t i = before; i < mistakes_.size(); ++i) {
      add_failed(entry, mistakes_[i], mistakes_[i].input);
    }
    if (job_.pages.size() + paths.size() > kMaxPageEntries) {
      finder_.complain(entry,
                       "with " + in_quotes(entry.input) + " the job has more than " +
                           std::to_string(kMaxPageEntries) + " input files, the limit",
                       "split the job");
      return false;
    }
    selected_pages_ += paths.size() * entry.pages.size();
    if (selected_pages_ > kMaxSelectedPages) {
      finder_.complain(entry,
                       "with " + in_quotes(entry.input) + " the job selects more than " +
                           std::to_string(kMaxSelectedPages) + " pages, the limit",
                       "leave 'pages' out where all pages of a file are meant");
      return false;
    }
    const size_t found = mistakes_.size();
    if (entry.sha256 && paths.size() > 1) {
      complain_at(entry.sha256_place,
                  "'sha256' belongs to one file, and " + in_quotes(entry.input) + " gives " +
                      std::to_string(paths.size()),
                  "give every file an entry of its own");
    }
    check_curves(entry);
    const std::vector<Linework> linework = linework_of(entry, paths.size());
    const PageSettings settings = with_files(entry);
    const bool is_good = mistakes_.size() == found;
    for (const std::string& path : paths) {
      if (is_good || on_mistake_ == OnMistake::kRefuseJob) {
        add_page(entry, settings, path, linework);
      } else {
        add_failed(entry, mistakes_[found], path);
      }
    }
    return true;
  }

  /// Refuses settings of curves on pages whose press has no library of them.
  void check_curves(const DraftPage& entry) {
    if (!entry.settings.curves.library.empty() || entry.origins == nullptr) return;
    for (const auto& [key, origin] : entry.origins->all()) {
      if (!key.starts_with("curves.")) continue;
      return complain_at(
          origin.place, std::string(kNoCurveLibrary), std::string(kNameCurveLibrary));
    }
  }

  /// With paths that can be opened.
  std::vector<Linework> linework_of(const DraftPage& entry, size_t files) {
    if (!entry.linework.empty() && files > 1) {
      complain_at(entry.linework.front().place,
                  "'linework' belongs to one page, and " + in_quotes(entry.input) + " gives " +
                      std::to_string(files) + " files",
                  "give every file an entry of its own");
    }
    std::vector<Linework> all;
    for (const DraftLinework& one : entry.linework) {
      Linework& linework = all.emplace_back(one.linework);
      if (linework.is_of_each_ink) {
        resolve_each_ink(one.place, linework);
      } else if (const auto paths = finder_.find(linework_entry(one)); !paths.empty()) {
        linework.file = paths.front();
      }
    }
    return all;
  }

  /// The files for each ink, whose names only the plan knows.
  void resolve_each_ink(Place place, Linework& linework) {
    if (reach_ == Reach::kFolder) {
      complain_at(
          place,
          "'linework' cannot have {ink} in a hot folder, whose jobs must name all their files",
          "list the files, each with its 'ink'");
    }
    linework.file = resolve_ink_template(linework.file, folder_);
  }

  /// The settings, in which the paths of files can be opened. A name in `defaults` is looked for once.
  PageSettings with_files(const DraftPage& entry) {
    PageSettings settings = entry.settings;
    for (const NamedFile& file : named_files(settings, entry.origins.get())) {
      if (is_of_press(file)) continue;
      const DraftPage found = file_entry(file);
      const std::pair<uint32_t, uint32_t> place = {found.input_place.line,
                                                   found.input_place.column};
      const auto [known, is_new] = files_.try_emplace(place);
      FoundFile& one = known->second;
      if (is_new) {
        const std::vector<std::string> paths = finder_.find(found);
        if (paths.empty()) one.mistake = mistakes_.back();
        if (!paths.empty()) one.path = paths.front();
      } else if (one.mistake && on_mistake_ == OnMistake::kFailPage) {
        mistakes_.push_back(*one.mistake);
      }
      if (!one.path.empty()) *file.path = one.path;
    }
    resolve_tables(entry, settings.colour.tables);
    return settings;
  }

  /// The folder of frozen tables, which only those who may name any path can choose.
  void resolve_tables(const DraftPage& entry, std::string& tables) {
    const Origin* origin = entry.origins ? entry.origins->find("colour.tables") : nullptr;
    const bool is_of_press = origin != nullptr && origin->layer == Layer::kPress;
    if (tables.empty() || is_of_press) return;
    if (reach_ == Reach::kFolder) {
      complain_at(origin == nullptr ? entry.place : origin->place,
                  "a job of a hot folder cannot choose a folder of tables",
                  "name it in the press file");
    }
    tables = (fs::path(folder_) / tables).string();
  }

  void add_page(const DraftPage& entry,
                const PageSettings& settings,
                const std::string& path,
                const std::vector<Linework>& linework) {
    JobPage page{.input = path,
                 .stem = fs::path(path).stem().string(),
                 .pages = entry.pages,
                 .sha256 = entry.sha256,
                 .ink = entry.ink,
                 .linework = linework,
                 .settings = settings,
                 .place = entry.place,
                 .origins = entry.origins};
    if (page.stem == "." || page.stem == "..") {
      return complain_of_page(
          entry,
          path,
          "the name of " + finder_.shown(path) + " has no stem that a plate could be named after",
          "rename the file");
    }
    bool has_too_long = false;
    change_plate_templates(page.settings, [&](std::string& plate) {
      plate = resolve_plate_template(plate, plates_folder_, page.stem, job_.name);
      has_too_long = has_too_long || is_too_long(plate);
    });
    if (has_too_long) {
      return complain_of_page(entry,
                              path,
                              "the path of the plates of " + finder_.shown(path) + " is too long",
                              "a name may have " + std::to_string(kMaxNameBytes) +
                                  " bytes, a path " + std::to_string(kMaxPathBytes));
    }
    job_.pages.push_back(std::move(page));
    entries_.push_back(&entry);
  }

  /// Instead of adding it.
  void complain_of_page(const DraftPage& entry,
                        const std::string& path,
                        std::string message,
                        std::string hint) {
    finder_.complain_of(entry, path, std::move(message), std::move(hint));
    add_failed(entry, mistakes_.back(), path);
  }

  /// The page fails with the last mistake.
  void fail(size_t index) {
    if (on_mistake_ == OnMistake::kFailPage) {
      job_.pages[index].mistake = page_mistake(mistakes_.back());
    }
  }

  static bool is_too_long(const std::string& resolved) {
    const JobStart as_long = {"2026-11-22", "06-44-41", "20261122-064441-8205c866062c1fcb"};
    const fs::path shortest = plate_path(with_start(resolved, as_long), 0, {"k"});
    return shortest.native().size() > kMaxPathBytes ||
           std::ranges::any_of(
               shortest, [](const fs::path& name) { return name.native().size() > kMaxNameBytes; });
  }

  /// Without links, so that two ways to one file compare equal.
  static std::string real_path(const std::string& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    return error ? path : real.string();
  }

  /// Likewise of a folder that may not exist yet.
  static std::string real_folder_path(const std::string& path) {
    std::error_code error;
    const fs::path absolute = fs::absolute(path, error);
    const fs::path real = error ? fs::path() : fs::weakly_canonical(absolute, error);
    return error ? path : real.string();
  }

  void check_collisions() {
    std::unordered_map<std::string, Claim> claims;
    for (size_t i = 0; i < job_.pages.size(); ++i) {
      const JobPage& page = job_.pages[i];
      if (page.mistake) continue;
      if (const auto other =
              claim(claims[prepress::folded_name(page.settings.output.path)], page, i)) {
        complain_collision(*other, i);
        fail(i);
      }
    }
  }

  void complain_collision(size_t first, size_t second) {
    const std::string& path_of_first = job_.pages[first].settings.output.path;
    const std::string& path_of_second = job_.pages[second].settings.output.path;
    const std::string plate = in_quotes(shown_template(path_of_second, plates_folder_));
    const std::string like =
        path_of_first == path_of_second
            ? ""
            : ": " + in_quotes(shown_template(path_of_first, plates_folder_)) + " differs " +
                  std::string(prepress::difference_of_names(path_of_first, path_of_second)) +
                  ", and many file systems take the two for one file";
    const std::string line = "line " + std::to_string(entries_[first]->place.line);
    const bool is_same_entry = entries_[first] == entries_[second];
    const std::string input = finder_.shown(job_.pages[second].input);
    if (real_inputs_[first] == real_inputs_[second]) {
      finder_.complain(*entries_[second],
                       "input " + input + " is listed in " + line +
                           " already, and both would write the plate " + plate + like,
                       "delete one of the two, or give one an 'output: {path: ...}' of its own");
      return;
    }
    const std::optional<Place> path = entries_[second]->path_place;
    complain_at(path.value_or(entries_[second]->input_place),
                "inputs " + finder_.shown(job_.pages[first].input) +
                    (is_same_entry ? "" : " (" + line + ")") + " and " + input +
                    " would write the same plate " + plate + like,
                is_same_entry ? "rename one of the two, or list them one by one"
                : path        ? "write another path here; {stem} in a path is the name of the input"
                              : "give one of the two an 'output: {path: ...}' of its own");
  }

  /// No plate may take the place of an input, for any name of its ink.
  void check_inputs_are_safe() {
    std::vector<std::pair<std::string, std::string>> inputs;  // without links, and as named
    for (size_t i = 0; i < job_.pages.size(); ++i) {
      inputs.emplace_back(real_inputs_[i], job_.pages[i].input);
      for (const Linework& linework : job_.pages[i].linework) {
        if (linework.is_of_each_ink) continue;  // the plan looks at these
        inputs.emplace_back(real_path(linework.file), linework.file);
      }
    }
    for (const auto& [place, file] : files_) {
      if (!file.path.empty()) inputs.emplace_back(real_path(file.path), file.path);
    }
    const auto real = &std::pair<std::string, std::string>::first;
    std::ranges::sort(inputs);
    const std::string real_folder = real_folder_path(plates_folder_);
    for (size_t i = 0; i < job_.pages.size(); ++i) {
      if (job_.pages[i].mistake) continue;
      for (const std::string& path : plate_templates(entries_[i]->settings)) {
        const PlatePattern plate =
            plate_pattern(resolve_plate_template(path, real_folder, job_.pages[i].stem, job_.name));
        const auto begin = std::ranges::lower_bound(inputs, plate.start, {}, real);
        const auto replaced = std::find_if(begin, inputs.end(), [&](const auto& input) {
          return ::fnmatch(plate.pattern.c_str(), input.first.c_str(), FNM_PATHNAME) == 0 ||
                 !input.first.starts_with(plate.start);
        });
        if (replaced == inputs.end() || !replaced->first.starts_with(plate.start)) continue;
        finder_.complain(*entries_[i],
                         "a plate of " + finder_.shown(job_.pages[i].input) +
                             " could replace the input " + finder_.shown(replaced->second),
                         "let 'path' lead to a folder where no inputs are");
        fail(i);
        break;
      }
    }
  }

  const JobDraft& draft_;
  std::string folder_;
  std::string plates_folder_;
  Reach reach_;
  OnMistake on_mistake_;
  std::vector<InputMistake> mistakes_;
  InputFinder finder_;
  Job job_;
  std::vector<const DraftPage*> entries_;                     // of each page of the job
  std::vector<std::string> real_inputs_;                      // likewise
  std::map<std::pair<uint32_t, uint32_t>, FoundFile> files_;  // that settings name, by their places
  size_t selected_pages_ = 0;
};

}  // namespace

std::vector<Diagnostic> check_inputs(const JobDraft& draft, const std::string& folder) {
  const std::string begin = folder.empty() ? "." : folder;
  std::vector<InputMistake> mistakes;
  InputFinder finder(draft, begin, Reach::kAnywhere, mistakes);
  for (const DraftPage& page : draft.pages) {
    if (!page.input.empty()) (void)finder.find(page);
    for (const DraftLinework& one : page.linework) {
      if (!one.linework.is_of_each_ink) (void)finder.find(linework_entry(one));
    }
  }
  std::vector<Diagnostic> diagnostics;
  for (InputMistake& mistake : mistakes) diagnostics.push_back(std::move(mistake.diagnostic));
  return diagnostics;
}

Checked<Job> resolve(const JobDraft& draft,
                     const std::string& folder,
                     const std::string& plates_folder,
                     OnMistake on_mistake) {
  return Resolver(draft, folder, plates_folder, Reach::kAnywhere, on_mistake).run();
}

Checked<Job> resolve_within(const JobDraft& draft,
                            const ManifestFolders& folders,
                            OnMistake on_mistake) {
  return Resolver(draft, folders.within, folders.plates, Reach::kFolder, on_mistake).run();
}

}  // namespace mezzo::manifests
