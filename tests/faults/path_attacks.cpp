#include "tests/faults/path_attacks.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/sysmacros.h>
#include <sys/un.h>

#include <cstdio>
#include <cstring>

namespace mezzo::test {
namespace {

using Prepare = std::function<void(AttackScene&, Moments&)>;

void make_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof address.sun_path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ::close(fd);
}

/// /dev/zero, or a loop device, under another name.
bool make_device(const std::string& path, mode_t kind) {
  const dev_t device = kind == S_IFCHR ? makedev(1, 5) : makedev(7, 0);
  return ::mknod(path.c_str(), kind | 0666, device) == 0;
}

bool devices_can_be_made() {
  const TempFolder folder;
  const bool can = make_device(folder / "device", S_IFCHR);
  if (!can) std::puts("attacks by devices are left out: making one needs CAP_MKNOD");
  return can;
}

Prepare input_link(const std::string& name, const std::string& target) {
  return [=](AttackScene& scene, Moments&) {
    const bool is_whole = target.starts_with('/');
    make_link(is_whole ? target : scene.outside(target), scene.job(name));
  };
}

Prepare plate_link(const std::string& name, const std::string& target) {
  return
      [=](AttackScene& scene, Moments&) { make_link(scene.outside(target), scene.plates(name)); };
}

}  // namespace

std::vector<Attack> input_attacks() {
  const std::string long_name = std::string(251, 'n') + ".tif";  // 255 bytes
  std::vector<Attack> attacks = {
      {.name = "link to a secret",
       .input = "link.tif",
       .prepare = input_link("link.tif", "secret.tif"),
       .reaches_outside = true},
      {.name = "dangling link",
       .input = "link.tif",
       .prepare = input_link("link.tif", "nothing.tif")},
      {.name = "link to a link",
       .input = "link.tif",
       .prepare =
           [](AttackScene& scene, Moments&) {
             make_link(scene.outside("secret.tif"), scene.job("second.tif"));
             make_link("second.tif", scene.job("link.tif"));
           },
       .reaches_outside = true},
      {.name = "link that stays inside",
       .input = "link.tif",
       .prepare = [](AttackScene& scene,
                     Moments&) { make_link("page.tif", scene.job("link.tif")); }},
      {.name = "link to a folder inside",
       .input = "inside/page.tif",
       .prepare = [](AttackScene& scene, Moments&) { make_link("sub", scene.job("inside")); }},
      {.name = "link to itself",
       .input = "link.tif",
       .prepare = [](AttackScene& scene,
                     Moments&) { make_link("link.tif", scene.job("link.tif")); }},
      {.name = "link as the first folder",
       .input = "away/secret.tif",
       .prepare = input_link("away", ""),
       .reaches_outside = true},
      {.name = "link as a folder in the middle",
       .input = "sub/away/folder/inner.tif",
       .prepare = input_link("sub/away", ""),
       .reaches_outside = true},
      {.name = "link as the last folder",
       .input = "sub/away/inner.tif",
       .prepare = input_link("sub/away", "folder"),
       .reaches_outside = true},
      {.name = "link to the root of all",
       .input = "away{outside}/secret.tif",
       .prepare = input_link("away", "/"),
       .reaches_outside = true},
      {.name = "link to /dev/zero",
       .input = "link.tif",
       .prepare = input_link("link.tif", "/dev/zero")},
      {.name = "link to /proc/self/fd",
       .input = "fd/{secret_fd}",
       .prepare = input_link("fd", "/proc/self/fd"),
       .reaches_outside = true},
      {.name = "/proc/self/fd", .input = "/proc/self/fd/{secret_fd}", .reaches_outside = true},
      {.name = "/dev/fd", .input = "/dev/fd/{secret_fd}", .reaches_outside = true},
      {.name = "/dev/zero", .input = "/dev/zero"},
      {.name = "absolute path", .input = "{outside}/secret.tif", .reaches_outside = true},
      {.name = "absolute path that begins as the job's does",
       .input = "{base}/job2/secret.tif",
       .reaches_outside = true},
      {.name = ".. first", .input = "../outside/secret.tif", .reaches_outside = true},
      {.name = ".. after .", .input = "./../outside/secret.tif", .reaches_outside = true},
      {.name = ".. after //", .input = "sub//..//../outside/secret.tif", .reaches_outside = true},
      {.name = ".. in the middle",
       .input = "sub/../../outside/secret.tif",
       .reaches_outside = true},
      {.name = ".. in the middle, inside", .input = "sub/../page.tif"},
      {.name = ".. below a file", .input = "page.tif/../../outside/secret.tif"},
      {.name = ".. twice below a link",
       .input = "away/../outside/secret.tif",
       .prepare = input_link("away", ""),
       .reaches_outside = true},
      {.name = ".. last", .input = "sub/.."},
      {.name = "the job's folder itself", .input = "."},
      {.name = "a folder as a file", .input = "sub"},
      {.name = "a file as a folder", .input = "page.tif/page.tif"},
      {.name = "FIFO",
       .input = "pipe.tif",
       .prepare =
           [](AttackScene& scene, Moments&) {
             make_fifo(scene.job("pipe.tif"));
             scene.forbid(scene.job("pipe.tif"));
           },
       .reaches_outside = true},
      {.name = "socket",
       .input = "socket.tif",
       .prepare = [](AttackScene& scene, Moments&) { make_socket(scene.job("socket.tif")); }},
      {.name = "hard link to a secret",
       .input = "hard.tif",
       .prepare =
           [](AttackScene& scene, Moments&) {
             make_hard_link(scene.outside("secret.tif"), scene.job("hard.tif"));
           },
       .reaches_outside = true},
      {.name = "hard link in a folder",
       .input = "sub/hard.tif",
       .prepare =
           [](AttackScene& scene, Moments&) {
             make_hard_link(scene.outside("secret.tif"), scene.job("sub/hard.tif"));
           },
       .reaches_outside = true},
      {.name = "link of another user in a sticky folder",
       .input = "sticky/link.tif",
       .prepare =
           [](AttackScene& scene, Moments&) {
             fs::create_directory(scene.job("sticky"));
             make_link(scene.outside("secret.tif"), scene.job("sticky/link.tif"));
             EXPECT_EQ(::chmod(scene.job("sticky").c_str(), 01777), 0);
             // As another user where that is possible; as ourselves otherwise.
             if (::geteuid() == 0) {
               EXPECT_EQ(::lchown(scene.job("sticky/link.tif").c_str(), 1000, 1000), 0);
             }
           }},
      {.name = "256-byte name", .input = "n" + long_name},
      {.name = "path of 5000 bytes",
       .input = std::string(2500, '.') + "/" + std::string(2500, 'n')},
      {.name = "path of 5000 bytes that is short when tidied",
       .input =
           [] {
             std::string path;
             for (int i = 0; i < 2500; ++i) path += "./";
             return path + "../outside/secret.tif";
           }()},
      {.name = "empty name", .input = ""},
      {.name = "NUL in a name", .input = std::string("page.tif\0/x.tif", 15)},
  };
  // A name is only a name: the link is what counts.
  for (const std::string& name : {std::string("new\nline.tif"),
                                  std::string("\x1b[2J\r\t\x7f.tif"),
                                  std::string("invalid\xff\xc0\x80.tif"),
                                  std::string("-rf $(reboot) `%n`;*?.tif"),
                                  std::string(" .tif"),
                                  long_name}) {
    attacks.push_back({.name = "link with the odd name " + name,
                       .input = name,
                       .prepare = input_link(name, "secret.tif"),
                       .reaches_outside = true});
  }
  if (devices_can_be_made()) {
    for (const mode_t kind : {S_IFCHR, S_IFBLK}) {
      attacks.push_back({.name = kind == S_IFCHR ? "character device" : "block device",
                         .input = "device.tif",
                         .prepare = [=](AttackScene& scene, Moments&) {
                           EXPECT_TRUE(make_device(scene.job("device.tif"), kind));
                           scene.forbid(scene.job("device.tif"));
                         }});
    }
  }
  return attacks;
}

std::vector<Attack> plate_attacks() {
  std::vector<Attack> attacks = {
      {.name = "plates' folder is a link",
       .plate = "away/out.tif",
       .prepare = plate_link("away", ""),
       .reaches_outside = true},
      {.name = "folder above is a link",
       .plate = "away/folder/out.tif",
       .prepare = plate_link("away", ""),
       .reaches_outside = true},
      {.name = "folder above is a link, and the next one is missing",
       .plate = "away/new/out.tif",
       .prepare = plate_link("away", ""),
       .reaches_outside = true},
      {.name = "folder in the middle is a link",
       .plate = "sub/away/out.tif",
       .prepare = plate_link("sub/away", "folder"),
       .reaches_outside = true},
      {.name = "plates' folder is a link that stays inside",
       .plate = "inside/out.tif",
       .prepare = [](AttackScene& scene, Moments&) { make_link("sub", scene.plates("inside")); }},
      {.name = "folder is a dangling link",
       .plate = "away/out.tif",
       .prepare = plate_link("away", "missing")},
      {.name = "folder is a file",
       .plate = "file/out.tif",
       .prepare = [](AttackScene& scene, Moments&) { std::ofstream(scene.plates("file")) << "x"; }},
      {.name = "folder is a FIFO",
       .plate = "pipe/out.tif",
       .prepare = [](AttackScene& scene, Moments&) { make_fifo(scene.plates("pipe")); }},
      {.name = ".. first", .plate = "../out.tif", .reaches_outside = true},
      {.name = ".. to a folder outside",
       .plate = "sub/../../outside/out.tif",
       .reaches_outside = true},
      {.name = ".. in the middle, inside", .plate = "sub/../out.tif"},
      {.name = "absolute path", .plate = "{outside}/out.tif", .reaches_outside = true},
      {.name = "absolute path that begins as that of the plates does",
       .plate = "{base}/plates2/out.tif",
       .reaches_outside = true},
      {.name = "where the job only reads", .plate = "{base}/job/sub/out.tif"},
      {.name = "the plates' folder itself", .plate = "sub"},
      {.name = "link to a victim",
       .prepare = plate_link("out.tif", "victim.tif"),
       .outcome = AttackOutcome::kHarmless},
      {.name = "dangling link",
       .prepare = plate_link("out.tif", "new.tif"),
       .outcome = AttackOutcome::kHarmless},
      {.name = "hard link to a victim",
       .prepare =
           [](AttackScene& scene, Moments&) {
             make_hard_link(scene.outside("victim.tif"), scene.plates("out.tif"));
           },
       .outcome = AttackOutcome::kHarmless},
      {.name = "link to a folder",
       .prepare = plate_link("out.tif", "folder"),
       .outcome = AttackOutcome::kHarmless},
      {.name = "FIFO",
       .prepare =
           [](AttackScene& scene, Moments&) {
             make_fifo(scene.plates("out.tif"));
             scene.forbid(scene.plates("out.tif"));
           }},
      {.name = "socket",
       .prepare = [](AttackScene& scene, Moments&) { make_socket(scene.plates("out.tif")); }},
      {.name = "folder",
       .prepare = [](AttackScene& scene,
                     Moments&) { fs::create_directory(scene.plates("out.tif")); }},
      {.name = "256-byte name", .plate = std::string(252, 'n') + ".tif"},
  };
  if (devices_can_be_made()) {
    attacks.push_back({.name = "device", .prepare = [](AttackScene& scene, Moments&) {
                         EXPECT_TRUE(make_device(scene.plates("out.tif"), S_IFCHR));
                         scene.forbid(scene.plates("out.tif"));
                       }});
  }
  return attacks;
}

}  // namespace mezzo::test
