// Real files: MEZZOTINT_CORPUS names a folder with good/, bad/ and photos/. Each file is read by a
// process of its own, so that a signal, a hang or a hunger for memory is seen and blamed.
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <map>

#include "kernels/base/error.h"
#include "tests/stages/tiff/read/reader_fixture.h"

namespace mezzo::test::reader_corpus_test {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // shadow memory is neither resident for long nor addressable
#else
constexpr bool kSanitized = false;
#endif

constexpr std::chrono::seconds kTimeLimit{kSanitized ? 30 : 5};
constexpr long kMaxResidentKb = kSanitized ? 2 << 20 : 512 << 10;
constexpr rlim_t kAddressSpace = rlim_t{2} << 30;

/// How reading one file ended.
struct Outcome {
  bool finished = false;  ///< neither signal nor time limit
  int signal = 0;
  std::string report;  ///< one line a page: "ok ..." or "<kind>: message"
  long resident_kb = 0;
};

char letter_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUnsupported:
      return 'U';
    case ErrorKind::kData:
      return 'D';
    case ErrorKind::kLimit:
      return 'L';
    default:
      return '?';
  }
}

std::string refusal_line(const Error& error) {
  return std::string(1, letter_of(error.kind())) + ": " + error.what() + "\n";
}

/// The samples of an 8-bit grey page, read in the simplest way that libtiff has.
std::optional<std::vector<uint16_t>> simple_decode(const std::string& path) {
  TIFFSetWarningHandler(nullptr);
  TIFF* tiff = TIFFOpen(path.c_str(), "r");
  if (tiff == nullptr) return std::nullopt;
  uint16_t bits = 0, samples = 0, orientation = 1, photometric = 0;
  uint32_t width = 0, height = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_BITSPERSAMPLE, &bits);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SAMPLESPERPIXEL, &samples);
  TIFFGetFieldDefaulted(tiff, TIFFTAG_ORIENTATION, &orientation);
  TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  TIFFGetField(tiff, TIFFTAG_IMAGEWIDTH, &width);
  TIFFGetField(tiff, TIFFTAG_IMAGELENGTH, &height);
  std::optional<std::vector<uint16_t>> pixels;
  if (bits == 8 && samples == 1 && photometric <= PHOTOMETRIC_MINISBLACK && orientation <= 1 &&
      TIFFIsTiled(tiff) == 0) {
    pixels.emplace();
    std::vector<uint8_t> row(static_cast<size_t>(TIFFScanlineSize(tiff)));
    for (uint32_t y = 0; y < height; ++y) {
      TIFFReadScanline(tiff, row.data(), y);
      pixels->insert(pixels->end(), row.begin(), row.end());
    }
  }
  TIFFClose(tiff);
  return pixels;
}

/// Reads all pages of a file; what it found, a line for each.
std::string read_file(const std::string& path) {
  try {
    const auto file = tiff::TiffFile::open(path);
    std::string report;
    ThreadTeam team(2);
    for (uint32_t i = 0; i < file->page_count(); ++i) {
      try {
        const PageInfo& info = file->page(i);
        const auto reader = file->open_page(i, uint64_t{128} << 20);
        const auto planes = read_page(*reader, info, 100, team);
        const auto simple = i == 0 ? simple_decode(path) : std::nullopt;
        const bool differs = simple && *simple != planes[0];
        report += differs ? "DIFFERS from a simple decode\n"
                          : "ok " + info.format + (simple ? ", compared" : "") + "\n";
      } catch (const Error& error) {
        report += refusal_line(error);
      }
    }
    return report;
  } catch (const Error& error) {
    return refusal_line(error);
  }
}

[[noreturn]] void run_child(const std::string& path, int report_to) {
  if (!kSanitized) {
    const rlimit memory{kAddressSpace, kAddressSpace};
    setrlimit(RLIMIT_AS, &memory);
  }
  std::string report;
  try {
    report = read_file(path);
  } catch (const std::exception& error) {
    report = std::string("UNEXPECTED ") + error.what() + "\n";
  }
  const ssize_t written = write(report_to, report.data(), report.size());
  _exit(written == static_cast<ssize_t>(report.size()) ? 0 : 1);
}

Outcome read_in_child(const std::string& path) {
  int ends[2];
  check_written(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(path, ends[1]);
  }
  close(ends[1]);
  Outcome outcome;
  const auto deadline = std::chrono::steady_clock::now() + kTimeLimit;
  char text[4096];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    pollfd waiting{ends[0], POLLIN, 0};
    if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) == 0) {
      kill(child, SIGKILL);
      break;
    }
    const ssize_t got = read(ends[0], text, sizeof text);
    if (got <= 0) break;
    outcome.report.append(text, static_cast<size_t>(got));
  }
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  outcome.finished = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  outcome.resident_kb = usage.ru_maxrss;
  return outcome;
}

class ReaderCorpus : public testing::TestWithParam<const char*> {};

TEST_P(ReaderCorpus, ReadsOrRefusesEveryFile) {
  const char* corpus = std::getenv("MEZZOTINT_CORPUS");
  if (corpus == nullptr) GTEST_SKIP() << "MEZZOTINT_CORPUS is not set";
  const std::string set = GetParam();
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(corpus) / set))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  ASSERT_FALSE(paths.empty());
  std::map<char, uint32_t> counts;  // by the first letter of a page's line
  for (const auto& path : paths) {
    const std::string name = path.filename().string();
    SCOPED_TRACE(name);
    const Outcome outcome = read_in_child(path.string());
    EXPECT_TRUE(outcome.finished) << "signal " << outcome.signal;
    EXPECT_LE(outcome.resident_kb, kMaxResidentKb);
    EXPECT_FALSE(outcome.report.empty());
    for (size_t at = 0; at < outcome.report.size();) {
      const size_t end = outcome.report.find('\n', at);
      const std::string line = outcome.report.substr(at, end - at);
      std::printf("%-60s %s\n", name.c_str(), line.c_str());
      ++counts[line[0]];
      const bool known = line.starts_with("ok ") || line.starts_with("U: ");
      if (set == "bad") {
        EXPECT_TRUE(known || line.starts_with("D: ") || line.starts_with("L: ")) << line;
      } else {
        EXPECT_TRUE(known) << line;
      }
      at = end + 1;
    }
  }
  std::printf("%s: %zu files; pages: %u read, %u unsupported, %u damaged, %u beyond a limit\n",
              set.c_str(),
              paths.size(),
              counts['o'],
              counts['U'],
              counts['D'],
              counts['L']);
}

INSTANTIATE_TEST_SUITE_P(Sets,
                         ReaderCorpus,
                         testing::Values("good", "bad", "photos"),
                         [](const auto& set) { return std::string(set.param); });

}  // namespace
}  // namespace mezzo::test::reader_corpus_test
