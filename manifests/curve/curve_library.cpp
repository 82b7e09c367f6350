#include "manifests/curve/curve_library.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/prepress/folded_name.h"
#include "kernels/prepress/ink_key.h"
#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/source_text.h"

namespace mezzo::curve {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFiles = 10'000;

LibraryCurvePtr read(const fs::path& path) {
  auto parsed = load_curve_file(path.string());
  if (const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    const Diagnostic& first = mistakes->front();
    throw Error(ErrorKind::kData,
                first.file + ":" + std::to_string(first.line) + ":" + std::to_string(first.column) +
                    ": " + first.message);
  }
  return std::make_shared<const LibraryCurve>(
      LibraryCurve{path.filename().string(), std::move(std::get<CurveFile>(parsed))});
}

std::vector<LibraryCurvePtr> read_all(const std::string& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string suffix = entry->path().extension().string();
    if (suffix == ".yaml" || suffix == ".yml") paths.push_back(entry->path());
  }
  if (error) {
    const bool is_missing = error == std::errc::no_such_file_or_directory;
    throw Error(is_missing ? ErrorKind::kMissing : ErrorKind::kIo,
                "the library of curves " + manifests::in_quotes(folder) + " cannot be read: " +
                    (is_missing ? "there is no such folder" : error.message()));
  }
  if (paths.size() > kMostFiles) {
    throw Error(ErrorKind::kLimit,
                "the library of curves " + manifests::in_quotes(folder) + " has more than " +
                    std::to_string(kMostFiles) + " files; keep old ones in a folder of their own");
  }
  std::ranges::sort(paths);
  std::vector<LibraryCurvePtr> curves;
  curves.reserve(paths.size());
  for (const fs::path& path : paths) curves.push_back(read(path));
  return curves;
}

/// The words of a screen: its method under "method", the others by their names.
using ScreenWords = std::map<std::string, std::string, std::less<>>;

ScreenWords words_of(std::string_view screen) {
  ScreenWords words;
  for (size_t begin = 0; begin < screen.size();) {
    const size_t end = std::min(screen.find(' ', begin), screen.size());
    const std::string_view word = screen.substr(begin, end - begin);
    const size_t sign = word.find('=');
    if (sign != std::string_view::npos) {
      words.emplace(word.substr(0, sign), word.substr(sign + 1));
    } else if (!word.empty()) {
      words.emplace("method", word);
    }
    begin = end + 1;
  }
  return words;
}

std::string difference(const std::string& what,
                       const std::string& of_curve,
                       const std::string& of_job,
                       const std::string& unit = {}) {
  const auto text = [&](const std::string& value) { return value.empty() ? "none" : value + unit; };
  return what + " " + text(of_curve) + ", the job has " + text(of_job);
}

std::string unit_of(const std::string& method, const std::string& key) {
  const MethodInfo* info = find_method(method);
  const ParameterInfo* parameter =
      info == nullptr ? nullptr : manifests::find_parameter(*info, key);
  if (parameter == nullptr || parameter->unit.empty()) return {};
  return " " + std::string(parameter->unit);
}

/// Cells follow from ruling, angle and resolution, and tell nothing beside these.
void add_screen(const std::string& of_curve,
                const Wanted& wanted,
                bool has_other_dpi,
                std::vector<std::string>& texts) {
  const ScreenWords curve = words_of(of_curve), job = words_of(wanted.screen);
  const auto value = [](const ScreenWords& words, const std::string& key) {
    const auto found = words.find(key);
    return found == words.end() ? std::string() : found->second;
  };
  const std::string method = value(job, "method");
  if (value(curve, "method") != method) {
    texts.push_back(difference("method", value(curve, "method"), method));
    return;
  }
  ScreenWords keys = curve;
  keys.insert(job.begin(), job.end());
  bool has_other_grid = has_other_dpi;
  for (const auto& [key, unused] : keys) {
    const bool is_cell = key.starts_with("cell_");
    if (is_cell || value(curve, key) == value(job, key)) continue;
    has_other_grid |= key == "ruling" || key == "angle";
    texts.push_back(difference(key, value(curve, key), value(job, key), unit_of(method, key)));
  }
  for (const auto& [key, unused] : keys) {
    if (has_other_grid || !key.starts_with("cell_")) continue;
    if (value(curve, key) == value(job, key)) continue;
    texts.push_back(difference(key, value(curve, key), value(job, key)));
  }
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : between) + one;
  return text;
}

}  // namespace

std::vector<std::string> differences(const CurveFile& file, const Wanted& wanted) {
  std::vector<std::string> texts;
  const auto is_one = [](const std::string& a, const std::string& b) {
    return prepress::folded_name(a, prepress::Alike::kAsWords) ==
           prepress::folded_name(b, prepress::Alike::kAsWords);
  };
  if (!is_one(file.press, wanted.press))
    texts.push_back(difference("press", file.press, wanted.press));
  const bool has_other_dpi = file.dpi != wanted.dpi;
  if (file.screen != wanted.screen) add_screen(file.screen, wanted, has_other_dpi, texts);
  if (has_other_dpi) {
    texts.push_back(difference("resolution",
                               manifests::plain_number(file.dpi),
                               manifests::plain_number(wanted.dpi),
                               " dpi"));
  }
  const bool is_for_any = file.curve.kind == PressCurve::Kind::kPlate && file.paper.empty();
  if (!is_for_any && !is_one(file.paper, wanted.paper)) {
    texts.push_back(difference("paper", file.paper, wanted.paper));
  }
  return texts;
}

Library::Library(std::string folder) : folder_(std::move(folder)), curves_(read_all(folder_)) {}

Library::Library(std::string folder, std::vector<LibraryCurvePtr> curves)
    : folder_(std::move(folder)), curves_(std::move(curves)) {}

LibraryCurvePtr Library::find(const Wanted& wanted) const {
  struct Candidate {
    LibraryCurvePtr curve;
    std::vector<std::string> differences;
  };
  std::vector<Candidate> candidates;
  for (const LibraryCurvePtr& curve : curves_) {
    const bool is_for_ink =
        curve->file.curve.kind == wanted.kind && prepress::is_same_ink(curve->file.ink, wanted.ink);
    if (is_for_ink) candidates.push_back({curve, differences(curve->file, wanted)});
  }
  if (candidates.empty()) return nullptr;
  std::ranges::stable_sort(
      candidates, {}, [](const Candidate& one) { return one.differences.size(); });
  const std::string of_ink = "the " + std::string(name_of(wanted.kind)) + " curve of " + wanted.ink;
  const bool is_good = candidates.front().differences.empty();
  if (is_good && (candidates.size() == 1 || !candidates[1].differences.empty())) {
    return candidates.front().curve;
  }
  if (is_good) {
    throw Error(ErrorKind::kData,
                of_ink + " is twice in " + folder_ + ", as " + candidates[0].curve->name + " and " +
                    candidates[1].curve->name,
                "take one of them out");
  }
  constexpr size_t kShown = 3;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(kShown, candidates.size()); ++i) {
    texts.push_back(candidates[i].curve->name + " is for " +
                    joined(candidates[i].differences, "; "));
  }
  if (candidates.size() > kShown) {
    texts.push_back(std::to_string(candidates.size() - kShown) + " others differ more");
  }
  throw Error(ErrorKind::kData,
              of_ink + " is not in " + folder_ + ": " + joined(texts, ". ") +
                  ". Measure a wedge that is printed as the job is, or change the job");
}

}  // namespace mezzo::curve
