#include "manifests/read_text.h"

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "kernels/base/bytes_text.h"
#include "kernels/base/error.h"
#include "manifests/source_text.h"
#include "stages/files/content_kind.h"
#include "stages/files/folder.h"

namespace mezzo::manifests {

std::string read_text(const std::string& path,
                      std::string_view what,
                      Names names,
                      std::string_view advice,
                      size_t most_bytes) {
  const bool is_strict = names == Names::kOneAndNoLink;
  const std::string title = std::string(what) + " " + in_quotes(path);
  const auto cannot_read = [&](const std::string& reason) {
    throw Error(ErrorKind::kIo, "the " + title + " cannot be read: " + reason);
  };
  const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (is_strict ? O_NOFOLLOW : 0);
  const files::Descriptor file(::open(path.c_str(), flags));
  if (!file) {
    const int error = errno;
    if (is_strict && error == ELOOP) cannot_read("it is a symbolic link");
    if (error != ENOENT && error != ENOTDIR) cannot_read(std::strerror(error));
    throw Error(ErrorKind::kMissing, "there is no " + title, "check the path and its spelling");
  }
  const auto stat = files::stat_file(file.get());
  if (!stat) cannot_read(std::strerror(errno));
  if (stat->is_folder()) cannot_read("it is a folder; name the file in it");
  if (!stat->is_regular()) cannot_read("it is not a regular file");
  if (is_strict && stat->links > 1) cannot_read("it has a second name (a hard link)");
  const std::optional<std::string> text = files::read_all(file.get(), most_bytes + 1);
  if (!text) cannot_read(std::strerror(errno));
  if (const std::string_view kind = files::kind_of_content(std::as_bytes(std::span(*text)));
      !kind.empty()) {
    const bool is_page = kind == "a TIFF file" && what == "manifest";
    throw Error(ErrorKind::kData,
                "the " + title + " is " + std::string(kind) +
                    (is_page ? "; did you mean 'mezzotint halftone " + path + " PLATE.tif'?"
                             : ", expected a text"));
  }
  if (text->size() > most_bytes) {
    throw Error(ErrorKind::kLimit,
                "the " + title + " is larger than " + bytes_text(most_bytes) +
                    ", the limit for a " + std::string(what) + "; " + std::string(advice));
  }
  return *text;
}

}  // namespace mezzo::manifests
