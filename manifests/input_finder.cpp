#include "manifests/input_finder.h"

#include <glob.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "kernels/prepress/folded_name.h"
#include "kernels/registry.h"

namespace mezzo::manifests {
namespace {

namespace fs = std::filesystem;

bool is_unfinished(const std::string& name) {
  const std::string lower = lower_case(name);
  return lower.ends_with(".part") || lower.ends_with(".tmp");
}

bool is_tiff(const std::string& name) {
  const std::string lower = lower_case(name);
  return lower.ends_with(".tif") || lower.ends_with(".tiff");
}

bool is_pattern(const std::string& text) {
  return text.find_first_of("*?[") != std::string::npos;
}

std::string kind_name(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  return "no regular file";
}

/// Numbers in names count as numbers, so that page 2 comes before page 10.
void sort_by_name(std::vector<std::string>& paths) {
  std::ranges::sort(paths, [](const std::string& a, const std::string& b) {
    return ::strverscmp(a.c_str(), b.c_str()) < 0;
  });
}

/// The matches of glob(3), freed at the end.
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
    sort_by_name(paths);
    return paths;
  }

 private:
  glob_t found_ = {};
  int status_ = 0;
  int error_ = 0;
};

/// Some names of a folder, for a spelling suggestion.
std::vector<std::string> names_in(const fs::path& folder) {
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

/// The first name of a path that does not exist, and a name of its folder that folds to the same.
std::optional<std::pair<std::string, std::string>> twin_of(const fs::path& path) {
  fs::path folder;
  std::error_code error;
  for (const fs::path& name : path) {
    if (fs::exists(folder / name, error)) {
      folder /= name;
      continue;
    }
    const std::string folded = prepress::folded_name(name.string());
    for (const std::string& other : names_in(folder)) {
      if (prepress::folded_name(other) == folded) return std::pair(name.string(), other);
    }
    break;
  }
  return std::nullopt;
}

}  // namespace

std::string literal_pattern(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

std::vector<std::string> InputFinder::find(const DraftPage& page) {
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

void InputFinder::complain(const DraftPage& page, std::string message, std::string hint) {
  complain_of(page, below_folder(page.input), std::move(message), std::move(hint));
}

void InputFinder::complain_of(const DraftPage& page,
                              const std::string& path,
                              std::string message,
                              std::string hint,
                              ErrorKind kind) {
  mistakes_.push_back(
      {draft_.source.diagnostic(page.input_place, std::move(message), std::move(hint)),
       path,
       kind});
}

std::string InputFinder::shown(const std::string& path) const {
  const std::string relative = fs::path(path).lexically_relative(folder_).string();
  return in_quotes(relative.empty() || relative.starts_with("..") ? path : relative);
}

std::string InputFinder::below_folder(const std::string& input) const {
  return folder_ == "." ? input : (fs::path(folder_) / input).string();
}

/// Complains when a path leaves the folder, as it is written or by a symbolic link.
bool InputFinder::leads_out(const DraftPage& page, const std::string& path) {
  const fs::path below = fs::path(path).lexically_relative(folder_);
  if (fs::path(page.input).is_absolute() || std::ranges::find(below, "..") != below.end()) {
    complain_of(page,
                path,
                "input " + in_quotes(page.input) + " leads out of the folder of the job",
                "only files in it or below it can be printed");
    return true;
  }
  fs::path part = folder_;
  for (const fs::path& name : below) {
    part /= name;
    struct stat status = {};
    if (::lstat(part.c_str(), &status) != 0) return false;
    if (!S_ISLNK(status.st_mode)) continue;
    complain_of(page,
                path,
                shown(part.string()) + " is a symbolic link, and none is followed here",
                "put the file itself into the folder of the job");
    return true;
  }
  return false;
}

std::vector<std::string> InputFinder::in_folder(const DraftPage& page, const std::string& folder) {
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
  sort_by_name(paths);
  return regular_files(page, paths);
}

std::vector<std::string> InputFinder::matches(const DraftPage& page) {
  const bool is_absolute = page.input.starts_with('/');
  const bool is_here = is_absolute || folder_ == ".";
  const GlobResult result(is_here ? page.input : literal_pattern(folder_) + "/" + page.input);
  std::vector<std::string> paths = result.sorted_paths();
  std::erase_if(paths, is_unfinished);
  if (!paths.empty()) return regular_files(page, paths);
  const bool is_refused = result.status() == GLOB_ABORTED && result.error() != ENOENT;
  complain(page,
           "the pattern " + in_quotes(page.input) + " matches no file",
           is_refused ? std::string("a folder could not be read: ") + std::strerror(result.error())
                      : "* ? and [..] are patterns; '*' does not match a '/'");
  return {};
}

std::vector<std::string> InputFinder::regular_files(const DraftPage& page,
                                                    const std::vector<std::string>& paths) {
  std::vector<std::string> good;
  for (const std::string& path : paths) {
    struct stat status = {};
    if (!is_clean_text(path)) {
      complain_of(page,
                  path,
                  "the name of " + shown(path) + " holds control characters or is not UTF-8",
                  "rename the file");
    } else if (reach_ == Reach::kFolder && leads_out(page, path)) {
      continue;
    } else if (::stat(path.c_str(), &status) != 0) {
      complain_of(page, path, "input " + shown(path) + " cannot be used: " + std::strerror(errno));
    } else if (!S_ISREG(status.st_mode)) {
      complain_of(page,
                  path,
                  "input " + shown(path) + " is " + kind_name(status.st_mode) +
                      ", and must be a regular file");
    } else if (::access(path.c_str(), R_OK) != 0) {
      complain_of(page,
                  path,
                  "input " + shown(path) + " cannot be read: " + std::strerror(errno),
                  "the user who runs the job needs the right to read it");
    } else {
      good.push_back(path);
    }
  }
  return good;
}

void InputFinder::complain_missing(const DraftPage& page, const std::string& path) {
  struct stat status = {};
  if (::lstat(path.c_str(), &status) == 0) {
    return complain_of(page,
                       path,
                       "input " + in_quotes(page.input) +
                           " is a link, and the file that it leads to does not exist",
                       "",
                       ErrorKind::kMissing);
  }
  const fs::path whole = path;
  if (const auto twin = twin_of(whole)) {
    return complain_of(page,
                       path,
                       "input " + in_quotes(page.input) + " does not exist; " +
                           in_quotes(twin->second) + " does, and differs from " +
                           in_quotes(twin->first) + " " +
                           std::string(prepress::difference_of_names(twin->first, twin->second)),
                       "copy the name from a listing of the folder, or rename the file",
                       ErrorKind::kMissing);
  }
  const std::vector<std::string> neighbours = names_in(whole.parent_path());
  const std::vector<std::string_view> names(neighbours.begin(), neighbours.end());
  const std::string_view close = closest_name(whole.filename().string(), names);
  complain_of(page,
              path,
              "input " + in_quotes(page.input) + " does not exist",
              close.empty() ? "paths start from the manifest's folder"
                            : "did you mean " + in_quotes(close) + "?",
              ErrorKind::kMissing);
}

}  // namespace mezzo::manifests
