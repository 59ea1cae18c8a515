#include "xwalk/cli/session.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

#include "xwalk/base/error.h"
#include "xwalk/base/shown_name.h"
#include "xwalk/base/visible.h"

namespace xwalk::cli {
namespace {

/// Bytes kept before they are written: a page of text goes out at once.
constexpr size_t kBuffer = size_t{64} << 10;

}  // namespace

void Session::settle() {
  out_ = Terminal(1, color);
  err_ = Terminal(2, color);
}

void Session::print(std::string_view text) {
  if (out_.is_terminal()) {
    buffer_ += harmless(text);
  } else {
    buffer_ += text;
  }
  if (buffer_.size() >= kBuffer) flush();
}

void Session::note(std::string_view line) {
  if (!quiet) warn(line);
}

void Session::note_lines(std::string_view text) {
  for (size_t end; (end = text.find('\n')) != std::string_view::npos;) {
    note(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  note(text);
}

void Session::warn(std::string_view line) {
  flush();
  // Messages are for people, who might read them in a log. A line break in one comes from a name.
  std::string text = visible(shown_text(line));
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Session::flush() {
  std::string pending;
  pending.swap(buffer_);
  std::string_view rest = pending;
  while (!rest.empty()) {
    ssize_t count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count > 0) {
      rest.remove_prefix(static_cast<size_t>(count));
      continue;
    }
    if (errno == EINTR) continue;
    if (errno == EPIPE) throw Error(ErrorCode::ClosedPipe, "standard output was closed");
    throw Error(ErrorCode::Io,
                std::string("standard output cannot be written: ") + std::strerror(errno));
  }
}

}  // namespace xwalk::cli
