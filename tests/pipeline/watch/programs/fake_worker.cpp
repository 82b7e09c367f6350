// Stands in for `mezzotint run` in tests of the watcher: takes the same options, and behaves as the
// first word of its page says.
//
//   good            a plate of the page's text, named after it
//   slow MS         likewise, that many milliseconds later, with a pulse every 20
//   needs MS        likewise, but with exit 66 when the folder of its job goes away meanwhile
//   torn MS         as slow, but its sheet has failed for good; exit 1
//   bad             one sheet that failed for good; exit 1
//   many            five of them
//   io              a sheet that may pass next time; exit 1
//   manifest        a diagnostic; exit 65
//   crash           dies of SIGSEGV
//   hang            says nothing more, and ignores SIGTERM
//   flood           8 MiB of results without a line end, then good
//   garbage         lines that are no results, then good
//   busy N          exit 75 in the first N tries, then good
//   gpu             exit 71 where it sees GPUs, else good
//   silent          exit 0 without a last line
//   leave           good, but a child of it keeps the pipes open
//   polite          says that it was interrupted when it gets SIGTERM; exit 143
//   asks            says "paused", then waits for SIGTERM
//
// A try is counted by a byte in the file of --journal.
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;

void say(const std::string& line) {
  std::cout << line << std::endl;
}

struct Page {
  std::string name, text;
};

std::vector<Page> pages_in(const std::string& folder) {
  std::vector<Page> pages;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".tif")) continue;
    std::ifstream file(entry.path());
    pages.push_back({name, {std::istreambuf_iterator<char>(file), {}}});
  }
  std::ranges::sort(pages, {}, &Page::name);
  return pages;
}

size_t count_try(const std::string& journal) {
  std::ofstream(journal, std::ios::app) << 'x';
  return fs::file_size(journal);
}

void fail_sheet(const std::string& name, const std::string& kind) {
  say(R"({"v":1,"type":"sheet","input":"p","ok":false,"error":{"kind":")" + kind +
      R"(","message":")" + name + R"( is not right","hint":"Make it right."},"plates":[]})");
  std::cerr << "mezzotint: error: " << name << " is not right" << std::endl;
}

[[noreturn]] void say_interrupted(int) {
  constexpr std::string_view kMessage = "mezzotint: error: p: interrupted\n";
  constexpr std::string_view kResult =
      R"({"v":1,"type":"sheet","input":"p","ok":false,"error":{"kind":"interrupted","message":)"
      R"("p: interrupted"},"plates":[]})"
      "\n";
  const bool written = ::write(2, kMessage.data(), kMessage.size()) > 0 &&
                       ::write(1, kResult.data(), kResult.size()) > 0;
  ::_exit(written ? 143 : 74);
}

int end(bool ok) {
  say(std::string(R"({"v":1,"type":"job","ok":)") + (ok ? "true" : "false") + "}");
  return ok ? 0 : 1;
}

int print(const std::vector<Page>& pages, const std::string& plates) {
  fs::create_directories(plates + "/plates");
  for (const Page& page : pages) {
    const std::string plate = plates + "/plates/" + page.name + ".plate";
    std::ofstream(plate, std::ios::app) << page.text << "\n";
    say(R"({"v":1,"type":"sheet","input":"p","ok":true,"pixels":100,"seconds":0.5,"plates":[)"
        R"({"ink":"K","path":")" +
        plate + R"(","coverage_percent":12.5}]})");
  }
  return end(true);
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> options;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]).starts_with("--")) options[argv[i]] = argv[i + 1];
  }
  const std::string within = options["--within"];
  const auto pages = pages_in(within);
  const size_t tries = count_try(options["--journal"]);
  if (pages.empty() || !fs::exists(argv[argc - 1])) {
    std::cerr << "mezzotint: error: there is no page or no manifest" << std::endl;
    return 66;
  }
  rlimit core{1, 1};
  ::getrlimit(RLIMIT_CORE, &core);
  std::istringstream words(pages.front().text);
  std::string word;
  size_t number = 0;
  words >> word >> number;
  // Before it says that it works, upon which a test may send one.
  if (word == "hang") ::signal(SIGTERM, SIG_IGN);
  if (word == "polite") ::signal(SIGTERM, say_interrupted);
  say(R"({"v":1,"type":"begun","input":"p","pages":[1],"pixels":100})");
  if (word == "slow" || word == "needs" || word == "torn") {
    for (size_t ms = 0; ms < number; ms += 20) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (word == "needs" && !fs::exists(within)) {
        say(R"({"v":1,"type":"error","kind":"missing","message":"its folder is not there"})");
        return 66;
      }
      say(R"({"v":1,"type":"pulse","pixels_done":50})");
    }
    if (word == "torn") {
      fail_sheet("the strip", "data");
      return end(false);
    }
  } else if (word == "bad") {
    fail_sheet(within + "/" + pages.front().name + ": the strip", "data");
    return end(false);
  } else if (word == "many") {
    for (const char* name : {"one", "two", "three", "four", "five"}) fail_sheet(name, "checksum");
    return end(false);
  } else if (word == "at-most") {
    if (options["--most-memory"] != std::to_string(number)) {
      fail_sheet("the limit " + options["--most-memory"], "limit");
      return end(false);
    }
  } else if (word == "io") {
    fail_sheet("the disk", "io");
    return end(false);
  } else if (word == "manifest") {
    say(R"({"v":1,"type":"diagnostic","file":")" + std::string(argv[argc - 1]) +
        R"(","line":3,"message":"no such key"})");
    return 65;
  } else if (word == "crash") {
    std::cerr << "mezzotint: error: about to crash, core limit " << core.rlim_cur << std::endl;
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would end it with a status
    ::raise(SIGSEGV);
  } else if (word == "hang" || word == "polite") {
    for (;;) ::pause();
  } else if (word == "flood") {
    const std::string piece(1 << 20, 'x');
    for (int i = 0; i < 8; ++i) std::cout << piece;
    std::cout << std::endl;
  } else if (word == "garbage") {
    say("{\"type\":");
    say("\xFF\xFE not JSON");
    say(std::string(1000, '['));
    say(R"({"type":7,"pixels":-1})");
    say(R"({"type":"sheet","plates":{"a":1},"error":[]})");
  } else if (word == "busy" && tries <= number) {
    say(R"({"v":1,"type":"error","kind":"out-of-memory","message":"no memory is left"})");
    return 75;
  } else if (word == "gpu") {
    const char* gpus = std::getenv("CUDA_VISIBLE_DEVICES");
    if (gpus == nullptr || *gpus != '\0') return 71;
  } else if (word == "silent") {
    return 0;
  } else if (word == "leave") {
    if (::fork() == 0) {
      for (;;) ::pause();
    }
  } else if (word == "asks") {
    say(R"({"v":1,"type":"paused","reason":"waits for space"})");
    for (;;) ::pause();
  }
  return print(pages, options["--plates"]);
}
