// The control socket of a watcher: one JSON object a line, one reply a line (watch_view.h), over a
// Unix socket that only its owner can open.
#pragma once

#include <poll.h>

#include <functional>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/process/line_reader.h"
#include "pipeline/steady_time.h"
#include "stages/files/descriptor.h"

namespace mezzo::watch {

/// The default path of the socket, for a watcher and its clients: $RUNTIME_DIRECTORY/watch.sock, or
/// $XDG_RUNTIME_DIR/mezzotint/watch.sock, or `state`/watch.sock.
std::string default_control_path(const std::string& state);

/// Never blocks: for a main loop. A client that does not take its reply, or sends too much, is
/// dropped; beyond 32 at once they wait.
class ControlServer {
 public:
  /// Listens at `path`, made with mode 0600, and its folder when that is missing. A stale socket is
  /// replaced. Throws Error: kUsage when the path is too long, kCannotCreate, also when a watcher
  /// listens there already.
  explicit ControlServer(std::string path);

  /// Removes the socket.
  ~ControlServer();
  ControlServer(const ControlServer&) = delete;
  ControlServer& operator=(const ControlServer&) = delete;

  const std::string& path() const { return path_; }
  void add_polls(std::vector<pollfd>& polls) const;
  std::optional<SteadyTime> next_time() const;

  /// Takes new clients, answers whole lines with `answer`, drops clients that stall.
  void serve(SteadyTime now, const std::function<std::string(const std::string&)>& answer);

 private:
  struct Client;

  void take_clients(SteadyTime now);

  std::string path_;
  files::Descriptor fd_;
  std::list<Client> clients_;
};

/// Sends one request and waits for the reply, 10 s at most. Throws Error: kMissing when nothing
/// listens at `path`, kIo, kUsage.
std::string query_watcher(const std::string& path, const std::string& request);

}  // namespace mezzo::watch
