#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "xwalk/io/bytes/location.h"

namespace xwalk::io {

/// Returns a path as an engine is given it. Packages take a relative one such as `file:/x` or `~/x`
/// for another place.
std::string for_engine(const Location& path);

/// Prints what an engine is given. Throws Error (Unsupported) for a text that is not UTF-8, such as
/// the name of a file: JSON could only hold another one.
std::string print_for_engine(const nlohmann::json& json);

/// The version of the contract that this host speaks, as it does those before.
inline constexpr int64_t kEngineContract = 2;

/// What an engine program has reported so far.
struct EngineReport {
  bool greeted = false;
  int64_t contract = 0;                 ///< its version
  std::string description;              ///< "xwalk-engine-lance 0.1.0 (pylance 14.0.2)"
  bool segments = false;                ///< whether rows may come and go in shared memory
  std::vector<std::string> writes;      ///< other engines whose work it can do itself
  int infos = 0;                        ///< how often it has reported findings or progress
  std::optional<int64_t> total_rows;    ///< of an input
  std::string schema;                   ///< of an input whose rows are bytes of another format
  int64_t rows_so_far = 0;              ///< rows that it has moved itself
  uint64_t bytes_so_far = 0;            ///< of those
  std::optional<int64_t> done_rows;     ///< once all is done
  std::optional<uint64_t> done_bytes;   ///< once all is done, if it reports it
  std::optional<int64_t> done_updated;  ///< of the rows, those that replaced others
  std::optional<std::string> error;     ///< its message
  std::string error_code;
  std::string error_hint;
};

/// Parses one line of an engine's status (see the contract in engines/xwalk_engine.py). Invalid
/// lines are skipped.
void take_status_line(std::string_view engine, std::string_view line, EngineReport* report);

/// Throws the failure that an engine reported. Returns if it reported none.
void throw_reported(const EngineReport& report);

/// Names the Python interpreter that engines written in Python run with: the one whose packages
/// they are to see; "" for the one that their first line names. The library reads no variable: an
/// interface passes on the value of XWALK_PYTHON. Call it before the first engine starts.
void set_engine_interpreter(const std::string& path);
/// Does so with the interpreter that the variable XWALK_PYTHON names, if it is set.
void use_interpreter_of_environment();

/// How long a program may neither send nor take anything before it is ended: one that uses no
/// processor time, and one that does.
struct EngineSilence {
  std::chrono::milliseconds idle = std::chrono::minutes(4);
  std::chrono::milliseconds working = std::chrono::minutes(10);
};

/// Sets the limits for all programs of this process.
void set_longest_silence(EngineSilence longest);

/// A running engine program: `xwalk-engine-NAME VERB OPTIONS`, found next to xwalk or in PATH. Rows
/// go through its descriptors 0 and 1 as an Arrow IPC stream, and its status comes on descriptor 3
/// (see the contract in engines/xwalk_engine.py). Its output on descriptor 2 is kept for messages.
/// Methods throw Error: Io if it cannot be started or dies, else the error that it reported. Not
/// thread-safe.
class EngineProgram {
 public:
  /// `package` is what must be installed for it, for messages.
  EngineProgram(std::string_view name, std::string_view package, std::string_view verb,
                const std::string& options_json);
  /// Stops it, if it runs: SIGTERM, and SIGKILL if it does not end within seconds.
  ~EngineProgram();
  EngineProgram(const EngineProgram&) = delete;
  EngineProgram& operator=(const EngineProgram&) = delete;

  /// Writes to its descriptor 0. A program that went away ends in `fail`.
  void write(const void* data, size_t size);
  /// Reads from its descriptor 1: up to `size` bytes, 0 at the end.
  size_t read(void* out, size_t size);
  /// Returns the other end of the socket on its descriptor 4, once, for rows in shared memory. The
  /// caller closes it. -1 if there is no socket.
  int take_socket() { return std::exchange(socket_, -1); }
  /// Closes that socket: nothing comes over it.
  void close_socket();
  /// Waits until that socket is readable; false if it has ended.
  bool await(int socket) { return ready(socket, POLLIN); }
  /// Waits until it has reported findings or progress `count` times. Throws if it ends before that.
  const EngineReport& await_info(int count);
  /// Closes its descriptor 0, reads its status to the end and waits for it. Throws unless it
  /// reported that all is done.
  void finish();
  /// Ends it, if it does not end on its own, and throws the error that it reported, or how it
  /// ended. `otherwise` is the message if it reported nothing and ended well.
  [[noreturn]] void fail(const std::string& otherwise);
  /// Reads the status that has arrived.
  const EngineReport& report();
  /// Returns true if the other engine of that name is in the same folder as this one.
  bool shares_folder_with(std::string_view name) const;
  /// Returns true if the program has reported an error.
  bool has_refused() const { return report_.error.has_value(); }

 private:
  /// Takes the messages that have arrived.
  void take_status();
  /// Reads its messages until it ends, or until it is silent for `patience` tenths of a second.
  void drain_messages(int patience);
  /// Waits until a descriptor is ready and reads the engine's messages meanwhile. Returns false if
  /// the engine has ended and the descriptor is at its end, or after `patience` tenths of a second
  /// of silence. With a negative `patience` it ends a program that is silent for too long, and
  /// throws.
  bool ready(int descriptor, int16_t events, int patience = -1);
  /// Returns true if it has ended and was not waited for.
  bool ended() const;
  /// Ends it and its descendants, by force if it does not react.
  void stop();
  void wait();
  void close_all();
  std::string last_output() const;

  std::string name_;
  std::string path_;
  std::string package_;
  pid_t child_ = -1;
  int wait_status_ = 0;
  int input_ = -1;
  int output_ = -1;
  int status_ = -1;
  int text_file_ = -1;
  int socket_ = -1;
  /// Bytes of status since rows were taken or sent.
  size_t status_bytes_ = 0;
  /// Whether xwalk ended it, for its silence or for too much status.
  bool is_killed_ = false;
  std::string partial_line_;
  EngineReport report_;
};

/// Ends all engines that this process started, for a program that ends at once: those that do not
/// end within two seconds after SIGTERM are killed.
void end_engines();

}  // namespace xwalk::io
