// lose_device K OUT IN...: halftones each IN on the GPU into the folder OUT; the K-th call of CUDA
// fails as if the GPU were lost, 0: none does. Prints a line a sheet, "published", "failed" or "not
// begun", and ends with the program's exit status.

#include <charconv>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "pipeline/exit_status.h"
#include "pipeline/run/job_runner.h"
#include "tests/support/fault_at.h"
#include "tools/cli/interrupt.h"

int main(int argc, char** argv) {
  using namespace mezzo;
  uint64_t call = 0;
  const std::string_view number = argc > 1 ? argv[1] : "";
  const char* end = number.data() + number.size();
  if (argc < 4 || std::from_chars(number.data(), end, call).ptr != end) {
    std::fprintf(stderr, "usage: lose_device K OUT IN...\n");
    return kExitUsage;
  }
  try {
    manifests::Job job;
    job.limits.threads = 2;
    for (int i = 3; i < argc; ++i) {
      manifests::JobPage page;
      page.input = argv[i];
      page.settings.halftone.engine = Engine::kGpu;
      page.settings.output.compression = "none";
      const std::filesystem::path stem = std::filesystem::path(page.input).stem();
      page.settings.output.path = std::string(argv[2]) + "/" + stem.string() + "_{ink}.tif";
      job.pages.push_back(std::move(page));
    }
    const plan::JobPlan plan = plan::make_plan(job, {.band_rows = 128});
    test::FaultyContext faulty;
    faulty.fault->set(call, gpu::CallWatch::Fault::kLost);
    run::JobObserver nobody;
    const std::atomic<bool> stop{false};
    const run::JobResult result = run::run_job(plan, {.gpu = &faulty.context}, nobody, stop);
    for (const run::SheetResult& sheet : result.sheets) {
      std::printf("%s\n",
                  sheet.failure ? ("failed " + sheet.failure->message).c_str() : "published");
    }
    for (size_t i = result.sheets.size(); i < plan.sheets.size(); ++i) std::printf("not begun\n");
    return cli::with_signal(status_of(result));
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return cli::with_signal(status_of(error.kind()));
  }
}
