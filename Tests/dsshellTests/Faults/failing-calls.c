// Fails one call of a function of the C library, or all from one on. Loaded before the library by
// LD_PRELOAD, with these variables:
//
// - FAIL_CALL: the name of the function.
// - FAIL_AT: the number of the call that fails, from 1.
// - FAIL_COUNT: how many calls fail; 0 for all from then on.
// - FAIL_ERROR: the value of errno.
// - FAIL_MARK: a file that is created when a call fails.
// - SYNC_MARK: a file that is created when a file gets its name before its content is on the disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static atomic_long calls;
static const char *failing;
static long first, count;
static int error;

__attribute__((constructor)) static void begin(void) {
  failing = getenv("FAIL_CALL");
  first = getenv("FAIL_AT") ? atol(getenv("FAIL_AT")) : 0;
  count = getenv("FAIL_COUNT") ? atol(getenv("FAIL_COUNT")) : 1;
  error = getenv("FAIL_ERROR") ? atoi(getenv("FAIL_ERROR")) : EIO;
}

// Returns whether the file is new.
static int create(const char *path) {
  if (path == NULL) return 1;
  long file = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return 0;
  syscall(SYS_close, file);
  return 1;
}

static int fails(const char *name) {
  if (failing == NULL || strcmp(failing, name) != 0) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (number < first || (count > 0 && number >= first + count)) return 0;
  // A single call fails in one of several processes.
  if (!create(getenv("FAIL_MARK")) && count == 1) return 0;
  errno = error;
  return 1;
}

// Whether bytes were written to a regular file that are not on the disk.
#define FILES 1024
static atomic_int is_dirty[FILES];

// Libdispatch reads the states of its threads now and then, and ends the process if it cannot.
static atomic_int has_threads[FILES];

static int is_of_threads(const char *path) {
  return strncmp(path, "/proc/", 6) == 0 && path[6] >= '0' && path[6] <= '9';
}

static int is_spared(int file) { return file >= 0 && file < FILES && atomic_load(&has_threads[file]); }

static void note_write(int file) {
  struct stat status;
  // Standard streams may be files, too.
  if (file < 3 || file >= FILES || syscall(SYS_fstat, file, &status) != 0) return;
  if (S_ISREG(status.st_mode)) atomic_store(&is_dirty[file], 1);
}

static void check_synced(void) {
  for (int file = 0; file < FILES; file++) {
    if (atomic_load(&is_dirty[file])) create(getenv("SYNC_MARK"));
  }
}

#define NEXT(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

#define FAIL(result, name, parameters, arguments) \
  result name parameters { \
    static typeof(&name) next; \
    if (next == NULL) next = NEXT(name); \
    return fails(#name) ? (result)-1 : next arguments; \
  }

FAIL(ssize_t, pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at))
FAIL(int, fchmod, (int file, mode_t mode), (file, mode))
FAIL(int, ftruncate, (int file, off_t size), (file, size))
FAIL(int, unlink, (const char *path), (path))
FAIL(int, mkdir, (const char *path, mode_t mode), (path, mode))
FAIL(int, flock, (int file, int operation), (file, operation))
FAIL(int, stat, (const char *path, struct stat *status), (path, status))
FAIL(int, fstat, (int file, struct stat *status), (file, status))
FAIL(int, access, (const char *path, int mode), (path, mode))
FAIL(int, pipe, (int ends[2]), (ends))
FAIL(int, socket, (int domain, int type, int protocol), (domain, type, protocol))
FAIL(int, connect, (int file, const struct sockaddr *address, socklen_t size), (file, address, size))
FAIL(ssize_t, send, (int file, const void *bytes, size_t size, int flags), (file, bytes, size, flags))
FAIL(ssize_t, recv, (int file, void *bytes, size_t size, int flags), (file, bytes, size, flags))
FAIL(int, poll, (struct pollfd *files, nfds_t count, int timeout), (files, count, timeout))
FAIL(int, tcgetattr, (int file, struct termios *settings), (file, settings))
FAIL(int, tcsetattr, (int file, int when, const struct termios *settings), (file, when, settings))
// The program has set its reserve of memory aside: Swift ends a process whose allocation fails before.
static atomic_int has_reserve;

void *mmap(void *at, size_t size, int access, int flags, int file, off_t from) {
  if (fails("mmap")) return MAP_FAILED;
  if (access == PROT_NONE) atomic_store(&has_reserve, 1);
  return NEXT(mmap)(at, size, access, flags, file, from);
}

ssize_t read(int file, void *bytes, size_t size) {
  return !is_spared(file) && fails("read") ? -1 : syscall(SYS_read, file, bytes, size);
}

ssize_t write(int file, const void *bytes, size_t size) {
  if (fails("write")) return -1;
  note_write(file);
  return syscall(SYS_write, file, bytes, size);
}

int fsync(int file) {
  if (fails("fsync")) return -1;
  if (file >= 0 && file < FILES) atomic_store(&is_dirty[file], 0);
  return (int)syscall(SYS_fsync, file);
}

int rename(const char *from, const char *to) {
  check_synced();
  return fails("rename") ? -1 : (int)syscall(SYS_rename, from, to);
}

int link(const char *from, const char *to) {
  check_synced();
  return fails("link") ? -1 : (int)syscall(SYS_link, from, to);
}

int linkat(int in, const char *from, int out, const char *to, int flags) {
  check_synced();
  return fails("linkat") ? -1 : (int)syscall(SYS_linkat, in, from, out, to, flags);
}

// It is closed all the same, as on Linux.
int close(int file) {
  int spared = is_spared(file);
  if (file >= 0 && file < FILES) {
    atomic_store(&is_dirty[file], 0);
    atomic_store(&has_threads[file], 0);
  }
  int result = (int)syscall(SYS_close, file);
  return !spared && fails("close") ? -1 : result;
}

char *realpath(const char *path, char *result) {
  return fails("realpath") ? NULL : NEXT(realpath)(path, result);
}

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
  return fails("pthread_create") ? EAGAIN
                                 : NEXT(pthread_create)(thread, attributes, body, argument);
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0;
  va_end(list);
  if (!is_of_threads(path)) {
    return fails("open") ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  }
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
  if (file >= 0 && file < FILES) atomic_store(&has_threads[file], 1);
  return file;
}

// In the C library; the allocation functions of the program call it.
void *__libc_malloc(size_t size) {
  static void *(*next)(size_t);
  if (next == NULL) next = (void *(*)(size_t))dlsym(RTLD_NEXT, "__libc_malloc");
  return atomic_load(&has_reserve) && fails("malloc") ? NULL : next(size);
}
