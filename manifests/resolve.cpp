#include <fnmatch.h>
#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>

#include "manifests/draft.h"
#include "manifests/fields.h"
#include "manifests/job.h"
#include "manifests/path_template.h"

namespace mezzo {
namespace {

namespace fs = std::filesystem;

// A file name may have 255 bytes; some are left for the name of a plate while it is written.
constexpr size_t kMaxNameBytes = 240;
constexpr size_t kMaxPathBytes = 4000;

bool has_suffix(const std::string& name, std::string_view suffix) {
  return name.size() >= suffix.size() &&
         std::ranges::equal(name.substr(name.size() - suffix.size()), suffix, {}, [](char c) {
           return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
         });
}

bool is_unfinished(const std::string& name) {
  return has_suffix(name, ".part") || has_suffix(name, ".tmp");
}

bool is_tiff(const std::string& name) {
  return has_suffix(name, ".tif") || has_suffix(name, ".tiff");
}

bool is_pattern(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

/// The text with everything that glob(3) and fnmatch(3) take for a pattern behind a backslash.
std::string literal_pattern(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::string kind_name(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

/// What glob(3) found, freed at the end.
class GlobResult {
 public:
  explicit GlobResult(const std::string& pattern) {
    errno = 0;
    status_ = ::glob(pattern.c_str(), GLOB_ERR | GLOB_NOSORT, nullptr, &found_);
    error_ = errno;
  }
  ~GlobResult() { ::globfree(&found_); }
  GlobResult(const GlobResult&) = delete;
  GlobResult& operator=(const GlobResult&) = delete;

  int status() const { return status_; }
  int error() const { return error_; }

  std::vector<std::string> sorted_paths() const {
    std::vector<std::string> paths;
    if (status_ == 0) paths.assign(found_.gl_pathv, found_.gl_pathv + found_.gl_pathc);
    std::ranges::sort(paths);
    return paths;
  }

 private:
  glob_t found_ = {};
  int status_ = 0;
  int error_ = 0;
};

/// Where inputs may lie.
enum class Reach { kAnywhere, kFolder };

/// The files that the entries name, and every complaint about them.
class InputFinder {
 public:
  InputFinder(const JobDraft& draft,
              const std::string& folder,
              Reach reach,
              std::vector<Diagnostic>& diagnostics)
      : draft_(draft), folder_(folder), reach_(reach), diagnostics_(diagnostics) {}

  /// Paths that can be opened, in order; every one of them is a regular file.
  std::vector<std::string> find(const DraftPage& page) {
    const std::string path = below_folder(page.input);
    if (reach_ == Reach::kFolder && leads_out(page, path)) return {};
    struct stat status = {};
    if (::stat(path.c_str(), &status) == 0) {
      if (S_ISDIR(status.st_mode) && !page.is_literal) return in_folder(page, path);
      return regular_files(page, {path});
    }
    const int error = errno;
    const bool is_missing = error == ENOENT || error == ENOTDIR;
    if (is_missing && is_pattern(page.input) && !page.is_literal) return matches(page);
    if (is_missing) {
      complain_missing(page, path);
    } else {
      complain(page, "input " + in_quotes(page.input) + " cannot be used: " + std::strerror(error));
    }
    return {};
  }

  void complain(const DraftPage& page, std::string message, std::string hint = {}) {
    diagnostics_.push_back(
        draft_.source.diagnostic(page.input_place, std::move(message), std::move(hint)));
  }

  /// A path as messages show it: from the manifest's folder when it is below it.
  std::string shown(const std::string& path) const {
    const std::string relative = fs::path(path).lexically_relative(folder_).string();
    return in_quotes(relative.empty() || relative.starts_with("..") ? path : relative);
  }

 private:
  std::string below_folder(const std::string& input) const {
    return folder_ == "." ? input : (fs::path(folder_) / input).string();
  }

  /// Complains when a path leaves the folder, as it is written or by a symbolic link.
  bool leads_out(const DraftPage& page, const std::string& path) {
    const fs::path below = fs::path(path).lexically_relative(folder_);
    if (fs::path(page.input).is_absolute() || std::ranges::find(below, "..") != below.end()) {
      complain(page,
               "input " + in_quotes(page.input) + " leads out of the folder of the job",
               "only what lies in it or below it can be printed");
      return true;
    }
    fs::path part = folder_;
    for (const fs::path& name : below) {
      part /= name;
      struct stat status = {};
      if (::lstat(part.c_str(), &status) != 0) return false;
      if (!S_ISLNK(status.st_mode)) continue;
      complain(page,
               shown(part.string()) + " is a symbolic link, and none is followed here",
               "put the file itself into the folder of the job");
      return true;
    }
    return false;
  }

  std::vector<std::string> in_folder(const DraftPage& page, const std::string& folder) {
    std::vector<std::string> paths;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (is_tiff(name) && !name.starts_with('.')) paths.push_back(entry->path().string());
    }
    if (error) {
      complain(page, "the folder " + in_quotes(page.input) + " cannot be read: " + error.message());
      return {};
    }
    if (paths.empty()) {
      complain(page,
               "the folder " + in_quotes(page.input) + " has no file that ends in .tif or .tiff",
               "folders inside it are not searched; a pattern such as '*/*.tif' finds them");
    }
    std::ranges::sort(paths);
    return regular_files(page, paths);
  }

  std::vector<std::string> matches(const DraftPage& page) {
    const bool is_absolute = page.input.starts_with('/');
    const bool is_here = is_absolute || folder_ == ".";
    const GlobResult result(is_here ? page.input : literal_pattern(folder_) + "/" + page.input);
    std::vector<std::string> paths = result.sorted_paths();
    std::erase_if(paths, is_unfinished);
    if (!paths.empty()) return regular_files(page, paths);
    const bool is_refused = result.status() == GLOB_ABORTED && result.error() != ENOENT;
    complain(page,
             "the pattern " + in_quotes(page.input) + " matches no file",
             is_refused
                 ? std::string("a folder could not be read: ") + std::strerror(result.error())
                 : "* ? and [..] are patterns; '*' does not match a '/'");
    return {};
  }

  std::vector<std::string> regular_files(const DraftPage& page,
                                         const std::vector<std::string>& paths) {
    std::vector<std::string> good;
    for (const std::string& path : paths) {
      struct stat status = {};
      if (!is_clean_text(path)) {
        complain(page,
                 "the name of " + shown(path) + " holds control characters or is not UTF-8",
                 "rename the file");
      } else if (reach_ == Reach::kFolder && leads_out(page, path)) {
        continue;
      } else if (::stat(path.c_str(), &status) != 0) {
        complain(page, "input " + shown(path) + " cannot be used: " + std::strerror(errno));
      } else if (!S_ISREG(status.st_mode)) {
        complain(page,
                 "input " + shown(path) + " is " + kind_name(status.st_mode) +
                     ", and must be a regular file");
      } else if (::access(path.c_str(), R_OK) != 0) {
        complain(page, "input " + shown(path) + " cannot be read: " + std::strerror(errno));
      } else {
        good.push_back(path);
      }
    }
    return good;
  }

  void complain_missing(const DraftPage& page, const std::string& path) {
    struct stat status = {};
    if (::lstat(path.c_str(), &status) == 0) {
      return complain(page,
                      "input " + in_quotes(page.input) +
                          " is a link, and the file that it leads to does not exist");
    }
    const fs::path whole = path;
    const std::vector<std::string> neighbours = names_in(whole.parent_path());
    const std::vector<std::string_view> names(neighbours.begin(), neighbours.end());
    const std::string_view close = closest_name(whole.filename().string(), names);
    complain(page,
             "input " + in_quotes(page.input) + " does not exist",
             close.empty() ? "paths start from the manifest's folder"
                           : "did you mean " + in_quotes(close) + "?");
  }

  /// Some names of a folder, for a spelling suggestion.
  static std::vector<std::string> names_in(const fs::path& folder) {
    constexpr size_t kEnough = 2'000;
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end;
         !error && entry != end && names.size() < kEnough;
         entry.increment(error)) {
      names.push_back(entry->path().filename().string());
    }
    std::ranges::sort(names);
    return names;
  }

  const JobDraft& draft_;
  const std::string& folder_;
  const Reach reach_;
  std::vector<Diagnostic>& diagnostics_;
};

/// Which pages of the job already write to a plate of one template.
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

/// A resolved template as a pattern of fnmatch(3), and what stands before its first {name}.
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

class Resolver {
 public:
  Resolver(const JobDraft& draft,
           const std::string& folder,
           const std::string& plates_folder,
           Reach reach)
      : draft_(draft),
        folder_(folder.empty() ? "." : folder),
        plates_folder_(plates_folder.empty() ? folder_ : plates_folder),
        finder_(draft, folder_, reach, diagnostics_) {}

  Checked<Job> run() {
    job_ = {.name = draft_.name,
            .manifest = draft_.source.file(),
            .folder = folder_,
            .plates_folder = plates_folder_,
            .priority = draft_.priority,
            .limits = draft_.limits,
            .pages = {}};
    for (const DraftPage& entry : draft_.pages) {
      if (!add_entry(entry)) break;
    }
    for (const JobPage& page : job_.pages) real_inputs_.push_back(real_path(page.input));
    check_collisions();
    check_inputs_are_safe();
    if (diagnostics_.empty()) return std::move(job_);
    std::ranges::stable_sort(
        diagnostics_, {}, [](const Diagnostic& d) { return std::pair(d.line, d.column); });
    return std::move(diagnostics_);
  }

 private:
  /// False when the job has grown too large to go on.
  bool add_entry(const DraftPage& entry) {
    const std::vector<std::string> paths = finder_.find(entry);
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
    if (entry.sha256 && paths.size() > 1) {
      diagnostics_.push_back(draft_.source.diagnostic(entry.sha256_place,
                                                      "'sha256' belongs to one file, and " +
                                                          in_quotes(entry.input) + " gives " +
                                                          std::to_string(paths.size()),
                                                      "give every file an entry of its own"));
    }
    for (const std::string& path : paths) add_page(entry, path);
    return true;
  }

  void add_page(const DraftPage& entry, const std::string& path) {
    JobPage page{.input = path,
                 .stem = fs::path(path).stem().string(),
                 .pages = entry.pages,
                 .sha256 = entry.sha256,
                 .settings = entry.settings,
                 .place = entry.place};
    if (page.stem == "." || page.stem == "..") {
      finder_.complain(
          entry,
          "the name of " + finder_.shown(path) + " has no stem that a plate could be named after",
          "rename the file");
      return;
    }
    std::string& plate = page.settings.output.path;
    plate = resolve_plate_template(plate, plates_folder_, page.stem, job_.name);
    if (is_too_long(plate)) {
      finder_.complain(entry,
                       "the path of the plates of " + finder_.shown(path) + " is too long",
                       "a name may have " + std::to_string(kMaxNameBytes) + " bytes, a path " +
                           std::to_string(kMaxPathBytes));
      return;
    }
    job_.pages.push_back(std::move(page));
    entries_.push_back(&entry);
  }

  static bool is_too_long(const std::string& resolved) {
    const fs::path shortest = plate_path(resolved, 0, "k");
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
      if (const auto other = claim(claims[page.settings.output.path], page, i)) {
        complain_collision(*other, i);
      }
    }
  }

  void complain_collision(size_t first, size_t second) {
    const std::string plate =
        in_quotes(shown_template(job_.pages[second].settings.output.path, plates_folder_));
    const std::string line = "line " + std::to_string(entries_[first]->place.line);
    const bool is_same_entry = entries_[first] == entries_[second];
    const std::string input = finder_.shown(job_.pages[second].input);
    if (real_inputs_[first] == real_inputs_[second]) {
      finder_.complain(*entries_[second],
                       "input " + input + " is listed in " + line +
                           " already, and both would write the plate " + plate,
                       "delete one of the two, or give one an 'output: {path: ...}' of its own");
      return;
    }
    finder_.complain(*entries_[second],
                     "inputs " + finder_.shown(job_.pages[first].input) +
                         (is_same_entry ? "" : " (" + line + ")") + " and " + input +
                         " would write the same plate " + plate,
                     is_same_entry ? "rename one of the two, or list them one by one"
                                   : "give one of the two an 'output: {path: ...}' of its own");
  }

  /// No plate may take the place of an input, whatever its ink is called.
  void check_inputs_are_safe() {
    std::vector<size_t> order(job_.pages.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto real = [&](size_t i) -> const std::string& { return real_inputs_[i]; };
    std::ranges::sort(order, {}, real);
    const std::string real_folder = real_folder_path(plates_folder_);
    for (size_t i = 0; i < job_.pages.size(); ++i) {
      const PlatePattern plate = plate_pattern(resolve_plate_template(
          entries_[i]->settings.output.path, real_folder, job_.pages[i].stem, job_.name));
      for (auto at = std::ranges::lower_bound(order, plate.start, {}, real);
           at != order.end() && real(*at).starts_with(plate.start);
           ++at) {
        if (::fnmatch(plate.pattern.c_str(), real(*at).c_str(), FNM_PATHNAME) != 0) continue;
        finder_.complain(*entries_[i],
                         "a plate of " + finder_.shown(job_.pages[i].input) +
                             " could replace the input " + finder_.shown(job_.pages[*at].input),
                         "let 'path' lead to a folder where no inputs are");
        break;
      }
    }
  }

  const JobDraft& draft_;
  std::string folder_;
  std::string plates_folder_;
  std::vector<Diagnostic> diagnostics_;
  InputFinder finder_;
  Job job_;
  std::vector<const DraftPage*> entries_;  // of each page of the job
  std::vector<std::string> real_inputs_;   // likewise
  size_t selected_pages_ = 0;
};

}  // namespace

Checked<Job> resolve(const JobDraft& draft,
                     const std::string& folder,
                     const std::string& plates_folder) {
  return Resolver(draft, folder, plates_folder, Reach::kAnywhere).run();
}

Checked<Job> resolve_within(const JobDraft& draft, const ManifestFolders& folders) {
  return Resolver(draft, folders.within, folders.plates, Reach::kFolder).run();
}

}  // namespace mezzo
