#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "kernels/registry.h"
#include "manifests/fields.h"
#include "manifests/folder.h"
#include "manifests/key_sections.h"
#include "manifests/press_file.h"
#include "tests/manifests/manifest_support.h"
#include "tests/manifests/tool/reference.h"

namespace mezzo::test::schema_test {
namespace {

void expect_in_tree(const std::string& name, const std::string& text, const char* option) {
  const std::string path = source_folder() + "/manifests/" + name;
  std::ifstream stream(path, std::ios::binary);
  const std::string committed{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_TRUE(committed == text)
      << path << " is not what fields and methods give. When the change is meant, write it anew:\n"
      << "  <build folder>/bin/manifest_check " << option << " > manifests/" << name;
}

TEST(Schema, IsTheOneInTheTree) {
  expect_in_tree("schema/mezzotint-1.schema.json", manifests::manifest_schema(), "--schema");
}

TEST(Schema, OfFoldersIsTheOneInTheTree) {
  expect_in_tree(
      "schema/mezzotint-folder-1.schema.json", manifests::folder_schema(), "--folder-schema");
}

TEST(Schema, OfPressFilesIsTheOneInTheTree) {
  expect_in_tree(
      "schema/mezzotint-press-1.schema.json", manifests::press_schema(), "--press-schema");
}

TEST(Schema, OfCurveFilesIsTheOneInTheTree) {
  expect_in_tree(
      "schema/mezzotint-curve-1.schema.json", manifests::curve_schema(), "--curve-schema");
}

TEST(KeyReference, IsTheOneInTheTree) {
  expect_in_tree("keys.md", key_reference(), "--reference");
}

TEST(Fields, HaveOneMeaningInEveryPlace) {
  for (const manifests::Field& field : manifests::fields()) {
    EXPECT_FALSE(field.summary.empty()) << field.name;
    const bool has_choices = field.type == manifests::FieldType::kChoice ||
                             field.type == manifests::FieldType::kChoices ||
                             field.type == manifests::FieldType::kFileTemplate;
    EXPECT_EQ(has_choices, field.choices != nullptr) << field.name;
    for (const manifests::Field& other : manifests::fields()) {
      if (&other == &field || other.name != field.name) continue;
      EXPECT_EQ(field.scopes & other.scopes, 0U) << field.name << " is there twice";
    }
  }
}

TEST(Fields, DoNotHideParameters) {
  for (const std::string_view name : manifests::all_parameters()) {
    EXPECT_EQ(manifests::find_field(manifests::kInHalftone, name), nullptr) << name;
  }
}

TEST(Fields, TellTheDefaultsOfTheTypes) {
  const manifests::PageSettings settings;
  const auto told = [](manifests::Scope scope, std::string_view name) {
    return std::string(manifests::find_field(scope, name)->default_json);
  };
  const auto text = [](std::string_view value) { return "\"" + std::string(value) + "\""; };
  EXPECT_EQ(told(manifests::kInLimits, "memory"), text("1 GiB"));
  EXPECT_EQ(manifests::JobLimits{}.memory_bytes, uint64_t{1} << 30);
  EXPECT_EQ(told(manifests::kInLimits, "threads"), std::to_string(manifests::JobLimits{}.threads));
  EXPECT_EQ(told(manifests::kInManifest, "priority"), std::to_string(manifests::Job{}.priority));
  const manifests::FolderSettings folder;
  EXPECT_EQ(told(manifests::kInFolder, "plates"), text(folder.plates));
  EXPECT_EQ(told(manifests::kInStability, "looks"), std::to_string(folder.looks));
  EXPECT_EQ(told(manifests::kInStability, "every"), text(manifests::to_string(folder.every)));
  EXPECT_EQ(told(manifests::kInStability, "age"), text(manifests::to_string(folder.age)));
  EXPECT_EQ(told(manifests::kInFolder, "scan"), text(manifests::to_string(folder.scan)));
  EXPECT_EQ(told(manifests::kInFolder, "poll"), folder.poll ? "true" : "false");
  EXPECT_EQ(told(manifests::kInFolder, "order"), text("oldest"));
  EXPECT_EQ(folder.order, manifests::TakeOrder::kOldest);
  EXPECT_EQ(told(manifests::kInFolder, "priority"), std::to_string(folder.priority));
  EXPECT_EQ(told(manifests::kInFolder, "throttle"), std::to_string(folder.throttle));
  EXPECT_EQ(told(manifests::kInFolder, "tries"), std::to_string(folder.tries));
  EXPECT_EQ(told(manifests::kInFolder, "stall"), text(manifests::to_string(folder.stall)));
  EXPECT_EQ(told(manifests::kInSeparations, "pattern"), text(folder.separations.pattern));
  EXPECT_EQ(told(manifests::kInSeparations, "wait"),
            text(manifests::to_string(folder.separations.wait)));
  EXPECT_EQ(told(manifests::kInFolder, "tickets"),
            text(folder.needs_tickets ? "required" : "optional"));
  EXPECT_EQ(told(manifests::kInFolder, "redrops"), text(folder.print_again ? "print" : "skip"));
  EXPECT_EQ(told(manifests::kInFolder, "name_clashes"),
            text(folder.replaces_others ? "replace" : "refuse"));
  EXPECT_EQ(told(manifests::kInKeep, "done"), text(manifests::to_string(folder.keep_done)));
  EXPECT_EQ(told(manifests::kInKeep, "failed"), text(manifests::to_string(folder.keep_failed)));
  EXPECT_EQ(told(manifests::kInFolder, "reserve"), text("2 GiB"));
  EXPECT_EQ(folder.reserve_bytes, uint64_t{2} << 30);
  EXPECT_EQ(told(manifests::kInHalftone, "method"), text(settings.halftone.method));
  EXPECT_EQ(told(manifests::kInHalftone, "engine"), text(to_string(settings.halftone.engine)));
  EXPECT_EQ(told(manifests::kInTone, "invert"), settings.tone.invert ? "true" : "false");
  EXPECT_EQ(told(manifests::kInTone, "gamma"), "1.0");
  EXPECT_EQ(settings.tone.gamma, 1.0);
  EXPECT_EQ(told(manifests::kInOutput, "path"), text(settings.output.path));
  EXPECT_EQ(told(manifests::kInOutput, "compression"), text(settings.output.compression));
  EXPECT_EQ(told(manifests::kInOutput, "existing"),
            text(settings.output.replace ? "replace" : "refuse"));
  EXPECT_EQ(told(manifests::kInOutput, "verify"), text(to_string(settings.output.verify)));
}

}  // namespace
}  // namespace mezzo::test::schema_test
