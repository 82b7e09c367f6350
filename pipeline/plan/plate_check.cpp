#include "pipeline/plan/plate_check.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "kernels/prepress/folded_name.h"
#include "manifests/folder.h"
#include "manifests/source_text.h"
#include "pipeline/plan/side_files.h"
#include "pipeline/text.h"

namespace mezzo::plan {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPathKey = "output.path";

/// Identifies a file under all its names, and through links.
using FileIdentity = std::pair<dev_t, ino_t>;

std::optional<FileIdentity> identity(files::FileSystem& files, const std::string& path) {
  struct stat found {};
  if (files.status(path, found) != 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

/// Gives files names of which one at least is equal for all paths of one file, which need not exist, also
/// where the file system ignores case or the form of Unicode.
class PlateNames {
 public:
  explicit PlateNames(files::FileSystem& files) : files_(files) {}

  /// By the folder, through links; and as a path, for file systems that number a folder anew for each
  /// way of writing it.
  std::array<std::string, 2> names_of(const fs::path& plate) {
    const auto [folder, is_new] = folders_.try_emplace(plate.parent_path().string());
    if (is_new) folder->second = name_of_folder(plate);
    return {prepress::folded_name(folder->second + "/" + plate.filename().string()),
            prepress::folded_name(plate.string())};
  }

 private:
  /// The identity of the nearest folder that exists, and the way from there.
  std::string name_of_folder(const fs::path& plate) const {
    const fs::path existing = files::existing_folder(files_, plate);
    const auto found = identity(files_, existing);
    if (!found) return plate.parent_path().string();
    const fs::path rest = plate.parent_path().lexically_relative(existing);
    return fmt::format("\n{}:{}/{}", found->first, found->second, rest.string());
  }

  files::FileSystem& files_;
  std::map<std::string, std::string> folders_;
};

/// The owner of each name.
template <typename Owner>
class Claims {
 public:
  /// The owner of one of the names; null when they were free, and are the owner's now.
  const Owner* claim(const std::array<std::string, 2>& names, const Owner& owner) {
    for (const std::string& name : names) {
      if (const auto found = owners_.find(name); found != owners_.end()) return &found->second;
    }
    for (const std::string& name : names) owners_.emplace(name, owner);
    return nullptr;
  }

 private:
  std::map<std::string, Owner> owners_;
};

/// That the paths of two plates are one file's.
std::string same_file_text(const std::string& path, const std::string& other) {
  if (path == other) return "two plates would be " + path;
  if (prepress::folded_name(path) != prepress::folded_name(other)) {
    return fmt::format("two plates would be {}, which is {}", path, other);
  }
  return fmt::format("the plates {} and {} differ {}, and many file systems take them for one file",
                     other,
                     path,
                     prepress::difference_of_names(other, path));
}

bool tells_inks_apart(std::string_view plate_template) {
  return std::ranges::any_of(std::array{"{ink}", "{label}", "{n}"}, [&](std::string_view name) {
    return plate_template.find(name) != std::string_view::npos;
  });
}

struct Claim {
  size_t sheet;
  std::string path;
  PlatePlan plate;
};

struct Cause {
  std::string text, advice;
};

/// Why two plates of one sheet have one name.
Cause cause_of_clash(const SheetPlan& sheet, const PlatePlan& plate, const Claim& owner) {
  const manifests::PlateSettings settings = settings_of(sheet, plate);
  const manifests::PlateSettings others = settings_of(sheet, owner.plate);
  if (settings.path == others.path && !tells_inks_apart(settings.path)) {
    return {"it has " + counted(sheet.plates.size(), "ink"), "put {ink} into output.path"};
  }
  const bool is_label =
      settings.path.find("{label}") != std::string::npos && !settings.label.empty() &&
      prepress::folded_name(settings.label) == prepress::folded_name(others.label);
  return {fmt::format("those of the inks {} and {}{}",
                      manifests::in_quotes(owner.plate.ink),
                      manifests::in_quotes(plate.ink),
                      is_label ? ", with the label " + manifests::in_quotes(settings.label) : ""),
          is_label ? "give one of them another label" : "give one of them another output.path"};
}

/// No two plates may have one name; the first keeps it.
void refuse_clashes(JobPlan& plan, const OnClash& on_clash) {
  PlateNames names(*plan.files);
  Claims<Claim> claims;
  for (size_t i = 0; i < plan.sheets.size(); ++i) {
    SheetPlan& sheet = plan.sheets[i];
    for (const PlatePlan& plate : sheet.plates) {
      if (sheet.failure) break;
      const fs::path path = fs::path(plate.path).lexically_normal();
      const Claim* other = claims.claim(names.names_of(path), Claim{i, path, plate});
      if (other == nullptr) continue;
      const size_t owner = other->sheet;
      if (on_clash) on_clash(i, path, owner);
      const Cause cause = owner == i ? cause_of_clash(sheet, plate, *other)
                                     : Cause{plan.sheets[owner].input + " has that name already",
                                             "let output.path tell them apart"};
      sheet.failure = {
          ErrorKind::kData,
          fmt::format("{}: {}: {}", sheet.input, same_file_text(path, other->path), cause.text),
          cause.advice,
          kPathKey};
    }
  }
}

/// Files beside plates: none may take the place of a plate or of another one.
void refuse_side_clashes(JobPlan& plan) {
  PlateNames names(*plan.files);
  Claims<std::string> taken;  // what has the name
  for (const SheetPlan& sheet : plan.sheets) {
    if (sheet.failure) continue;
    for (const PlatePlan& plate : sheet.plates) {
      taken.claim(names.names_of(fs::path(plate.path).lexically_normal()),
                  "a plate of " + sheet.input);
    }
  }
  for (SheetPlan& sheet : plan.sheets) {
    for (const std::string& path : side_paths(sheet)) {
      if (sheet.failure) break;
      const std::string* owner = taken.claim(names.names_of(fs::path(path).lexically_normal()),
                                             "a file of " + sheet.input);
      if (owner == nullptr) continue;
      sheet.failure = {ErrorKind::kData,
                       fmt::format("{}: {} would replace {}", sheet.input, path, *owner),
                       "let 'path' of 'proof' or 'ppf' tell them apart"};
    }
  }
}

/// No file system takes names of more than NAME_MAX bytes.
void refuse_long_names(JobPlan& plan) {
  for (SheetPlan& sheet : plan.sheets) {
    for (const PlatePlan& plate : sheet.plates) {
      if (sheet.failure) break;
      for (const fs::path& name : fs::path(plate.path)) {
        if (name.native().size() <= NAME_MAX) continue;
        sheet.failure = {
            ErrorKind::kData,
            fmt::format("{}: the plate of ink {} would be {}, and a name of {} bytes is too long: "
                        "the limit is {}",
                        sheet.input,
                        manifests::in_quotes(plate.ink),
                        plate.path,
                        name.native().size(),
                        NAME_MAX),
            "give it a shorter label or output.path",
            kPathKey};
      }
    }
  }
}

/// No plate may replace an input, under any of its names.
void refuse_replaced_inputs(JobPlan& plan) {
  std::set<FileIdentity> inputs;
  for (const SheetPlan& sheet : plan.sheets) {
    if (const auto input = identity(*plan.files, sheet.input)) inputs.insert(*input);
    for (const LineworkPlan& one : sheet.linework) {
      const auto linework = identity(*plan.files, one.settings.file);
      if (linework) inputs.insert(*linework);
    }
  }
  for (SheetPlan& sheet : plan.sheets) {
    for (const PlatePlan& plate : sheet.plates) {
      const auto existing = identity(*plan.files, plate.path);
      if (sheet.failure || !existing || !inputs.contains(*existing)) continue;
      sheet.failure = {
          ErrorKind::kCannotCreate,
          fmt::format("{}: the plate {} would replace an input", sheet.input, plate.path),
          "give it another name",
          kPathKey};
    }
    for (const std::string& path : side_paths(sheet)) {
      const auto existing = identity(*plan.files, path);
      if (sheet.failure || !existing || !inputs.contains(*existing)) continue;
      sheet.failure = {ErrorKind::kCannotCreate,
                       fmt::format("{}: {} would replace an input", sheet.input, path),
                       "give it another name"};
    }
  }
}

/// Folders of plates in a hot folder that is not theirs to write to.
class HotFolder {
 public:
  explicit HotFolder(const std::string& path) : identity_(identity(real(), path)) {
    for (const std::string_view name : manifests::kOwnFolders) {
      const auto own = identity(real(), path + "/" + std::string(name));
      if (own) own_folders_.emplace(*own, name);
    }
  }

  /// Why no plate may lie in the folder, as plates_problem() has it; empty when plates may.
  const std::string& problem_of(const fs::path& folder) {
    const auto [known, is_new] = problems_.try_emplace(folder.string());
    if (is_new) known->second = find_problem(fs::absolute(folder).lexically_normal());
    return known->second;
  }

 private:
  static files::FileSystem& real() { return files::FileSystem::real(); }

  std::string find_problem(const fs::path& folder) const {
    for (fs::path at = folder;; at = at.parent_path()) {
      const auto found = identity(real(), at);
      const auto own = found ? own_folders_.find(*found) : own_folders_.end();
      if (own != own_folders_.end()) return manifests::plates_problem(own->second, "plate.tif");
      if (found && found == identity_) {
        return manifests::plates_problem(folder.lexically_relative(at).string(), "plate.tif");
      }
      if (at == at.parent_path()) return {};
    }
  }

  std::optional<FileIdentity> identity_;
  std::map<FileIdentity, std::string> own_folders_;
  std::map<std::string, std::string> problems_;  ///< by folder
};

}  // namespace

void refuse_plates_in_hot_folder(JobPlan& plan, const std::string& hot_folder) {
  HotFolder folder(hot_folder);
  for (SheetPlan& sheet : plan.sheets) {
    for (const PlatePlan& plate : sheet.plates) {
      if (sheet.failure) break;
      const std::string& problem = folder.problem_of(fs::path(plate.path).parent_path());
      if (problem.empty()) continue;
      sheet.failure = {
          ErrorKind::kUsage,
          fmt::format(
              "{}: 'output.path' gives the plate {}, and {}", sheet.input, plate.path, problem),
          "let it begin with a folder of the plates alone, such as plates/",
          kPathKey};
    }
    for (const std::string& path : side_paths(sheet)) {
      if (sheet.failure) break;
      const std::string& problem = folder.problem_of(fs::path(path).parent_path());
      if (problem.empty()) continue;
      sheet.failure = {
          ErrorKind::kUsage,
          fmt::format(
              "{}: 'path' of 'proof' or 'ppf' gives {}, and {}", sheet.input, path, problem),
          "let it begin with a folder of such files alone, such as proofs/"};
    }
  }
}

void refuse_unwritable_folders(JobPlan& plan) {
  for (SheetPlan& sheet : plan.sheets) {
    for (const PlatePlan& plate : sheet.plates) {
      const fs::path existing = files::existing_folder(*plan.files, plate.path);
      if (sheet.failure || ::faccessat(AT_FDCWD, existing.c_str(), W_OK | X_OK, AT_EACCESS) == 0) {
        continue;
      }
      sheet.failure = {ErrorKind::kCannotCreate,
                       fmt::format("{}: {} could not be made: the folder {} cannot be written to: "
                                   "{}",
                                   sheet.input,
                                   plate.path,
                                   existing.string(),
                                   std::generic_category().message(errno)),
                       "check its permissions",
                       kPathKey};
    }
  }
}

void check_plates(JobPlan& plan, const OnClash& on_clash) {
  refuse_long_names(plan);
  refuse_clashes(plan, on_clash);
  refuse_side_clashes(plan);
  refuse_replaced_inputs(plan);
}

}  // namespace mezzo::plan
