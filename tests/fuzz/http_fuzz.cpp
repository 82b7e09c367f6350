// Bytes to the status page, over a real connection, and to the control socket. Whatever they are, the page
// answers as HTTP or closes, shows no file but reports, and changes nothing without its token.

#include <fcntl.h>
#include <sys/un.h>

#include <cstring>

#include "manifests/json/value.h"
#include "pipeline/watch/service/control_server.h"
#include "pipeline/watch/status/status_server.h"
#include "pipeline/watch/view/watch_requests.h"
#include "tests/fuzz/support.h"
#include "tests/pipeline/watch/status/fake_control.h"
#include "tests/pipeline/watch/status/raw_client.h"

namespace mezzo::fuzz {
namespace {

constexpr std::string_view kToken =
    "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
constexpr std::string_view kSecret = "the content of a file that is no report";

constexpr std::string_view kTokens[] = {"GET ",
                                        "POST ",
                                        "HEAD ",
                                        "PUT ",
                                        "OPTIONS ",
                                        "/",
                                        "/view.json",
                                        "/request",
                                        "/reports/a-1",
                                        "/reports/b-2",
                                        "/thumbnails/a-1",
                                        "/metrics",
                                        "/healthz",
                                        "/readyz",
                                        "/page.js",
                                        "/../",
                                        "%2e%2e/",
                                        "%00",
                                        "?x=1",
                                        "//",
                                        " HTTP/1.1\r\n",
                                        " HTTP/1.0\r\n",
                                        " HTTP/0.9\r\n",
                                        "Host: localhost\r\n",
                                        "Host: 127.0.0.1\r\n",
                                        "Host: [::1]:80\r\n",
                                        "Host: evil.example\r\n",
                                        "Host: own.example\r\n",
                                        "Origin: http://localhost\r\n",
                                        "Origin: null\r\n",
                                        "Sec-Fetch-Site: cross-site\r\n",
                                        "Sec-Fetch-Site: same-origin\r\n",
                                        "Sec-Fetch-Mode: navigate\r\n",
                                        "Sec-Fetch-Dest: document\r\n",
                                        "Content-Type: application/json\r\n",
                                        "Content-Length: ",
                                        "Content-Length: 16\r\n",
                                        "Transfer-Encoding: chunked\r\n",
                                        "Connection: keep-alive\r\n",
                                        "Connection: close\r\n",
                                        "Expect: 100-continue\r\n",
                                        "Upgrade: websocket\r\n",
                                        "X-Mezzotint-Token: ",
                                        "0123456789abcdef",
                                        "\r\n",
                                        "\r\n\r\n",
                                        "\n",
                                        "0\r\n\r\n",
                                        "{\"verb\":\"pause\"}",
                                        "{\"verb\":\"list\"}\n",
                                        "{\"verb\":\"cancel\",\"job\":\"a-1\"}\n",
                                        "\xFF",
                                        ":"};

/// A watcher that shows a job with a good report, and one whose report is no file of its folder.
class Page {
 public:
  static Page& only() {
    static Page page;
    return page;
  }

  uint16_t port() const { return server_.port(); }
  std::vector<std::string> take_requests() {
    std::vector<std::string> requests = control_.requests();
    if (!requests.empty()) refill();
    return requests;
  }

 private:
  Page() : server_(control_, metrics_, options()) {
    const test::TempFolder& folder = scratch();
    folder.write("hot/reports/a-1/report.html", "<p>good</p>");
    folder.write("secret.html", std::string(kSecret));
    refill();
  }
  static watch::StatusOptions options() {
    watch::StatusOptions options;
    options.names = {"own.example"};
    options.token = kToken;
    options.client_timeout = std::chrono::milliseconds(300);
    options.reply_timeout = std::chrono::milliseconds(2000);
    return options;
  }
  void refill() {
    control_.forget();
    const std::string hot = scratch() / "hot";
    watch::WatchView view;
    view.folders.push_back({.path = hot});
    view.finished.push_back(
        {.id = "a-1", .folder = hot, .report = hot + "/reports/a-1/report.html"});
    view.finished.push_back({.id = "b-2", .folder = hot, .report = hot + "/../secret.html"});
    control_.set_view(view);
  }

  test::FakeControl control_;
  watch::WatchMetrics metrics_;
  watch::StatusServer server_;
};

bool check_page(const std::string& text) {
  test::RawClient client(Page::only().port());
  client.send(text);
  ::shutdown(client.fd(), SHUT_WR);
  std::string reply = client.receive(std::chrono::seconds(5));
  // The whole process may have been stopped meanwhile.
  if (!client.closed()) reply += client.receive(std::chrono::seconds(3));
  demand(client.closed(), "a connection stays open without a request");
  const bool is_http = reply.empty() || reply.starts_with("HTTP/1.");
  demand(is_http, "a reply is not HTTP: " + reply.substr(0, 40));
  const int status = test::status_of(reply);
  demand(reply.empty() || (status >= 200 && status <= 503 && status != 500),
         "a reply of status " + std::to_string(status));
  demand(reply.find(kSecret) == std::string::npos, "a file was shown that is no report");
  const auto requests = Page::only().take_requests();
  demand(requests.empty() || text.find(kToken) != std::string::npos,
         "something was changed without the token");
  return status == 200;
}

/// The control socket: all that a client sends at once, and the replies.
bool check_socket(const std::string& text) {
  static const std::string path = scratch() / "watch.sock";
  static watch::ControlServer server(path);
  const files::Descriptor client(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  demand(::connect(client.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0,
         "no socket");
  [[maybe_unused]] const ssize_t sent =
      ::send(client.get(), text.data(), text.size(), MSG_NOSIGNAL);
  ::shutdown(client.get(), SHUT_WR);
  watch::WatchVerbs verbs;
  verbs.list = [] { return watch::WatchView(); };
  verbs.change = [](const std::string&, const std::string&) { return std::string("no"); };
  verbs.page = [] { return std::string("http://127.0.0.1:1/"); };
  size_t lines = 0;
  for (int turn = 0; turn < 4; ++turn) {
    server.serve(SteadyClock::now(), [&](const std::string& line) {
      ++lines;
      const std::string reply = watch::answer_request(line, verbs, WallTime());
      demand(json::parse(reply).find("ok") != nullptr && reply.find('\n') == std::string::npos,
             "a reply is no line with 'ok'");
      return reply;
    });
  }
  return lines > 0;
}

std::string post(std::string_view body) {
  return "POST /request HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
         "application/json\r\nX-Mezzotint-Token: " +
         std::string(kToken) + "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
         std::string(body);
}

}  // namespace

std::vector<Bytes> seeds() {
  std::vector<Bytes> all;
  for (const char* path :
       {"/", "/view.json", "/reports/a-1", "/metrics", "/healthz", "/page.css"}) {
    all.push_back(bytes_of("GET " + std::string(path) + " HTTP/1.1\r\nHost: localhost\r\n\r\n"));
  }
  all.push_back(bytes_of("HEAD / HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n"));
  all.push_back(bytes_of(post("{\"verb\":\"pause\"}")));
  all.push_back(bytes_of("{\"verb\":\"list\"}\n{\"verb\":\"cancel\",\"job\":\"a-1\"}\n"));
  return all;
}

void change(Bytes& input, Random& random) {
  random.one_in(5) ? change_bytes(input, random) : change_text(input, random, kTokens);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  const std::string text = text_of(input);
  const bool is_answered = check_page(text);
  return check_socket(text) || is_answered;
}

}  // namespace mezzo::fuzz
