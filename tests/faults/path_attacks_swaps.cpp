// Attacks by what happens between two calls of a job.
#include "tests/faults/path_attacks.h"

namespace mezzo::test {
namespace {

/// Puts a link to the folder outside where one of the job's is.
void swap_for_outside(const AttackScene& scene, const std::string& folder) {
  fs::rename(folder, folder + "-moved");
  make_link(scene.outside(), folder);
}

}  // namespace

std::vector<Attack> swap_attacks() {
  return {
      {.name = "input becomes a link after the plan",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_run = [&scene] {
               make_link(scene.outside("secret.tif"), scene.job("page.tif"));
             };
           },
       .reaches_outside = true},
      {.name = "input becomes a hard link after the plan",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_run = [&scene] {
               make_hard_link(scene.outside("secret.tif"), scene.job("page.tif"));
             };
           },
       .reaches_outside = true},
      {.name = "input becomes a FIFO after the plan",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_run = [&scene] {
               make_fifo(scene.job("page.tif"));
               scene.forbid(scene.job("page.tif"));
             };
           },
       .reaches_outside = true},
      {.name = "input's folder becomes a link after the plan",
       .input = "sub/secret.tif",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             write_page_file(scene.job("sub/secret.tif"));
             moments.before_run = [&scene] { swap_for_outside(scene, scene.job("sub")); };
           },
       .reaches_outside = true},
      {.name = "the job's folder becomes a link after the plan",
       .input = "secret.tif",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             write_page_file(scene.job("secret.tif"));
             moments.before_run = [&scene] { swap_for_outside(scene, scene.job()); };
           },
       .outcome = AttackOutcome::kHarmless,
       .reaches_outside = true},
      {.name = "plates' folder becomes a link after the plan",
       .plate = "sub/out.tif",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_run = [&scene] { swap_for_outside(scene, scene.plates("sub")); };
           },
       .reaches_outside = true},
      {.name = "plates' folder becomes a link before the temporary file is made",
       .plate = "sub/out.tif",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_create = [&scene](const std::string&) {
               swap_for_outside(scene, scene.plates("sub"));
             };
           },
       .reaches_outside = true},
      {.name = "plates' folder becomes a link before it is read back",
       .plate = "sub/out.tif",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_read_back = [&scene](const std::string&) {
               swap_for_outside(scene, scene.plates("sub"));
             };
           }},
      {.name = "plates' folder becomes a link before publication",
       .plate = "sub/out.tif",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_publish = [&scene](const std::string&) {
               swap_for_outside(scene, scene.plates("sub"));
             };
           }},
      {.name = "all of the plates' folder becomes a link before publication",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_publish = [&scene](const std::string&) {
               swap_for_outside(scene, scene.plates());
             };
           },
       .outcome = AttackOutcome::kHarmless},
      {.name = "a link has the temporary name already",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_create = [&scene](const std::string& path) {
               make_link(scene.outside("new.tif"), path);
             };
           },
       .outcome = AttackOutcome::kHarmless},
      {.name = "temporary file becomes a link before it is read back",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_read_back = [&scene](const std::string& path) {
               make_link(scene.outside("victim.tif"), path);
             };
           },
       .reaches_outside = true},
      {.name = "temporary file becomes a hard link before it is read back",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_read_back = [&scene](const std::string& path) {
               make_hard_link(scene.outside("victim.tif"), path);
             };
           },
       .reaches_outside = true},
      {.name = "temporary file becomes a FIFO before it is read back",
       .prepare =
           [](AttackScene&, Moments& moments) {
             moments.before_read_back = [](const std::string& path) { make_fifo(path); };
           }},
      {.name = "temporary file becomes a link before publication",
       .prepare =
           [](AttackScene& scene, Moments& moments) {
             moments.before_publish = [&scene](const std::string& path) {
               make_link(scene.outside("victim.tif"), path);
             };
           },
       .outcome = AttackOutcome::kHarmless},
  };
}

}  // namespace mezzo::test
