// Whatever a manifest names, and whatever stands under that name or comes to stand there, a
// confined job opens and writes nothing outside its folders. The same attacks on a job that is not
// confined show that it is confinement that stops them, and that the witnesses would see them
// succeed.
#include "tests/faults/path_attacks.h"

#include <gmock/gmock.h>

#include <atomic>
#include <latch>
#include <thread>

#include "pipeline/run/job_runner.h"
#include "stages/files/input_file.h"

namespace mezzo::test::path_attacks_test {
namespace {

using test::Attack;
using test::Attacked;
using test::AttackOutcome;
using test::AttackScene;
using test::Moments;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Plates = AttackScene::Plates;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string filled_in(const std::string& text, const AttackScene& scene) {
  return replaced(replaced(replaced(text, "{outside}", scene.outside()), "{base}", scene.base("")),
                  "{secret_fd}",
                  std::to_string(scene.secret_fd()));
}

manifests::JobPage page_of(const Attack& attack, const AttackScene& scene) {
  const std::string input = filled_in(attack.input, scene);
  const std::string plate = filled_in(attack.plate, scene);
  manifests::JobPage page;
  page.input = input.starts_with('/') ? input : scene.job(input);
  page.settings.output.path = plate.starts_with('/') ? plate : scene.plates(plate);
  page.settings.halftone.engine = Engine::kCpu;
  return page;
}

/// Why the job fails, or empty.
std::string run(const manifests::Job& job, const Moments& moments, files::FileSystem& files) {
  const plan::JobPlan plan =
      plan::make_plan(job, {.verify = tiff::VerifyLevel::kRecompute, .files = &files});
  if (moments.before_run) moments.before_run();
  run::JobObserver nobody;
  const std::atomic<bool> stop{false};
  const run::JobResult result = run::run_job(plan, {}, nobody, stop);
  std::string why;
  for (const run::SheetResult& sheet : result.sheets) {
    if (sheet.failure) why += sheet.failure->message;
  }
  return why;
}

/// One attack on a job without a manifest. Returns what it did outside.
template <typename Files, typename... Arguments>
std::string damage_of(const Attack& attack,
                      AttackScene& scene,
                      std::string& failure,
                      const Arguments&... arguments) {
  Moments moments;
  attack.prepare(scene, moments);
  manifests::Job job;
  job.limits.threads = 1;
  job.pages = {page_of(attack, scene)};
  Attacked<Files> files(moments, arguments...);
  scene.begin();
  failure = run(job, moments, files);
  return scene.damage();
}

std::vector<Attack> all_attacks() {
  std::vector<Attack> attacks = test::input_attacks();
  for (Attack& attack : test::plate_attacks()) attacks.push_back(std::move(attack));
  for (Attack& attack : test::swap_attacks()) attacks.push_back(std::move(attack));
  return attacks;
}

TEST(PathAttacks, ReachNothingOutsideAConfinedJob) {
  const std::vector<Attack> attacks = all_attacks();
  EXPECT_GE(attacks.size(), 30U);
  int refused = 0, harmless = 0;
  for (const Attack& attack : attacks) {
    for (const Plates where : {Plates::kBesideJob, Plates::kInJob}) {
      SCOPED_TRACE(attack.name);
      AttackScene scene(where);
      std::string failure;
      const std::string damage = damage_of<files::ConfinedFileSystem>(
          attack, scene, failure, files::folders_of_job(scene.job(), scene.plates()));
      EXPECT_THAT(damage, IsEmpty());
      EXPECT_TRUE(attack.outcome == AttackOutcome::kHarmless || !failure.empty());
      EXPECT_THAT(failure, Not(HasSubstr("unexpected")));
      ++(failure.empty() ? harmless : refused);
    }
  }
  std::printf("%zu attacks, each with plates in two places: %d refused, %d harmless\n",
              attacks.size(),
              refused,
              harmless);
}

TEST(PathAttacks, ReachOutsideWithoutConfinement) {
  int reached = 0;
  for (const Attack& attack : all_attacks()) {
    if (!attack.reaches_outside) continue;
    SCOPED_TRACE(attack.name);
    AttackScene scene(Plates::kBesideJob);
    std::string failure;
    EXPECT_THAT(damage_of<files::FileSystem>(attack, scene, failure), Not(IsEmpty())) << failure;
    ++reached;
  }
  EXPECT_GE(reached, 30);
}

TEST(PathAttacks, LetAnHonestJobPass) {
  for (const Plates where : {Plates::kBesideJob, Plates::kInJob}) {
    for (const char* plate : {"out.tif", "sub/out.tif", "new/deep/out.tif"}) {
      for (const char* input : {"page.tif", "sub/page.tif", "./sub//page.tif"}) {
        AttackScene scene(where);
        const Attack none{.name = "none", .input = input, .plate = plate};
        std::string failure;
        EXPECT_THAT(damage_of<files::ConfinedFileSystem>(
                        none, scene, failure, files::folders_of_job(scene.job(), scene.plates())),
                    IsEmpty());
        EXPECT_THAT(failure, IsEmpty());
        EXPECT_TRUE(std::filesystem::exists(scene.plates(plate)));
      }
    }
  }
}

/// A YAML string in double quotes.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
    const bool plain = static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\' && c != 0x7F;
    result += plain ? std::string(1, c) : std::string(escape);
  }
  return result + "\"";
}

std::string manifest_of(const Attack& attack, const AttackScene& scene) {
  const std::string plate = filled_in(attack.plate, scene);
  return "mezzotint: 1\njob: attack\ndefaults: {halftone: {engine: cpu}, output: {path: " +
         quoted(plate.starts_with('/') ? plate : "plates/" + plate) +
         "}}\npages:\n  - input: " + quoted(filled_in(attack.input, scene)) + "\n";
}

// Manifests refuse many of these by themselves; what they let pass must not reach outside either.
TEST(PathAttacks, ReachNothingOutsideByAManifest) {
  int jobs = 0;
  for (const Attack& attack : all_attacks()) {
    SCOPED_TRACE(attack.name);
    AttackScene scene(Plates::kInJob);
    Moments moments;
    attack.prepare(scene, moments);
    const auto draft = manifests::parse_manifest(manifest_of(attack, scene), "job.yaml");
    if (!std::holds_alternative<manifests::JobDraftPtr>(draft)) continue;
    auto resolved = manifests::resolve(*std::get<manifests::JobDraftPtr>(draft), scene.job());
    if (!std::holds_alternative<manifests::Job>(resolved)) continue;
    ++jobs;
    manifests::Job& job = std::get<manifests::Job>(resolved);
    job.limits.threads = 1;
    Attacked<files::ConfinedFileSystem> files(moments,
                                              files::folders_of_job(scene.job(), scene.plates()));
    scene.begin();
    run(job, moments, files);
    EXPECT_THAT(scene.damage(), IsEmpty());
  }
  EXPECT_GE(jobs, 20);
}

/// While it lives, another thread makes two folders of a job links to a folder outside, and folders again.
class Race {
 public:
  explicit Race(AttackScene& scene) : scene_(scene) {
    test::write_page_file(scene.job("sub/secret.tif"));
    for (const std::string& link : {scene.job("link"), scene.plates("link")}) {
      std::filesystem::create_directory_symlink(scene.outside(), link);
    }
    scene.begin();
    attacker_ = std::jthread([this](const std::stop_token& stop) { attack(stop); });
    begun_.wait();
  }

  /// Opens an input and publishes a plate in these folders.
  void run(files::FileSystem& files) {
    attempt([&] { const files::InputFile file(scene_.job("sub/secret.tif"), 1 << 20, files); });
    attempt([&] {
      files::PendingFile file(scene_.plates("sub/out.tif"), files::ExistingFile::kReplace, files);
      file.sync();
      file.publish();
      file.commit();
    });
  }
  int good() const { return good_; }
  int refused() const { return refused_; }

 private:
  void attack(const std::stop_token& stop) {
    exchange();
    begun_.count_down();
    while (!stop.stop_requested()) exchange();
  }
  void exchange() {
    for (const std::string& folder : {scene_.job(), scene_.plates()}) {
      const std::string sub = folder + "/sub", link = folder + "/link";
      ::renameat2(AT_FDCWD, sub.c_str(), AT_FDCWD, link.c_str(), RENAME_EXCHANGE);
    }
  }
  template <typename Body>
  void attempt(const Body& body) {
    try {
      body();
      ++good_;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), AnyOf(HasSubstr("a symbolic link"), HasSubstr("No such file")));
      ++refused_;
    }
  }

  AttackScene& scene_;
  std::latch begun_{1};
  int good_ = 0, refused_ = 0;
  std::jthread attacker_;
};

TEST(PathAttacks, NeverWinARace) {
  AttackScene scene(Plates::kBesideJob);
  files::ConfinedFileSystem files(files::folders_of_job(scene.job(), scene.plates()));
  {
    Race race(scene);
    for (int runs = 0; runs < 3000 || race.good() == 0 || race.refused() == 0; ++runs)
      race.run(files);
    std::printf("%d good, %d refused\n", race.good(), race.refused());
  }
  EXPECT_THAT(scene.damage(), IsEmpty());
}

// However long it takes on a busy machine: who never wins it runs into the limit of all tests.
TEST(PathAttacks, WinTheRaceWithoutConfinement) {
  AttackScene scene(Plates::kBesideJob);
  Race race(scene);
  while (scene.damage().empty()) race.run(files::FileSystem::real());
}

}  // namespace
}  // namespace mezzo::test::path_attacks_test
