// Stands in for `mezzotint run` where a test needs a process: works as FakeWork says, and as these words
// of its page, which are about processes, say:
//
//   crash           dies of SIGSEGV
//   flood           8 MiB of results without a line end, then good
//   leave           good, but a child of it keeps the pipes open
//
// One that is endless opens the file that the second word of its page names for writing once it has
// begun: a test waits for it at the other end of a FIFO.
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "tests/pipeline/watch/machine/fake_work.h"

namespace {

void say(const std::string& line) {
  std::cout << line << std::endl;
}

void tell(const std::string& line) {
  std::cerr << line << std::endl;
}

bool sees_gpus() {
  const char* gpus = std::getenv("CUDA_VISIBLE_DEVICES");
  return gpus == nullptr || *gpus != '\0';
}

}  // namespace

int main(int argc, char** argv) {
  mezzo::test::FakeWork work({argv, argv + argc}, sees_gpus(), say, tell);
  // Before it says that it works, upon which a test may send one.
  if (work.word() == "hang") ::signal(SIGTERM, SIG_IGN);
  if (const auto status = work.begin()) return *status;
  if (work.is_endless()) {
    std::ofstream(work.argument()).close();
    for (;;) ::pause();
  }
  if (work.word() == "crash") {
    rlimit core{1, 1};
    ::getrlimit(RLIMIT_CORE, &core);
    tell("mezzotint: error: about to crash, core limit " + std::to_string(core.rlim_cur));
    std::signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would end it with a status
    ::raise(SIGSEGV);
  } else if (work.word() == "flood") {
    const std::string piece(1 << 20, 'x');
    for (int i = 0; i < 8; ++i) std::cout << piece;
    std::cout << std::endl;
  } else if (work.word() == "leave" && ::fork() == 0) {
    for (;;) ::pause();
  }
  return work.finish();
}
