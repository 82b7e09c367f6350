// Calls of CUDA fail, one at a time and all over a job: a sheet ends with the CPU's plates or with
// none and a reason, never with a wrong plate, and the process lives. Needs a GPU.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <map>
#include <random>

#include "kernels/gpu/context.h"
#include "pipeline/run/job_runner.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/fault_at.h"

namespace mezzo::test::device_fault_test {
namespace {

namespace fs = std::filesystem;
using testing::AnyOf;
using testing::HasSubstr;

/// Ends the process, and says where, when a job hangs. No load of the machine reaches it.
constexpr unsigned kSecondsPerJob = 600;

void write_noise(const std::string& path, uint32_t planes) {
  tiff::ContoneOptions options;
  options.width_px = 1501;
  options.height_px = 700;
  options.planes = planes;
  std::mt19937 random(planes);
  const auto writer = tiff::ContoneWriter::create(path, options);
  std::vector<std::byte> row(size_t{options.width_px} * planes);
  for (uint32_t y = 0; y < options.height_px; ++y) {
    for (std::byte& sample : row) sample = static_cast<std::byte>(random() & 0xFF);
    writer->write_rows(row.data(), 1);
  }
  writer->finish();
}

/// The plates of a folder, by name.
using Plates = std::map<std::string, std::string>;

Plates plates_in(const std::string& folder) {
  Plates plates;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    plates[entry.path().filename()] = content_of(entry.path());
  }
  return plates;
}

/// Three pages, grey, RGB and CMYK, and the plates that the CPU makes of them.
class DeviceFaults : public testing::Test {
 protected:
  void SetUp() override {
    if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
    for (const uint32_t planes : {1U, 3U, 4U}) {
      inputs_.push_back(folder_ / ("page" + std::to_string(planes) + ".tif"));
      write_noise(inputs_.back(), planes);
    }
    ASSERT_TRUE(run(Engine::kCpu, "cpu").all_good());
    expected_ = plates_in(folder_ / "cpu");
    ASSERT_EQ(expected_.size(), 6U);  // three channels are RGB, which makes one plate
  }
  void TearDown() override {
    faulty_.fault->set(0);
    ::alarm(0);
  }

  plan::JobPlan plan(Engine engine, const std::string& out) const {
    manifests::Job job;
    job.limits.threads = 2;
    for (const std::string& input : inputs_) {
      manifests::JobPage page;
      page.input = input;
      page.settings.halftone.engine = engine;
      page.settings.output.compression = "none";
      const std::string stem = fs::path(input).stem();
      page.settings.output.path = folder_ / out + "/" + stem + "_{ink}.tif";
      job.pages.push_back(std::move(page));
    }
    return plan::make_plan(job, {.band_rows = 128});
  }

  run::JobResult run(Engine engine, const std::string& out) const {
    const std::atomic<bool> stop{false};
    run::JobObserver nobody;
    ::alarm(kSecondsPerJob);
    return run::run_job(plan(engine, out), {.gpu = &faulty_.context}, nobody, stop);
  }

  /// Every plate of the folder is the CPU's to the last bit, tags included; nothing else is there.
  void expect_right_plates(const std::string& out) const {
    for (const auto& [name, content] : plates_in(folder_ / out)) {
      const auto plate = expected_.find(name);
      ASSERT_NE(plate, expected_.end()) << name << " is no plate";
      EXPECT_TRUE(content == plate->second) << name << " differs from the CPU's";
    }
  }

  /// Each sheet has all its plates, or failed for a reason that a device may have and has none.
  void expect_all_or_none(const run::JobResult& result) const {
    ASSERT_EQ(result.sheets.size(), inputs_.size());
    const plan::JobPlan planned = plan(Engine::kCpu, "out");
    for (size_t i = 0; i < result.sheets.size(); ++i) {
      const auto& failure = result.sheets[i].failure;
      if (failure) {
        EXPECT_THAT(failure->kind, AnyOf(ErrorKind::kDevice, ErrorKind::kOutOfMemory));
        EXPECT_THAT(failure->message, HasSubstr(inputs_[i]));
      }
      for (const plan::PlatePlan& plate : planned.sheets[i].plates) {
        EXPECT_EQ(fs::exists(plate.path), !failure) << plate.path;
      }
    }
  }

  mutable FaultyContext faulty_;
  TempFolder folder_;
  std::vector<std::string> inputs_;
  Plates expected_;
};

TEST_F(DeviceFaults, GiveAllPlatesOfASheetOrNone) {
  ASSERT_TRUE(run(Engine::kGpu, "gpu").all_good());  // warms up: later runs find memory in caches
  const uint64_t before = faulty_.fault->calls();
  ASSERT_TRUE(run(Engine::kGpu, "gpu").all_good());
  const uint64_t calls = faulty_.fault->calls() - before;
  EXPECT_TRUE(plates_in(folder_ / "gpu") == expected_);
  ASSERT_GT(calls, 100U);

  constexpr uint64_t kTrials = 200;
  uint64_t failed_jobs = 0;
  for (uint64_t trial = 0; trial < kTrials && !HasFailure(); ++trial) {
    const uint64_t call = 1 + trial * (calls - 1) / (kTrials - 1);
    const auto fault =
        trial % 2 == 0 ? gpu::CallWatch::Fault::kOutOfMemory : gpu::CallWatch::Fault::kFailed;
    SCOPED_TRACE("call " + std::to_string(call) + " of " + std::to_string(calls) +
                 (trial % 2 == 0 ? ", out of memory" : ", failed"));
    fs::remove_all(folder_ / "out");
    faulty_.fault->set(call, fault);
    const run::JobResult result = run(Engine::kGpu, "out");
    faulty_.fault->set(0);
    EXPECT_FALSE(result.device_lost);
    failed_jobs += !result.all_good();
    expect_all_or_none(result);
    expect_right_plates("out");
  }
  EXPECT_GT(failed_jobs, 0U);
  std::printf("%llu of %llu jobs had a sheet that failed\n",
              static_cast<unsigned long long>(failed_jobs),
              static_cast<unsigned long long>(kTrials));

  // And the process is as good as before.
  fs::remove_all(folder_ / "out");
  ASSERT_TRUE(run(Engine::kGpu, "out").all_good());
  EXPECT_TRUE(plates_in(folder_ / "out") == expected_);
}

/// How a run of lose_device ended.
struct Ended {
  int status = -1;
  std::string output;
};

/// The program lose_device, which lies beside this one: a lost GPU is lost for a whole process.
Ended lose_device(uint64_t call, const std::string& out, const std::vector<std::string>& inputs) {
  const std::string program = fs::read_symlink("/proc/self/exe").parent_path() / "lose_device";
  std::vector<std::string> words = {program, std::to_string(call), out};
  words.insert(words.end(), inputs.begin(), inputs.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  int ends[2];
  if (::pipe(ends) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::alarm(kSecondsPerJob);
    ::execv(program.c_str(), arguments.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  Ended ended;
  std::array<char, 4096> some;
  for (ssize_t got; child > 0 && (got = ::read(ends[0], some.data(), some.size())) > 0;) {
    ended.output.append(some.data(), static_cast<size_t>(got));
  }
  ::close(ends[0]);
  int state = 0;
  if (child > 0 && ::waitpid(child, &state, 0) == child && WIFEXITED(state)) {
    ended.status = WEXITSTATUS(state);
  }
  return ended;
}

TEST_F(DeviceFaults, OfALostGpuAreGoneInTheNextProcess) {
  const uint64_t before = faulty_.fault->calls();
  ASSERT_TRUE(run(Engine::kGpu, "gpu").all_good());
  const uint64_t calls = faulty_.fault->calls() - before;
  for (const uint64_t call : {uint64_t{1}, calls / 10, calls / 3, calls / 2, calls * 9 / 10}) {
    SCOPED_TRACE("call " + std::to_string(call) + " of " + std::to_string(calls));
    fs::remove_all(folder_ / "out");
    const Ended lost = lose_device(call, folder_ / "out", inputs_);
    expect_right_plates("out");
    if (gpu::device_count() > 1) {  // another goes on
      EXPECT_EQ(lost.status, 0) << lost.output;
      EXPECT_TRUE(plates_in(folder_ / "out") == expected_);
      continue;
    }
    EXPECT_EQ(lost.status, 71) << lost.output;
    EXPECT_THAT(lost.output, HasSubstr("the GPU failed")) << lost.output;
    const Ended again = lose_device(0, folder_ / "out", inputs_);
    EXPECT_EQ(again.status, 0) << again.output;
    EXPECT_TRUE(plates_in(folder_ / "out") == expected_);
  }
}

}  // namespace
}  // namespace mezzo::test::device_fault_test
