#include "tests/fuzz/support.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "kernels/base/utf8.h"

namespace mezzo::fuzz {
namespace {

/// Numbers at which programs break.
constexpr uint32_t kOddNumbers[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    16,
                                    127,
                                    128,
                                    255,
                                    256,
                                    4096,
                                    32767,
                                    65535,
                                    0x10000,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFF};

constexpr std::string_view kOddTexts[] = {
    "0",          "-1",        "1e400", "18446744073709551616",
    "4294967296", "0.0000001", "nan",   "null",
    "true",       "\"\"",      "..",    "/",
    "../../x",    "\xFF",      "\n",    "\xE2\x80\xA8",
    "\\u0000",    "{ink}",     "{",     "}",
    "'"};

std::ptrdiff_t at(size_t place) {
  return static_cast<std::ptrdiff_t>(place);
}

void insert(Bytes& input, size_t place, std::string_view text) {
  const Bytes piece = bytes_of(text);
  input.insert(input.begin() + at(place), piece.begin(), piece.end());
}

void put(Bytes& bytes, size_t place, size_t size, uint32_t value) {
  for (size_t i = 0; i < size && place + i < bytes.size(); ++i) {
    bytes[place + i] = static_cast<std::byte>(value >> (8 * (size - 1 - i)));
  }
}

/// A place that is more often near the beginning, where heads and lists are.
size_t place_in(const Bytes& bytes, Random& random) {
  return random.below(random.one_in(2) ? std::min<size_t>(bytes.size(), 400) : bytes.size());
}

/// The line that a place is in, with its end.
std::pair<size_t, size_t> line_at(const Bytes& input, size_t place) {
  size_t begin = place, end = place;
  while (begin > 0 && input[begin - 1] != std::byte{'\n'}) --begin;
  while (end < input.size() && input[end] != std::byte{'\n'}) ++end;
  return {begin, std::min(end + 1, input.size())};
}

void change_line(Bytes& input, Random& random) {
  const auto [begin, end] = line_at(input, random.below(input.size()));
  const Bytes line(input.begin() + at(begin), input.begin() + at(end));
  if (random.one_in(2)) input.erase(input.begin() + at(begin), input.begin() + at(end));
  if (input.empty() || random.one_in(3)) return;
  const size_t place = line_at(input, random.below(input.size())).first;
  input.insert(input.begin() + at(place), line.begin(), line.end());
}

}  // namespace

void found(std::string_view what) {
  std::fprintf(stderr, "finding: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

void show(std::string_view refusal) {
  static const bool is_wanted = std::getenv("FUZZ_SHOW") != nullptr;
  if (is_wanted) std::fprintf(stderr, "%.*s\n", static_cast<int>(refusal.size()), refusal.data());
}

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Bytes bytes_of(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

Bytes source_file(const std::string& path) {
  std::ifstream file(std::string(MEZZOTINT_SOURCE_DIR) + "/" + path, std::ios::binary);
  demand(file.is_open(), "the source tree has no " + path);
  return bytes_of(std::string((std::istreambuf_iterator<char>(file)), {}));
}

std::vector<Bytes> source_files(const std::string& folder, const std::string& suffix) {
  std::vector<std::string> names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(MEZZOTINT_SOURCE_DIR) + "/" + folder)) {
    const std::string name = entry.path().filename();
    if (name.ends_with(suffix)) names.push_back(name);
  }
  std::ranges::sort(names);
  std::vector<Bytes> files;
  for (const std::string& name : names) files.push_back(source_file(folder + "/" + name));
  return files;
}

const test::TempFolder& scratch() {
  static const test::TempFolder folder = [] {
    std::error_code ignored;
    if (std::filesystem::is_directory("/dev/shm", ignored)) ::setenv("TMPDIR", "/dev/shm", 1);
    return test::TempFolder();
  }();
  return folder;
}

std::string scratch_file(const std::string& name, const Bytes& bytes) {
  const std::string path = scratch() / name;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return path;
}

void check_mistakes(const std::vector<Diagnostic>& mistakes, std::string_view text) {
  demand(!mistakes.empty(), "refused without a mistake");
  // A carriage return alone may end a line, too.
  const auto lines = static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return c == '\n' || c == '\r'; }) + 1);
  for (const Diagnostic& mistake : mistakes) {
    demand(!mistake.message.empty(), "a mistake without words");
    demand(is_clean_text(mistake.message), "control characters in: " + mistake.message);
    demand(is_clean_text(mistake.hint), "control characters in: " + mistake.hint);
    std::string excerpt = mistake.excerpt;  // which keeps its tabs
    std::ranges::replace(excerpt, '\t', ' ');
    demand(is_clean_text(excerpt), "control characters in: " + excerpt);
    demand(mistake.line <= lines, "a mistake behind the text: " + mistake.message);
    show(to_string(mistake));
  }
}

std::vector<std::string> texts_of(const Bytes& input, size_t count) {
  std::string rest = text_of(input);
  std::vector<std::string> texts;
  const std::string mark = "\n" + std::string(kNextText) + "\n";
  while (texts.size() + 1 < count) {
    const size_t end = rest.find(mark);
    texts.push_back(rest.substr(0, end == std::string::npos ? end : end + 1));
    rest = end == std::string::npos ? "" : rest.substr(end + mark.size());
  }
  texts.push_back(rest);
  return texts;
}

void change_text(Bytes& input, Random& random, std::span<const std::string_view> tokens) {
  for (size_t i = 1 + random.below(3); i > 0; --i) {
    const std::string_view token = random.one_in(3) ? random.of(kOddTexts) : random.of(tokens);
    const size_t place = random.below(input.size() + 1);
    const size_t length = std::min(input.size() - place, 1 + random.below(24));
    switch (random.below(5)) {
      case 0:
        insert(input, place, token);
        break;
      case 1:  // in the place of as much
        input.erase(input.begin() + at(place),
                    input.begin() + at(std::min(place + token.size(), input.size())));
        insert(input, place, token);
        break;
      case 2:
        input.erase(input.begin() + at(place), input.begin() + at(place + length));
        if (random.one_in(2)) insert(input, place, token);
        break;
      default:
        if (!input.empty()) change_line(input, random);
    }
  }
}

void change_bytes(Bytes& bytes, Random& random) {
  if (bytes.empty()) return;
  const size_t place = place_in(bytes, random), other = place_in(bytes, random);
  const size_t length = std::min(1 + random.below(64), bytes.size() - std::max(place, other));
  switch (random.below(7)) {
    case 0:
      bytes[place] ^= static_cast<std::byte>(1U << random.below(8));
      break;
    case 1:
      bytes[place] = static_cast<std::byte>(random.below(256));
      break;
    case 2:
      put(bytes, place & ~size_t{3}, 4, random.of(kOddNumbers));
      break;
    case 3:
      put(bytes, place & ~size_t{1}, 2, random.of(kOddNumbers));
      break;
    case 4: {  // one place has what another has
      const Bytes copy(bytes.begin() + at(other), bytes.begin() + at(other + length));
      std::ranges::copy(copy, bytes.begin() + at(place));
      break;
    }
    case 5:
      if (random.one_in(4)) bytes.resize(1 + random.below(bytes.size()));
      break;
    default:
      put(bytes, place & ~size_t{3}, 4, static_cast<uint32_t>(random.below(2 * bytes.size())));
  }
}

}  // namespace mezzo::fuzz
