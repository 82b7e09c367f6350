// Methods that halftone inks together, by every schedule of the registry, against its reference.

#include <gtest/gtest.h>

#include "kernels/gpu/context.h"
#include "kernels/proof/neugebauer.h"
#include "kernels/registry.h"
#include "kernels/together/ink_colours.h"
#include "kernels/together/parameter.h"
#include "tests/kernels/diffusion/together/ink_planes.h"

namespace mezzo::test::schedules_test {
namespace {

struct Case {
  const MethodInfo* method;
  const ScheduleInfo* schedule;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.method->name << ", " << value.schedule->name;
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (const MethodInfo& method : methods()) {
    if (method.make_together == nullptr) continue;
    for (const ScheduleInfo& schedule : method.schedules) cases.push_back({&method, &schedule});
  }
  return cases;
}

/// Two inks that are as dark as each other.
together::InkColours colours() {
  together::InkColours two{.inks = 2, .states = {}};
  two.states = {{1024, 0, 0}, {300, 0, 0}, {300, 0, 0}, {100, 0, 0}};
  return two;
}

class InksOfRegistry : public ::testing::TestWithParam<Case> {};

TEST_P(InksOfRegistry, AreThoseOfTheReference) {
  const auto& [method, schedule] = GetParam();
  if (!is_runnable(*schedule)) GTEST_SKIP() << "no GPU on this machine";
  HalftoneSettings settings = settings_of(*method);
  settings.engine = schedule->engine;
  settings.schedule = schedule->name;
  settings.parameters["inks"] = 1;
  const auto reference = make_inks_reference(complete(settings), colours());
  const auto found =
      make_inks_halftoner(complete(settings), colours(), gpu::Context::of_process()).halftoner;
  const uint32_t most = reference->traits().band_rows == 0 ? 300 : kSlowSide;
  for (const uint32_t width : {1U, 33U, most}) {
    InkPlanes expected(2, width, 37, 1), planes(2, width, 37, 1);
    fill_inks(expected, width);
    fill_inks(planes, width);
    SoloTeam solo;
    ThreadTeam team(3);
    const uint32_t own_rows = reference->traits().band_rows;
    run_in_bands(*reference, expected, {own_rows == 0 ? 37 : own_rows}, solo);
    run_in_bands(*found, planes, {own_rows == 0 ? 11 : own_rows}, team);
    ASSERT_TRUE(same_bits(expected, planes)) << width << " px";
  }
}

INSTANTIATE_TEST_SUITE_P(Registry,
                         InksOfRegistry,
                         ::testing::ValuesIn(all_cases()),
                         [](const auto& test) {
                           std::string name = std::string(test.param.method->name) + "_" +
                                              std::string(to_string(test.param.schedule->engine)) +
                                              "_" + std::string(test.param.schedule->name);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace mezzo::test::schedules_test
