// Plans, plates and attempts for tests of records, without any halftoning.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/records/attempt_record.h"
#include "pipeline/plan/plan.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {

/// One job of `sheets` sheets of one plate each, in units of `per_unit`.
struct RecordStage {
  explicit RecordStage(uint32_t sheets = 2, uint32_t per_unit = 2) {
    plan.path = folder.path() + "/job.plan";
    plan.id = "0123456789ab";
    plan.jobs.resize(1);
    for (uint32_t i = 0; i < sheets; ++i) {
      cluster::PlannedSheet sheet;
      sheet.page.input = folder.path() + "/in" + std::to_string(i) + ".tif";
      sheet.page.pages = {i};
      sheet.plates = {{"black", plate(i)}};
      sheet.pixels = 100 + i;
      plan.sheets.push_back(sheet);
      if (i % per_unit == 0) plan.units.push_back({i, std::min(per_unit, sheets - i)});
    }
    std::filesystem::create_directories(records());
    std::filesystem::create_directories(folder.path() + "/out");
  }

  std::string records() const { return plan.path + "/records"; }
  std::string plate(uint32_t sheet) const {
    return folder.path() + "/out/" + std::to_string(sheet) + ".tif";
  }
  void write_plate(uint32_t sheet, const std::string& bytes) const {
    std::ofstream(plate(sheet), std::ios::binary) << bytes;
  }

  plan::JobPlan job_plan(uint32_t unit) const {
    plan::JobPlan job;
    for (uint32_t i = 0; i < plan.units[unit].count; ++i) {
      const uint32_t sheet = plan.units[unit].first + i;
      plan::SheetPlan made;
      made.input = plan.sheets[sheet].page.input;
      made.pages = {sheet};
      made.plates = {{"black", plate(sheet)}};
      made.schedule = "rows";
      job.sheets.push_back(made);
    }
    return job;
  }

  TempFolder folder;
  cluster::ClusterPlan plan;
};

/// An attempt at a unit, step by step.
class FakeAttempt {
 public:
  FakeAttempt(const RecordStage& stage,
              uint32_t unit,
              const std::string& node = "n1",
              std::map<std::string, std::vector<cluster::SealedPlate>> sealed = {})
      : stage_(stage),
        job_(stage.job_plan(unit)),
        record(stage.plan,
               {unit, node, "7_" + std::to_string(unit), "", 2, 1 << 20},
               std::move(sealed)) {
    std::vector<uint32_t> sheets;
    first_ = stage.plan.units[unit].first;
    for (uint32_t i = 0; i < job_.sheets.size(); ++i) sheets.push_back(first_ + i);
    record.set_job_plan(job_, sheets);
  }

  const plan::SheetPlan& sheet(uint32_t index) const { return job_.sheets[index - first_]; }
  void begin(uint32_t index) { record.sheet_started(sheet(index)); }

  resume::JournalEntry entry(uint32_t index) const {
    resume::JournalEntry entry;
    entry.plate = stage_.plate(index);
    entry.input = sheet(index).input;
    entry.input_file.bytes = 77;
    entry.input_digest = "xxh3:11";
    entry.settings = "method=x\n";
    entry.ink = "black";
    entry.compression = "g4";
    entry.content_sum = "c0ffee";
    entry.coverage_percent = 12.5;
    return entry;
  }

  /// Enters a plate as a file beside its name.
  void seal(uint32_t index, const std::string& bytes) {
    resume::JournalEntry sealed = entry(index);
    sealed.sealed_path = stage_.plate(index) + ".part";
    std::ofstream(sealed.sealed_path, std::ios::binary) << bytes;
    sealed.file = *files::mark_of(files::FileSystem::real(), sealed.sealed_path);
    record.enter({&sealed, 1});
  }
  void publish(uint32_t index) const {
    std::filesystem::rename(stage_.plate(index) + ".part", stage_.plate(index));
  }
  void finish(uint32_t index, double seconds = 1.5) {
    run::SheetResult result;
    result.input = sheet(index).input;
    result.pages = {index};
    result.seconds = seconds;
    result.plates = {{"black", stage_.plate(index), "g4", 5, "c0ffee", 12.5}};
    record.sheet_finished(sheet(index), result);
  }
  void fail(uint32_t index, ErrorKind kind) {
    run::SheetResult result;
    result.failure = run::Failure{kind, "it went wrong"};
    record.sheet_finished(sheet(index), result);
  }
  /// All of it.
  void make(uint32_t index, const std::string& bytes) {
    begin(index);
    seal(index, bytes);
    publish(index);
    finish(index);
  }
  /// All sheets of the unit, and its end.
  void make_all() {
    for (uint32_t i = 0; i < job_.sheets.size(); ++i) make(first_ + i, "plate");
    record.end(0);
  }

 private:
  const RecordStage& stage_;
  const plan::JobPlan job_;
  uint32_t first_ = 0;

 public:
  cluster::AttemptRecord record;
};

inline std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace mezzo::test
