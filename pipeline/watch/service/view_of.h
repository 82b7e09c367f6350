// The view of a watcher's folders and jobs.
#pragma once

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

class Dispatcher;
class FolderSet;
class JobHistory;
class Pace;
struct Moment;

/// Without the state of the watcher itself, which the caller fills in.
WatchView view_of(const FolderSet& folders,
                  const Dispatcher& jobs,
                  const JobHistory& history,
                  const Pace& pace,
                  const Moment& now);

}  // namespace mezzo::watch
