#include "xwalk/cli/failure.h"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "xwalk/base/shown_name.h"
#include "xwalk/base/text.h"
#include "xwalk/cli/interrupt.h"
#include "xwalk/cli/json.h"
#include "xwalk/hub/option.h"

namespace xwalk::cli {
namespace {

std::string_view word_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage:
      return "usage";
    case ErrorCode::Input:
      return "input";
    case ErrorCode::Unsupported:
      return "unsupported";
    case ErrorCode::Io:
      return "io";
    case ErrorCode::Internal:
      return "internal";
    case ErrorCode::Interrupted:
      return "interrupted";
    case ErrorCode::ClosedPipe:
      return "closed-pipe";
  }
  return "internal";
}

}  // namespace

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::Usage:
      return kUsage;
    case ErrorCode::Input:
      return kInput;
    case ErrorCode::Unsupported:
      return kUnsupported;
    case ErrorCode::Io:
      return kIo;
    case ErrorCode::Internal:
      return kInternal;
    case ErrorCode::Interrupted:
      return interrupted_code();
    case ErrorCode::ClosedPipe:
      return kClosedPipe;
  }
  return kInternal;
}

int worst_code(const std::vector<Error>& errors, bool fails) {
  int worst = fails ? kFound : kDone;
  for (const Error& error : errors) worst = std::max(worst, exit_code(error.code()));
  return worst;
}

Error spelled_for_program(const Error& error) {
  return hub::spelled(error, hub::Interface::Program);
}

Json error_json(const Error& given) {
  const Error error = spelled_for_program(given);
  Json out;
  out["code"] = word_of(error.code());
  out["message"] = shown_text(error.message());
  const Place& place = error.place();
  if (!place.file.empty()) out["file"] = shown_name(place.file);
  if (place.line) out["line"] = *place.line;
  if (place.column) out["column"] = *place.column;
  if (place.byte) out["byte"] = *place.byte;
  if (place.row) out["row"] = *place.row;
  if (place.table) out["table"] = *place.table;
  if (!place.path.empty()) out["path"] = place.path.text();
  if (!error.hint().empty()) out["hint"] = shown_text(error.hint());
  return out;
}

int report(const Session& session, const Error& error) {
  int code = exit_code(error.code());
  if (error.code() == ErrorCode::ClosedPipe || error.code() == ErrorCode::Interrupted) return code;
  std::string text;
  if (session.json) {
    Json whole;
    whole["error"] = error_json(error);
    text = json_text(whole, -1);
  } else {
    text = spelled_for_program(error).describe();
    // A usage error has no place: the program's name stands for it, as people are used to.
    if (text.starts_with("error: ")) text.insert(0, "xwalk: ");
    size_t word = text.find("error: ");
    if (session.err().has_color() && word != std::string::npos) {
      text.replace(word, 6, session.err().paint(Ink::Bad, "error:"));
    }
    if (error.code() == ErrorCode::Internal) {
      text += "\n  This is a bug in xwalk; please report it with the command and its input.";
    }
  }
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);
  return code;
}

Error unknown_word(const std::string& what, const std::string& found,
                   const std::vector<std::string>& allowed, bool list_all) {
  std::string message = list_all ? fmt::format("{}: expected {}, found {}", what,
                                               join(allowed, ", "), xwalk::quoted(found))
                                 : fmt::format("unknown {} {}", what, xwalk::quoted(found));
  // For numbers, such as releases, the closest spelling is not a useful suggestion.
  const bool is_number = found.find_first_not_of("0123456789.") == std::string::npos;
  std::string hint = is_number ? "" : did_you_mean(found, allowed);
  return Error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

}  // namespace xwalk::cli
