#include "pipeline/watch/status/status_routes.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <mutex>
#include <utility>

#include "pipeline/report/thumbnail.h"
#include "pipeline/text.h"
#include "pipeline/watch/status/assets.h"
#include "pipeline/watch/view/view_json.h"
#include "stages/files/folder.h"

namespace mezzo::watch {
namespace {

// The page polls every second or two; several pages share one answer.
constexpr std::chrono::milliseconds kFresh{200};
// Twice the time that the loop promises.
constexpr std::chrono::seconds kDead{60};

constexpr const char* kPagePolicy =
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
// A report is made of files that came from anywhere: nothing in it runs, and it is apart from this
// origin.
constexpr const char* kReportPolicy =
    "sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";
constexpr const char* kPicturePolicy =
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

constexpr const char* kNoAnswer = "The watcher does not answer.";

StatusReply line(int status, std::string_view message) {
  return {.status = status, .body = fmt::format("{}\n", message)};
}

StatusReply asset(std::string_view text, const char* type, const char* policy) {
  return {.type = type, .policy = policy, .body = std::string(text)};
}

const JobView* find_job(const WatchView& view, std::string_view id) {
  if (id.empty()) return nullptr;
  const auto job = std::ranges::find(view.finished, id, &JobView::id);
  return job == view.finished.end() ? nullptr : &*job;
}

bool is_silent(const WatchView& view, const std::string& path) {
  const auto folder = std::ranges::find(view.folders, path, &FolderView::path);
  return folder != view.folders.end() && folder->silent;
}

StatusReply health(SteadyTime turned, SteadyTime now) {
  const std::chrono::duration<double> age = now - turned;
  if (turned == SteadyTime{} || age <= kDead) return line(200, "ok");
  return line(
      503, fmt::format("The watcher's loop has stood still for {}.", duration_text(age.count())));
}

StatusReply readiness(const WatchView& view) {
  if (view.stopping) return line(503, "stopping");
  return view.ready ? line(200, "ready") : line(503, "starting");
}

constexpr uint64_t kLargestReport = uint64_t{32} << 20;
constexpr uint64_t kLargestPicture = uint64_t{64} << 10;

/// The file `path`, of at most `most` bytes, below the job's folder.
std::optional<std::string> read_below(const JobView& job, const std::string& path, uint64_t most) {
  std::string folder = job.folder;
  while (folder.ends_with('/')) folder.pop_back();
  folder += '/';
  if (job.folder.empty() || !path.starts_with(folder)) return {};
  const files::Descriptor base(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!base) return {};
  const files::Descriptor file =
      files::open_beneath(base.get(), path.substr(folder.size()), O_RDONLY | O_NONBLOCK);
  const auto stat = file ? files::stat_file(file.get()) : std::nullopt;
  if (!stat || !stat->is_regular() || stat->links != 1 || stat->bytes > most) return {};
  std::optional<std::string> text = files::read_all(file.get(), stat->bytes);
  if (text && text->size() < stat->bytes) text.reset();  // it has shrunk
  return text;
}

/// The text of job.report. Nothing when that is not a path below job.folder, not a regular file
/// with one name and at most 32 MiB, or reached by a symbolic link below the folder. (The path of
/// the folder itself may have links.)
std::optional<std::string> read_report(const JobView& job) {
  return read_below(job, job.report, kLargestReport);
}

/// The picture beside the report, a JPEG file of at most 64 KiB, under the same conditions.
std::optional<std::string> read_thumbnail(const JobView& job) {
  const std::string folder = job.report.substr(0, job.report.rfind('/') + 1);
  auto picture = read_below(job, folder + report::kThumbnailName, kLargestPicture);
  if (picture && !picture->starts_with("\xff\xd8\xff")) picture.reset();
  return picture;
}

}  // namespace

/// A view, and the text of it for browsers, which takes far longer to make than to send: it is made
/// once for all who ask meanwhile.
struct StatusRoutes::Seen {
  explicit Seen(WatchView seen) : view(std::move(seen)) {}

  const std::string& text(bool may_act, const Clock& clock) {
    Text& one = texts.at(may_act ? 1 : 0);
    std::call_once(one.made, [&] { one.json = view_json(view, clock.now().wall, may_act); });
    return one.json;
  }

  struct Text {
    std::once_flag made;
    std::string json;
  };
  const WatchView view;
  std::array<Text, 2> texts;
};

StatusRoutes::StatusRoutes(WatchControl& control,
                           const WatchMetrics& metrics,
                           std::vector<std::string> names,
                           std::string token,
                           const Clock& clock,
                           std::chrono::milliseconds patience)
    : clock_(clock),
      patience_(patience),
      control_(control),
      metrics_(metrics),
      names_(std::move(names)),
      token_(std::move(token)) {}

StatusReply StatusRoutes::answer(const StatusRequest& request) {
  if (const auto refusal = refuse_read(request, names_)) {
    return line(refusal->status, refusal->message);
  }
  const bool changes = request.path == "/request";
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (changes ? request.method != "POST" : !reads) {
    StatusReply reply = line(405, "There is no such method here.");
    reply.allow = changes ? "POST" : "GET, HEAD";
    return reply;
  }
  StatusReply reply = changes ? post(request) : get(request);
  if (request.method == "HEAD") reply.body.clear();
  return reply;
}

StatusReply StatusRoutes::get(const StatusRequest& request) {
  constexpr std::string_view kReports = "/reports/", kThumbnailsAt = "/thumbnails/";
  const std::string_view path = request.path;
  const auto from_view = [this](const auto& reply_from) {
    const View seen = view();
    return seen ? reply_from(seen->view) : line(503, kNoAnswer);
  };
  if (path == "/") return asset(assets::kPage, "text/html; charset=utf-8", kPagePolicy);
  if (path == "/page.css") return asset(assets::kStyle, "text/css", kPagePolicy);
  if (path == "/page.js") return asset(assets::kScript, "text/javascript", kPagePolicy);
  if (path == "/parts.js") return asset(assets::kParts, "text/javascript", kPagePolicy);
  if (path == "/icon.svg") return asset(assets::kIcon, "image/svg+xml", kPicturePolicy);
  if (path == "/view.json") {
    const View seen = view();
    if (!seen) return line(503, kNoAnswer);
    const bool may_act = is_this_machine(request.remote) && has_token(request, token_);
    return {.type = "application/json", .body = seen->text(may_act, clock_)};
  }
  if (path == "/metrics") {
    const View seen = view();
    return {.type = std::string(WatchMetrics::kContentType),
            .body = metrics_.text(seen ? &seen->view : nullptr, clock_.now().wall)};
  }
  // Not from a view, for which a disk that is busy lets the loop keep others waiting.
  if (path == "/healthz") return health(control_.turned(), clock_.now());
  if (path == "/readyz") return from_view(readiness);
  for (const std::string_view folder : {kReports, kThumbnailsAt}) {
    if (!path.starts_with(folder)) continue;
    return from_view([&](const WatchView& seen) {
      const JobView* job = find_job(seen, path.substr(folder.size()));
      if (job == nullptr) return line(404, "No finished job has this number, or no longer.");
      if (is_silent(seen, job->folder)) return line(503, "The disk of its folder does not answer.");
      return folder == kReports ? report(*job) : thumbnail(*job);
    });
  }
  return line(404, "There is nothing here.");
}

StatusReply StatusRoutes::post(const StatusRequest& request) {
  if (const auto refusal = refuse_change(request, token_)) {
    return line(refusal->status, refusal->message);
  }
  if (request.body.size() > kLargestBody) return line(413, "The request is too long.");
  const std::unique_lock lock(request_mutex_, patience_);
  if (!lock) return line(503, kNoAnswer);
  StatusReply reply{.type = "application/json", .body = control_.request(request.body)};
  // The next view shows the change.
  if (const std::unique_lock view_lock(view_mutex_, patience_); view_lock) view_.reset();
  return reply;
}

/// Few at once, so that a disk that hangs leaves threads for other requests.
StatusReply StatusRoutes::thumbnail(const JobView& job) {
  std::optional<std::string> picture;
  if (picture_slots_.try_acquire_for(patience_)) {
    const std::shared_ptr<void> slot(nullptr, [this](void*) { picture_slots_.release(); });
    picture = read_thumbnail(job);
  }
  return picture ? asset(*picture, "image/jpeg", kPicturePolicy)
                 : asset(assets::kNoPicture, "image/svg+xml", kPicturePolicy);
}

StatusReply StatusRoutes::report(const JobView& job) {
  if (!report_slots_.try_acquire_for(patience_)) {
    return line(503, "Other reports are being sent; try again in a moment.");
  }
  std::shared_ptr<void> slot(nullptr, [this](void*) { report_slots_.release(); });
  std::optional<std::string> text = read_report(job);
  if (!text) return line(404, "This job has no report, or no longer.");
  return {.type = "text/html; charset=utf-8",
          .policy = kReportPolicy,
          .body = std::move(*text),
          .hold = std::move(slot)};
}

StatusRoutes::View StatusRoutes::view() {
  const std::unique_lock lock(view_mutex_, patience_);
  if (!lock) return nullptr;
  const SteadyTime now = clock_.now();
  if (!view_ || now - view_time_ > kFresh) {
    view_ = std::make_shared<Seen>(control_.view());
    view_time_ = clock_.now();
  }
  return view_;
}

}  // namespace mezzo::watch
