"""The page for people who port xwalk lists each file that calls Linux or POSIX. `--update` writes its tables."""
import re

from tests import harness

PAGE = harness.ROOT / "docs/internals/porting.md"
SOURCES = harness.ROOT / "src/xwalk"
#: What macOS lacks as well: the calls, what xwalk needs them for, and what other systems have for it.
LINUX = {
    "`memfd_create`, seals": (r"memfd_create|F_ADD_SEALS|F_GET_SEALS", "memory that is passed to and from engines, and cannot shrink",
                              "`shm_open` without seals: received memory must be copied", "`CreateFileMapping`, whose sections do not shrink"),
    "`/proc/self/fd`": (r"/proc/self/fd", "an open folder by a path", "`/dev/fd` does not name folders: pass the path", "`GetFinalPathNameByHandle`"),
    "`/proc/self/maps`, `/proc/PID`": (r"/proc/(self/maps|\"|\{)", "where a library lies; whether a process has ended",
                                       "`_dyld_get_image_name`, `kqueue`", "`GetModuleFileName`, a process handle"),
    "`renameat2`": (r"renameat2", "a name that must be new", "`renameatx_np` with `RENAME_EXCL`", "`MoveFileEx` without replacing"),
    "`O_TMPFILE`": (r"O_TMPFILE", "a file without a name", "`mkstemp`, then `unlink`", "`FILE_FLAG_DELETE_ON_CLOSE`"),
    "`O_PATH`": (r"O_PATH", "a folder that stays the same one", "`O_SYMLINK`, `openat`", "a handle of the folder"),
    "`pipe2`": (r"pipe2", "a pipe that children don't get", "`pipe` and `fcntl`, with a lock around `posix_spawn`", "handles are not inherited"),
    "`sigtimedwait`": (r"sigtimedwait", "waiting for a signal with a limit", "`kqueue`", "`WaitForSingleObject`"),
    "`copy_file_range`": (r"copy_file_range", "copying without memory", "`fcopyfile`", "`CopyFileEx`"),
    "`getrandom`": (r"getrandom\(", "names that cannot be guessed", "`getentropy`", "`BCryptGenRandom`"),
    "`MSG_CMSG_CLOEXEC`, `MSG_NOSIGNAL`": (r"MSG_CMSG_CLOEXEC|MSG_NOSIGNAL", "messages with descriptors", "`fcntl`, `SO_NOSIGPIPE`",
                                            "`DuplicateHandle`"),
}
#: What macOS has and Windows does not.
POSIX = {
    "descriptors: `fcntl.h`, `unistd.h`": (r"<fcntl\.h>|<unistd\.h>", "handles; text mode must be off for standard streams"),
    "`sys/stat.h`": (r"<sys/stat\.h>", "`GetFileInformationByHandle`; the identity of a file has 128 bits"),
    "`mmap`": (r"<sys/mman\.h>", "`MapViewOfFile`; a file that shrinks raises an exception and not SIGBUS"),
    "`poll`": (r"<poll\.h>", "`WSAPoll` for sockets, overlapped reads for pipes"),
    "locks: `flock`": (r"<sys/file\.h>", "`LockFileEx`, which other programs cannot ignore"),
    "processes: `posix_spawn`, `waitpid`": (r"<spawn\.h>|<sys/wait\.h>", "`CreateProcess` in a job object"),
    "sockets between processes": (r"<sys/socket\.h>|<sys/uio\.h>", "named pipes"),
    "signals": (r"<csignal>|<signal\.h>", "`SetConsoleCtrlHandler`"),
    "libraries: `dlopen`": (r"<dlfcn\.h>", "`LoadLibrary`; on macOS the names end with `.dylib`"),
    "terminals": (r"<sys/ioctl\.h>|isatty", "`GetConsoleScreenBufferInfo`"),
}


def files_with(pattern):
    """Returns the sources with a pattern, outside comments for documentation."""
    found = []
    for path in sorted(SOURCES.rglob("*")):
        if path.suffix in {".cc", ".h", ".in", ".py"}:
            text = re.sub(r"(?m)^\s*//.*$", "", path.read_text())
            if re.search(pattern, text):
                found.append(f"`{path.relative_to(SOURCES)}`")
    return found


def tables():
    linux = ["| call | needed for | files | macOS | Windows |", "|---|---|---|---|---|"]
    for name, (pattern, purpose, macos, windows) in LINUX.items():
        files = files_with(pattern)
        assert files, f"no source has {name} any longer: remove the row"
        linux.append(f"| {name} | {purpose} | {', '.join(files)} | {macos} | {windows} |")
    posix = ["| part | files | Windows |", "|---|---|---|"]
    for name, (pattern, windows) in POSIX.items():
        files = files_with(pattern)
        assert files, f"no source has {name} any longer: remove the row"
        posix.append(f"| {name} | {', '.join(files)} | {windows} |")
    return "\n".join(linux), "\n".join(posix)


def test_page():
    text = PAGE.read_text()
    new = text
    for heading, table in zip(("## Linux only", "## POSIX"), tables()):
        new = re.sub(rf"(?s)(\n{heading}\n.*?\n)\|.*?\n\n", lambda found: found[1] + table + "\n\n", new, count=1)
    if harness.UPDATE:
        PAGE.write_text(new)
        text = new
    assert text == new, f"the tables of {PAGE} are not those of the sources: run {__file__} --update"


def test_headers_of_linux_are_in_the_page():
    """A header of the system that no row looks for is a gap of the page."""
    known = {"sys/stat.h", "sys/types.h", "sys/mman.h", "sys/file.h", "sys/wait.h", "sys/socket.h", "sys/uio.h", "sys/ioctl.h", "sys/random.h",
             "sys/statvfs.h", "sys/time.h", "sys/resource.h"}
    found = set()
    for path in SOURCES.rglob("*"):
        if path.suffix in {".cc", ".h"}:
            found |= set(re.findall(r"#include <((?:sys|linux|asm|netinet|arpa)/\w+\.h)>", path.read_text()))
    assert found <= known, f"add a row for {found - known}"
