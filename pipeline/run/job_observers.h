// Passes the events of a job on to several observers.
#pragma once

#include <string>
#include <vector>

#include "pipeline/run/job_runner.h"

namespace mezzo::run {

class JobObservers final : public JobObserver {
 public:
  /// `observer` outlives this.
  void add(JobObserver& observer) { all_.push_back(&observer); }

  void sheet_started(const plan::SheetPlan& sheet) override {
    for (JobObserver* one : all_) one->sheet_started(sheet);
  }
  void pixels_done(uint64_t pixels) override {
    for (JobObserver* one : all_) one->pixels_done(pixels);
  }
  void round_done(const plan::SheetPlan& sheet,
                  const std::string& ink,
                  const RoundReport& report) override {
    for (JobObserver* one : all_) one->round_done(sheet, ink, report);
  }
  void sheet_finished(const plan::SheetPlan& sheet, const SheetResult& result) override {
    for (JobObserver* one : all_) one->sheet_finished(sheet, result);
  }
  void paused(const Pause& pause) override {
    for (JobObserver* one : all_) one->paused(pause);
  }
  void continued() override {
    for (JobObserver* one : all_) one->continued();
  }

 private:
  std::vector<JobObserver*> all_;
};

}  // namespace mezzo::run
