// Values that people write: numbers, sizes, dates, ranges and times, on the command line as in manifests; and
// templates of paths, which stay below their folder whatever the names of page, ink and job are.
//
// An input has up to four lines: the word or template, the page's name, the ink's and the job's.

#include <array>
#include <cmath>

#include "manifests/job.h"
#include "manifests/path_template.h"
#include "manifests/scalars.h"
#include "manifests/time_window.h"
#include "pipeline/wall_time.h"
#include "pipeline/watch/folder/ink_sets.h"
#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

constexpr std::string_view kTokens[] = {
    "{stem}",       "{page}",     "{ink}",    "{label}", "{n}",         "{job}",
    "{date}",       "{time}",     "{id}",     "{{",      "}}",          ".tif",
    ".TIFF",        ".ppf",       ".png",     "/",       "..",          "../",
    "./",           "//",         "a",        "\n",      "%",           "50",
    "0.5",          "1e3",        "-",        "-1",      ",",           "1-3",
    "4096",         "GiB",        " MiB",     "KB",      "mm",          "2026-02-29",
    "1900-01-01",   "Mon",        "Sun-Mon ", "24:00",   "00:00-24:00", "days",
    "500 ms",       "min",        "0x",       ".inf",    "true",        "18446744073709551615",
    "999999999999", "T09:14:09Z", "\t",       "\xC3\xBC"};

std::array<std::string, 4> lines_of(const std::string& text) {
  std::array<std::string, 4> lines;
  size_t begin = 0;
  for (std::string& line : lines) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    line = text.substr(std::min(begin, text.size()), end - std::min(begin, end));
    begin = std::min(end + 1, text.size() + 1);
    if (begin > text.size()) break;
  }
  return lines;
}

template <typename T>
bool is_told(const manifests::Parsed<T>& parsed) {
  demand(parsed.value.has_value() == parsed.problem.empty(), "a word is refused without a reason");
  return parsed.value.has_value();
}

bool check_word(const std::string& word) {
  bool is_taken = is_told(manifests::parse_integer(word));
  is_taken |= is_told(manifests::parse_number(word));
  is_taken |= is_told(manifests::parse_boolean(word)) || is_told(manifests::parse_byte_size(word));
  is_taken |= is_told(manifests::parse_sha256(word));
  manifests::reads_as_number(word);
  const auto number = manifests::parse_number_from(-5, word.size() % 2 == 0, word);
  if (is_told(number)) demand(std::isfinite(*number.value), "a number is none: " + word);
  const auto percent = manifests::parse_percent(word);
  if (is_told(percent)) demand(std::isfinite(*percent.value), "a percentage is none: " + word);
  const auto length = manifests::parse_length(word);
  if (is_told(length)) {
    demand(manifests::parse_length(manifests::length_text(*length.value)).value == length.value,
           "a length is written as another: " + word);
  }
  const auto window = manifests::parse_time_window(word);
  if (is_told(window)) {
    demand(manifests::parse_time_window(to_string(*window.value)).value == window.value,
           "a time window is written as another: " + word);
  }
  const auto duration = manifests::parse_duration(word);
  if (is_told(duration)) {
    demand(manifests::parse_duration(manifests::to_string(*duration.value)).value == duration.value,
           "a duration is written as another: " + word);
  }
  const auto pages = manifests::parse_page_ranges(word);
  if (is_told(pages)) {
    for (size_t i = 0; i < pages.value->size(); ++i) {
      demand((*pages.value)[i] < manifests::kMaxPageNumber, "a page beyond the last: " + word);
      if (i > 0) demand((*pages.value)[i] > (*pages.value)[i - 1], "pages do not rise: " + word);
    }
  }
  is_told(manifests::parse_date(word));
  if (const auto time = parse_utc(word))
    demand(utc_text(*time) == word, "a time is written as another");
  if (const auto time = parse_utc_ms(word))
    demand(utc_text_ms(*time) == word, "a time is written as another");
  return is_taken || length.value || window.value || duration.value || pages.value ||
         number.value || percent.value;
}

/// A name of a file, as a folder can have it.
bool is_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

bool check_template(const std::array<std::string, 4>& lines) {
  const auto& [text, stem, ink, job] = lines;
  // No manifest and no command line has a NUL.
  if (text.find('\0') != std::string::npos || manifests::check_plate_template(text)) return false;
  if (!is_name(stem) || !is_name(job)) return true;
  const std::string resolved = manifests::resolve_plate_template(text, "/f/hot", stem, job);
  const std::string started = manifests::with_start(
      resolved, {"2026-11-22", "06-44-41", "20261122-064441-8205c866062c1fcb"});
  for (const std::string& label : {ink, std::string("K"), std::string("..")}) {
    const std::string path = manifests::plate_path(started, 3, {ink, label, 2});
    demand(path.starts_with("/f/hot/") && (path + "/").find("/../") == std::string::npos &&
               path.find('\0') == std::string::npos,
           "a plate leads out of its folder: " + path);
  }
  manifests::shown_template(resolved, "/f/hot");
  return true;
}

bool check_pattern(const std::array<std::string, 4>& lines) {
  if (manifests::check_ink_pattern(lines[0])) return false;
  manifests::SeparationSets sets;
  sets.pattern = lines[0];
  sets.inks = {"cyan", "black", lines[2]};
  const watch::SetMatcher matcher(sets);
  for (const std::string& name : {lines[1], std::string("a_cyan.tif"), lines[3]}) {
    const auto member = matcher.match(name);
    if (member) demand(member->ink < sets.inks.size(), "an ink that no set has");
  }
  return true;
}

}  // namespace

std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  for (const std::string_view word :
       {"12",
        "0.85",
        "12.5 %",
        "true",
        "1 GiB",
        "2.5 mm",
        "1-3, 7, 4096",
        "Mon-Fri 18:30-24:00",
        "Sat,Sun 00:00-24:00",
        "15 min",
        "plates/{stem}_{ink}.tif\na.b\nPANTONE 185 C\njob",
        "{date}/{time}/{id}-{page}-{n}_{label}.TIFF\n{x}\n../y\n..",
        "job-{ink} {page}.TIFF\njob-K 7.tif\n1\nJOB-CYAN x.tiff",
        "60303AE22B998861BCE3B28F33EEC1BE758A213C86C93C076DBE9F558C11C752"}) {
    all.push_back(bytes_of(word));
  }
  return all;
}

void change(Bytes& input, Random& random) {
  random.one_in(5) ? change_bytes(input, random) : change_text(input, random, kTokens);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::array<std::string, 4> lines = lines_of(text_of(input));
  bool is_taken = check_word(lines[0]);
  is_taken |= check_template(lines);
  is_taken |= check_pattern(lines);
  return is_taken;
}

}  // namespace mezzo::fuzz
