#include "kernels/search/rounds.h"

namespace mezzo::search {
namespace {

/// The search has had the time that it may take.
struct TimeIsUp {};

}  // namespace

void Rounds::run(Search& search, Team& team) {
  uint64_t error = search.error();
  report_.average_error = search.of_255(error);
  tell();
  try {
    for (bool done = false; !done;) {
      ++report_.round;
      report_.stage = search.stage();
      const Round round = search.round(team, [this](double part) { pause(part); });
      const bool has_ended = round.changed == 0 ||
                             (settings_.until == Until::kSettled && is_settled(error, round.error));
      done = (has_ended && round.last_stage) || report_.round == settings_.rounds;
      error = round.error;
      report_.part = 1;
      report_.changed = round.changed;
      report_.average_error = search.of_255(error);
      tell();
      if (!done) pause(1);
    }
  } catch (const TimeIsUp&) {
    // The bits so far are the result.
    report_.average_error = search.of_255(search.error());
    report_.out_of_time = true;
    tell();
  }
  search.finish();
}

void Rounds::tell() {
  if (on_round_) on_round_(report_);
  told_ = Clock::now();
}

/// Within a round, and between rounds.
void Rounds::pause(double part) {
  const auto now = Clock::now();
  const std::chrono::duration<double> seconds = now - began_;
  if (part < 1) report_.part = part;
  if (settings_.budget_seconds > 0 && seconds.count() > settings_.budget_seconds) throw TimeIsUp();
  if (part >= 1 || now - told_ < std::chrono::seconds(1)) return;
  tell();
}

}  // namespace mezzo::search
