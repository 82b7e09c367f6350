#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "manifests/fields.h"
#include "manifests/job.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo {
namespace {

TEST(Schema, IsTheOneInTheTree) {
  const std::string path = source_folder() + "/manifests/schema/mezzotint-1.schema.json";
  std::ifstream stream(path, std::ios::binary);
  const std::string committed{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(committed == manifest_schema())
      << path << " is not what manifest_schema() gives. When the change is meant, write it anew:\n"
      << "  <build folder>/bin/manifest_check --schema > manifests/schema/mezzotint-1.schema.json";
}

TEST(Fields, HaveOneMeaningInEveryPlace) {
  for (const Field& field : fields()) {
    EXPECT_FALSE(field.summary.empty()) << field.name;
    EXPECT_EQ(field.type == FieldType::kChoice, field.choices != nullptr) << field.name;
    for (const Field& other : fields()) {
      if (&other == &field || other.name != field.name) continue;
      EXPECT_EQ(field.scopes & other.scopes, 0U) << field.name << " is there twice";
    }
  }
}

TEST(Fields, DoNotHideParameters) {
  for (const std::string_view name : all_parameters()) {
    EXPECT_EQ(find_field(kInHalftone, name), nullptr) << name;
  }
}

TEST(Fields, TellTheDefaultsOfTheTypes) {
  const PageSettings settings;
  const auto told = [](Scope scope, std::string_view name) {
    return std::string(find_field(scope, name)->default_json);
  };
  const auto text = [](std::string_view value) { return "\"" + std::string(value) + "\""; };
  EXPECT_EQ(told(kInLimits, "memory"), text("1 GiB"));
  EXPECT_EQ(JobLimits{}.memory_bytes, uint64_t{1} << 30);
  EXPECT_EQ(told(kInLimits, "threads"), std::to_string(JobLimits{}.threads));
  EXPECT_EQ(told(kInManifest, "priority"), std::to_string(Job{}.priority));
  EXPECT_EQ(told(kInHalftone, "method"), text(settings.halftone.method));
  EXPECT_EQ(told(kInHalftone, "engine"), text(to_string(settings.halftone.engine)));
  EXPECT_EQ(told(kInTone, "invert"), settings.tone.invert ? "true" : "false");
  EXPECT_EQ(told(kInTone, "gamma"), "1.0");
  EXPECT_EQ(settings.tone.gamma, 1.0);
  EXPECT_EQ(told(kInOutput, "path"), text(settings.output.path));
  EXPECT_EQ(told(kInOutput, "compression"), text(settings.output.compression));
  EXPECT_EQ(told(kInOutput, "existing"), text(settings.output.replace ? "replace" : "refuse"));
}

}  // namespace
}  // namespace mezzo
