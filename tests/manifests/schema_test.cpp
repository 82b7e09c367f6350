#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/folder.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::test {
namespace {

void expect_in_tree(const std::string& name, const std::string& schema, const char* option) {
  const std::string path = source_folder() + "/manifests/schema/" + name;
  std::ifstream stream(path, std::ios::binary);
  const std::string committed{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(committed == schema)
      << path
      << " is not what the table of fields gives. When the change is meant, write it anew:\n"
      << "  <build folder>/bin/manifest_check " << option << " > manifests/schema/" << name;
}

TEST(Schema, IsTheOneInTheTree) {
  expect_in_tree("mezzotint-1.schema.json", manifests::manifest_schema(), "--schema");
}

TEST(Schema, OfFoldersIsTheOneInTheTree) {
  expect_in_tree("mezzotint-folder-1.schema.json", manifests::folder_schema(), "--folder-schema");
}

TEST(Fields, HaveOneMeaningInEveryPlace) {
  for (const manifests::Field& field : manifests::fields()) {
    EXPECT_FALSE(field.summary.empty()) << field.name;
    EXPECT_EQ(field.type == manifests::FieldType::kChoice, field.choices != nullptr) << field.name;
    for (const manifests::Field& other : manifests::fields()) {
      if (&other == &field || other.name != field.name) continue;
      EXPECT_EQ(field.scopes & other.scopes, 0U) << field.name << " is there twice";
    }
  }
}

TEST(Fields, DoNotHideParameters) {
  for (const std::string_view name : manifests::all_parameters()) {
    EXPECT_EQ(manifests::find_field(kInHalftone, name), nullptr) << name;
  }
}

TEST(Fields, TellTheDefaultsOfTheTypes) {
  const manifests::PageSettings settings;
  const auto told = [](manifests::Scope scope, std::string_view name) {
    return std::string(manifests::find_field(scope, name)->default_json);
  };
  const auto text = [](std::string_view value) { return "\"" + std::string(value) + "\""; };
  EXPECT_EQ(told(kInLimits, "memory"), text("1 GiB"));
  EXPECT_EQ(manifests::JobLimits{}.memory_bytes, uint64_t{1} << 30);
  EXPECT_EQ(told(kInLimits, "threads"), std::to_string(manifests::JobLimits{}.threads));
  EXPECT_EQ(told(kInManifest, "priority"), std::to_string(manifests::Job{}.priority));
  const manifests::FolderSettings folder;
  EXPECT_EQ(told(kInFolder, "plates"), text(folder.plates));
  EXPECT_EQ(told(kInStability, "looks"), std::to_string(folder.looks));
  EXPECT_EQ(told(kInStability, "every"), text(to_string(folder.every)));
  EXPECT_EQ(told(kInStability, "age"), text(to_string(folder.age)));
  EXPECT_EQ(told(kInFolder, "scan"), text(to_string(folder.scan)));
  EXPECT_EQ(told(kInFolder, "poll"), folder.poll ? "true" : "false");
  EXPECT_EQ(told(kInFolder, "order"), text("oldest"));
  EXPECT_EQ(folder.order, manifests::TakeOrder::kOldest);
  EXPECT_EQ(told(kInFolder, "priority"), std::to_string(folder.priority));
  EXPECT_EQ(told(kInFolder, "throttle"), std::to_string(folder.throttle));
  EXPECT_EQ(told(kInFolder, "tries"), std::to_string(folder.tries));
  EXPECT_EQ(told(kInFolder, "stall"), text(to_string(folder.stall)));
  EXPECT_EQ(told(kInSeparations, "pattern"), text(folder.separations.pattern));
  EXPECT_EQ(told(kInSeparations, "wait"), text(to_string(folder.separations.wait)));
  EXPECT_EQ(told(kInFolder, "redrops"), text(folder.print_again ? "print" : "skip"));
  EXPECT_EQ(told(kInKeep, "done"), text(to_string(folder.keep_done)));
  EXPECT_EQ(told(kInKeep, "failed"), text(to_string(folder.keep_failed)));
  EXPECT_EQ(told(kInFolder, "reserve"), text("2 GiB"));
  EXPECT_EQ(folder.reserve_bytes, uint64_t{2} << 30);
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
}  // namespace mezzo::test
