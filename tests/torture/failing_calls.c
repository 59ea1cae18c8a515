/* Lets a call of the system fail, or ends the process at one: preloaded into the program by torture.py.
 *
 * TORTURE_PROGRAM   the program it works in, as it is started; in all programs if it is not set
 * TORTURE_TALLY     a file of `struct tally`, which all these processes share
 * TORTURE_KIND, TORTURE_AT, TORTURE_ON, TORTURE_ERROR   the N-th call of a kind fails, or all from then on
 * TORTURE_SIGNAL, TORTURE_AFTER   the process gets a signal there instead, before or after the call
 * TORTURE_DISK      so many bytes go into files; then there is no space left, or no quota (TORTURE_ERROR)
 * TORTURE_CLOCK     the time of day jumps by up to a year between two looks at it
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* torture.py reads this list. STEP counts all but ALLOCATE. */
enum kind { STEP, OPEN, READ, PREAD, WRITE, PWRITE, FSYNC, RENAME, LINK, CLOSE, MMAP, SPAWN, STAT, FOLDER, PIPE, THREAD,
            ALLOCATE, KINDS };
static const char* const kNames[KINDS] = {"step", "open", "read", "pread", "write", "pwrite", "fsync", "rename", "link",
  "close", "mmap", "spawn", "stat", "folder", "pipe", "thread", "allocate"};

/* torture.py knows this layout. */
struct tally {
  _Atomic uint64_t calls[KINDS];
  _Atomic uint64_t failed;
  _Atomic uint64_t bytes;
  /* Where a signal such as SIGABRT ended the process: the libraries on the stack where the first call failed, the innermost
   * first, and those on the stack where it ended. */
  char failed_in[2048];
  char ended_in[2048];
};

static struct tally nowhere;
static struct tally* tally = &nowhere;
static int active;
static int kind = -1;
static uint64_t at;
static int on;
static int error = EIO;
static int signal_to_send;
static int after;
static uint64_t disk = UINT64_MAX;
static int clock_jumps;
static int in_main; /* static objects are made */
static __thread int inside; /* what is done for the report counts for nothing */
static __thread int due;

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

#define FRAMES 64
/* The stack where the first call failed. */
static void* failed_frames[FRAMES];
static int failed_count;
static int failed_in_main;

static void first_failed(void) {
  if (atomic_fetch_add(&tally->failed, 1) != 0) return;
  inside = 1;
  failed_in_main = in_main;
  failed_count = backtrace(failed_frames, FRAMES);
  inside = 0;
}

/* Names the frames of a stack, which asks the loader. */
static void name_frames(char* out, size_t size, void* const* frames, int count, int started) {
  inside = 1;
  size_t used = (size_t)snprintf(out, size, "%s", started ? "" : "static ");
  const char* last = "";
  for (int i = 1; i < count; ++i) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || info.dli_fname == NULL) continue;
    const char* slash = strrchr(info.dli_fname, '/');
    const char* name = slash == NULL ? info.dli_fname : slash + 1;
    const char* symbol = info.dli_sname == NULL ? "" : info.dli_sname;
    /* bench.py knows the names that a program of ours keeps to itself. */
    const int ours = strstr(name, "xwalk") != NULL && strstr(name, "torture") == NULL;
    if (!ours && strcmp(name, last) == 0 && *symbol == 0) continue;
    last = name;
    const unsigned long offset = (unsigned long)((char*)frames[i] - (char*)info.dli_fbase);
    const int put = ours && !*symbol ? snprintf(out + used, size - used, "%s+%lx ", name, offset)
                                     : snprintf(out + used, size - used, "%s%s%s ", name, *symbol ? ":" : "", symbol);
    if (put < 0 || (size_t)put >= size - used) break;
    used += (size_t)put;
  }
  inside = 0;
}

static int counts(enum kind which) {
  const uint64_t number = atomic_fetch_add(&tally->calls[which], 1) + 1;
  return (int)which == kind && (number == at || (on && number > at));
}

/* Counts a call. Returns 1 if it must fail. */
static int fails(enum kind which) {
  if (!active || inside) return 0;
  int met = counts(which);
  if (which != ALLOCATE) met |= counts(STEP);
  if (!met) return 0;
  if (signal_to_send != 0) {
    if (after) due = 1;
    else kill(getpid(), signal_to_send);
    return 0;
  }
  first_failed();
  errno = error;
  return 1;
}

static void done(void) {
  if (!due) return;
  due = 0;
  kill(getpid(), signal_to_send);
}

/* Stands for a whole function: fails, or makes the call. */
#define CALL(which, type, failure, call) \
  if (fails(which)) return failure;      \
  type const result = (type)(call);      \
  const int kept = errno;                \
  done();                                \
  errno = kept;                          \
  return result

/* The functions that this library overrides. Found at the start: a thread that asks the loader while another has failed
 * in it waits for ever. */
static __typeof__(opendir)* next_opendir;
static __typeof__(fork)* next_fork;
static __typeof__(posix_spawn)* next_posix_spawn;
static __typeof__(pthread_create)* next_pthread_create;

static void find_next(void) {
  if (next_pthread_create != NULL) return;
  inside = 1;
  next_opendir = (__typeof__(opendir)*)dlsym(RTLD_NEXT, "opendir");
  next_fork = (__typeof__(fork)*)dlsym(RTLD_NEXT, "fork");
  next_posix_spawn = (__typeof__(posix_spawn)*)dlsym(RTLD_NEXT, "posix_spawn");
  next_pthread_create = (__typeof__(pthread_create)*)dlsym(RTLD_NEXT, "pthread_create");
  inside = 0;
}

static void on_end(int number) {
  void* frames[FRAMES];
  const int count = backtrace(frames, FRAMES);
  alarm(5); /* Where another thread has failed in the loader, no frame gets a name. */
  if (failed_count > 0) {
    name_frames(tally->failed_in, sizeof tally->failed_in, failed_frames, failed_count, failed_in_main);
  }
  name_frames(tally->ended_in, sizeof tally->ended_in, frames, count, in_main);
  signal(number, SIG_DFL);
  raise(number);
}

static uint64_t number_of(const char* name, uint64_t otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : strtoull(text, NULL, 10);
}

__attribute__((constructor)) static void begin(void) {
  const char* program = getenv("TORTURE_PROGRAM");
  const char* file = getenv("TORTURE_TALLY");
  char words[4096] = {0};
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  const ssize_t got = syscall(SYS_read, descriptor, words, sizeof words - 1);
  syscall(SYS_close, descriptor);
  if (file == NULL || got <= 0 || (program != NULL && strcmp(words, program) != 0)) return;
  descriptor = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR | O_CLOEXEC);
  void* shared = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  syscall(SYS_close, descriptor);
  if (shared == MAP_FAILED) return;
  void* frame;
  (void)backtrace(&frame, 1); /* loads what it needs */
  find_next();
  const char* name = getenv("TORTURE_KIND");
  for (int i = 0; name != NULL && i < KINDS; ++i) {
    if (strcmp(name, kNames[i]) == 0) kind = i;
  }
  at = number_of("TORTURE_AT", 0);
  on = (int)number_of("TORTURE_ON", 0);
  error = (int)number_of("TORTURE_ERROR", EIO);
  signal_to_send = (int)number_of("TORTURE_SIGNAL", 0);
  after = (int)number_of("TORTURE_AFTER", 0);
  disk = number_of("TORTURE_DISK", UINT64_MAX);
  clock_jumps = (int)number_of("TORTURE_CLOCK", 0);
  /* A stack of its own: one that is used up shows its frames, too. */
  static char stack[65536];
  const stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&own, NULL);
  struct sigaction action = {.sa_handler = on_end, .sa_flags = SA_ONSTACK};
  sigaction(SIGABRT, &action, NULL);
  sigaction(SIGSEGV, &action, NULL);
  tally = shared;
  active = 1;
}

static int (*program_main)(int, char**, char**);

static int main_seen(int count, char** words, char** variables) {
  in_main = 1;
  return program_main(count, words, variables);
}

int __libc_start_main(int (*program)(int, char**, char**), int count, char** words, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void* stack) {
  int (*next)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  inside = 1;
  *(void**)&next = dlsym(RTLD_NEXT, "__libc_start_main");
  inside = 0;
  program_main = program;
  return next(main_seen, count, words, init, fini, loader_fini, stack);
}

/* --- files ---------------------------------------------------------------------------------------------- */

static mode_t mode_of(int flags, va_list more) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

#define OPEN_CALL(folder)                           \
  va_list more;                                     \
  va_start(more, flags);                            \
  const mode_t mode = mode_of(flags, more);         \
  va_end(more);                                     \
  CALL(OPEN, int, -1, syscall(SYS_openat, folder, path, flags, mode))

int open(const char* path, int flags, ...) { OPEN_CALL(AT_FDCWD); }
int open64(const char* path, int flags, ...) { OPEN_CALL(AT_FDCWD); }
int openat(int folder, const char* path, int flags, ...) { OPEN_CALL(folder); }
int openat64(int folder, const char* path, int flags, ...) { OPEN_CALL(folder); }

ssize_t read(int file, void* out, size_t size) { CALL(READ, ssize_t, -1, syscall(SYS_read, file, out, size)); }
ssize_t readv(int file, const struct iovec* parts, int count) {
  CALL(READ, ssize_t, -1, syscall(SYS_readv, file, parts, count));
}
ssize_t pread(int file, void* out, size_t size, off_t offset) {
  CALL(PREAD, ssize_t, -1, syscall(SYS_pread64, file, out, size, offset));
}
ssize_t pread64(int file, void* out, size_t size, off64_t offset) {
  CALL(PREAD, ssize_t, -1, syscall(SYS_pread64, file, out, size, offset));
}

/* Returns how much of a write to a file the disk still takes, 0 with errno where it takes nothing. */
static size_t room(int file, size_t size) {
  if (disk == UINT64_MAX || !active || size == 0) return size;
  struct stat status;
  if (syscall(SYS_newfstatat, file, "", &status, AT_EMPTY_PATH) != 0 || !S_ISREG(status.st_mode)) return size;
  const uint64_t before = atomic_fetch_add(&tally->bytes, size);
  if (before + size <= disk) return size;
  first_failed();
  errno = error;
  return before >= disk ? 0 : (size_t)(disk - before);
}

#define PUT(which, call)                             \
  const size_t taken = room(file, size);             \
  if (taken == 0 && size != 0) return -1;            \
  CALL(which, ssize_t, -1, call)

ssize_t write(int file, const void* data, size_t size) { PUT(WRITE, syscall(SYS_write, file, data, taken)); }
ssize_t writev(int file, const struct iovec* parts, int count) {
  size_t size = 0;
  for (int i = 0; i < count; ++i) size += parts[i].iov_len;
  if (room(file, size) < size) return -1;
  CALL(WRITE, ssize_t, -1, syscall(SYS_writev, file, parts, count));
}
ssize_t pwrite(int file, const void* data, size_t size, off_t offset) {
  PUT(PWRITE, syscall(SYS_pwrite64, file, data, taken, offset));
}
ssize_t pwrite64(int file, const void* data, size_t size, off64_t offset) {
  PUT(PWRITE, syscall(SYS_pwrite64, file, data, taken, offset));
}
ssize_t copy_file_range(int file_in, off64_t* offset_in, int file, off64_t* offset, size_t size, unsigned flags) {
  PUT(WRITE, syscall(SYS_copy_file_range, file_in, offset_in, file, offset, taken, flags));
}
int ftruncate(int file, off_t size) { CALL(WRITE, int, -1, syscall(SYS_ftruncate, file, size)); }
int ftruncate64(int file, off64_t size) { CALL(WRITE, int, -1, syscall(SYS_ftruncate, file, size)); }

int fsync(int file) { CALL(FSYNC, int, -1, syscall(SYS_fsync, file)); }
int fdatasync(int file) { CALL(FSYNC, int, -1, syscall(SYS_fdatasync, file)); }

int rename(const char* from, const char* to) {
  CALL(RENAME, int, -1, syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int renameat(int folder, const char* from, int other, const char* to) {
  CALL(RENAME, int, -1, syscall(SYS_renameat2, folder, from, other, to, 0));
}
int renameat2(int folder, const char* from, int other, const char* to, unsigned flags) {
  CALL(RENAME, int, -1, syscall(SYS_renameat2, folder, from, other, to, flags));
}
int link(const char* from, const char* to) {
  CALL(LINK, int, -1, syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0));
}
int linkat(int folder, const char* from, int other, const char* to, int flags) {
  CALL(LINK, int, -1, syscall(SYS_linkat, folder, from, other, to, flags));
}

int close(int file) {
  /* A close that fails has closed. */
  if (!fails(CLOSE)) return (int)syscall(SYS_close, file);
  syscall(SYS_close, file);
  errno = error;
  return -1;
}

void* mmap(void* wanted, size_t size, int protection, int flags, int file, off_t offset) {
  CALL(MMAP, void*, MAP_FAILED, syscall(SYS_mmap, wanted, size, protection, flags, file, offset));
}
void* mmap64(void* wanted, size_t size, int protection, int flags, int file, off64_t offset) {
  CALL(MMAP, void*, MAP_FAILED, syscall(SYS_mmap, wanted, size, protection, flags, file, offset));
}

#define STAT_CALL(folder, path, flags) CALL(STAT, int, -1, syscall(SYS_newfstatat, folder, path, status, flags))

int stat(const char* path, struct stat* status) { STAT_CALL(AT_FDCWD, path, 0); }
int lstat(const char* path, struct stat* status) { STAT_CALL(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW); }
int fstat(int file, struct stat* status) { STAT_CALL(file, "", AT_EMPTY_PATH); }
int fstatat(int folder, const char* path, struct stat* status, int flags) { STAT_CALL(folder, path, flags); }
int stat64(const char* path, struct stat64* status) { STAT_CALL(AT_FDCWD, path, 0); }
int lstat64(const char* path, struct stat64* status) { STAT_CALL(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW); }
int fstat64(int file, struct stat64* status) { STAT_CALL(file, "", AT_EMPTY_PATH); }
int fstatat64(int folder, const char* path, struct stat64* status, int flags) { STAT_CALL(folder, path, flags); }

int mkdir(const char* path, mode_t mode) { CALL(FOLDER, int, -1, syscall(SYS_mkdirat, AT_FDCWD, path, mode)); }
DIR* opendir(const char* path) {
  find_next();
  CALL(FOLDER, DIR*, NULL, next_opendir(path));
}

/* --- processes and threads -------------------------------------------------------------------------------- */

int pipe2(int ends[2], int flags) { CALL(PIPE, int, -1, syscall(SYS_pipe2, ends, flags)); }
int memfd_create(const char* name, unsigned flags) { CALL(PIPE, int, -1, syscall(SYS_memfd_create, name, flags)); }

pid_t fork(void) {
  find_next();
  CALL(SPAWN, pid_t, -1, next_fork());
}
int execve(const char* path, char* const words[], char* const environment[]) {
  CALL(SPAWN, int, -1, syscall(SYS_execve, path, words, environment));
}
int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const words[], char* const environment[]) {
  find_next();
  CALL(SPAWN, int, error, next_posix_spawn(child, path, actions, attributes, words, environment));
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
  find_next();
  CALL(THREAD, int, EAGAIN, next_pthread_create(thread, attributes, run, argument));
}

/* --- memory ----------------------------------------------------------------------------------------------- */

void* malloc(size_t size) { return fails(ALLOCATE) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) { return fails(ALLOCATE) ? NULL : __libc_calloc(count, size); }
void* realloc(void* block, size_t size) { return fails(ALLOCATE) ? NULL : __libc_realloc(block, size); }
void* memalign(size_t alignment, size_t size) { return fails(ALLOCATE) ? NULL : __libc_memalign(alignment, size); }
void* aligned_alloc(size_t alignment, size_t size) {
  return fails(ALLOCATE) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (fails(ALLOCATE)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == NULL ? ENOMEM : 0;
}

/* --- time ------------------------------------------------------------------------------------------------- */

static time_t jump(void) {
  static _Atomic uint64_t state = 88172645463325252u;
  uint64_t x = state;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  state = x;
  return (time_t)(x % 63072000) - 31536000;
}

int clock_gettime(clockid_t which, struct timespec* now) {
  const int result = (int)syscall(SYS_clock_gettime, which, now);
  if (active && clock_jumps && which == CLOCK_REALTIME) now->tv_sec += jump();
  return result;
}
int gettimeofday(struct timeval* restrict now, void* restrict zone) {
  (void)zone;
  struct timespec time;
  const int result = clock_gettime(CLOCK_REALTIME, &time);
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return result;
}
time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out != NULL) *out = now.tv_sec;
  return now.tv_sec;
}
