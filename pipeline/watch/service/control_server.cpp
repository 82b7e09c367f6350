#include "pipeline/watch/service/control_server.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr size_t kMaxRequest = 16 << 10;
constexpr size_t kMaxReplies = 4 << 20;  // requests beyond that, sent at once, get none
constexpr size_t kMaxClients = 32;
constexpr auto kClientTimeout = 10s;  // with a client that neither asks nor takes its reply

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    throw Error(ErrorKind::kUsage,
                path + ": the name of a socket can have 107 bytes; --socket names a shorter one");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

files::Descriptor connect_to(const std::string& path, int flags) {
  const sockaddr_un address = address_of(path);
  files::Descriptor fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (fd && ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    fd.reset();
  }
  return fd;
}

[[noreturn]] void fail(ErrorKind kind, const std::string& path, const char* doing) {
  const int reason = errno;
  throw Error(kind, path + ": " + doing + ": " + std::generic_category().message(reason));
}

/// An absolute path, or nothing. systemd may give several: the first.
std::string folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value != '/') return "";
  const std::string folders = value;
  return folders.substr(0, folders.find(':'));
}

}  // namespace

std::string default_control_path(const std::string& state) {
  if (const std::string systemd = folder_in("RUNTIME_DIRECTORY"); !systemd.empty()) {
    return systemd + "/watch.sock";
  }
  if (const std::string user = folder_in("XDG_RUNTIME_DIR"); !user.empty()) {
    return user + "/mezzotint/watch.sock";
  }
  return state + "/watch.sock";
}

struct ControlServer::Client {
  Client(files::Descriptor fd, SteadyTime now)
      : out(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0)), lines(std::move(fd), kMaxRequest), moved(now) {}

  /// The same socket: a client may have said all, and still wait for the reply.
  files::Descriptor out;
  process::LineReader lines;
  std::string reply;
  SteadyTime moved;  ///< when it last took or sent something
  bool has_left = false;
};

ControlServer::ControlServer(std::string path) : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path_).parent_path(), error);
  const sockaddr_un address = address_of(path_);
  if (connect_to(path_, SOCK_NONBLOCK) || errno == EAGAIN) {
    throw Error(ErrorKind::kCannotCreate,
                path_ + ": a watcher listens there already; --socket names another place");
  }
  fd_.reset(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd_) fail(ErrorKind::kCannotCreate, path_, "no socket can be made");
  struct stat status {};
  if (::lstat(path_.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) ::unlink(path_.c_str());
  // Linux gives the file the mode of the descriptor: at no time is it open to others.
  ::fchmod(fd_.get(), 0600);
  if (::bind(fd_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::chmod(path_.c_str(), 0600) != 0 || ::listen(fd_.get(), 16) != 0) {
    fail(ErrorKind::kCannotCreate, path_, "the control socket cannot be made");
  }
}

ControlServer::~ControlServer() {
  ::unlink(path_.c_str());
}

void ControlServer::add_polls(std::vector<pollfd>& polls) const {
  if (clients_.size() < kMaxClients) {
    polls.push_back({.fd = fd_.get(), .events = POLLIN, .revents = 0});
  }
  for (const Client& client : clients_) {
    const auto events = static_cast<short>(client.reply.empty() ? POLLIN : POLLOUT);
    polls.push_back({.fd = client.out.get(), .events = events, .revents = 0});
  }
}

std::optional<SteadyTime> ControlServer::next_time() const {
  std::optional<SteadyTime> next;
  for (const Client& client : clients_) {
    if (!next || client.moved + kClientTimeout < *next) next = client.moved + kClientTimeout;
  }
  return next;
}

void ControlServer::take_clients(SteadyTime now) {
  while (clients_.size() < kMaxClients) {
    files::Descriptor fd(::accept4(fd_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd) return;
    clients_.emplace_back(std::move(fd), now);
  }
}

void ControlServer::serve(SteadyTime now,
                          const std::function<std::string(const std::string&)>& answer) {
  take_clients(now);
  for (auto client = clients_.begin(); client != clients_.end();) {
    // Nothing is read while a reply waits, so that replies cannot pile up.
    if (client->reply.empty()) {
      client->lines.read([&](std::string_view line) {
        client->moved = now;
        if (client->reply.size() < kMaxReplies) client->reply += answer(std::string(line)) + "\n";
      });
    }
    while (!client->reply.empty()) {
      const ssize_t sent =
          ::send(client->out.get(), client->reply.data(), client->reply.size(), MSG_NOSIGNAL);
      if (sent <= 0) {
        client->has_left = errno != EAGAIN && errno != EINTR;
        break;
      }
      client->moved = now;
      client->reply.erase(0, static_cast<size_t>(sent));
    }
    const bool over = (client->lines.fd() < 0 && client->reply.empty()) || !client->out ||
                      client->has_left || client->lines.dropped() > 0 ||
                      now - client->moved > kClientTimeout;
    client = over ? clients_.erase(client) : std::next(client);
  }
}

std::string query_watcher(const std::string& path, const std::string& request) {
  const files::Descriptor socket = connect_to(path, 0);
  const int fd = socket.get();
  if (!socket) {
    if (errno == ENOENT || errno == ECONNREFUSED) {
      throw Error(
          ErrorKind::kMissing,
          "no watcher is running: nothing listens at " + path +
              "; start one with `mezzotint watch FOLDER`, or name its socket with --socket");
    }
    fail(ErrorKind::kIo, path, "the watcher cannot be asked");
  }
  const timeval patience{10, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  ::setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  std::string text = request + "\n";
  while (!text.empty()) {
    const ssize_t sent = ::send(fd, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) fail(ErrorKind::kIo, path, "the watcher does not listen");
    text.erase(0, static_cast<size_t>(sent));
  }
  std::string reply;
  char buffer[64 << 10];
  while (!reply.ends_with('\n')) {
    const ssize_t got = ::recv(fd, buffer, sizeof buffer, 0);
    if (got < 0) fail(ErrorKind::kIo, path, "the watcher does not answer");
    if (got == 0) throw Error(ErrorKind::kIo, path + ": the watcher hung up without a reply");
    reply.append(buffer, static_cast<size_t>(got));
  }
  reply.pop_back();
  return reply;
}

}  // namespace mezzo::watch
