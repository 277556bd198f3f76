/*
 * Stands between payrun and the system (LD_PRELOAD), so that the proof can end the process, cut the power or fail the
 * disk at one chosen operation, with no hook in payrun. Told what to do by environment variables:
 *
 *   SHIM_MODE    count | kill | stop | power | fail
 *   SHIM_FOLDER  the disk: files below it count, and TCP sockets; nothing else does
 *   SHIM_REPORT  a file: operations counted, whether it struck, and where; then a letter for each operation, by its kind.
 *                Mapped, so it outlives SIGKILL
 *   SHIM_AT      the operation to strike at, from 1; 0 never strikes
 *   SHIM_WHEN    before | after the operation (kill, stop, power)
 *   SHIM_ERROR   EIO | ENOSPC, and SHIM_LASTING=1 from then on for good (fail)
 *   SHIM_DURABLE a folder on the file system of SHIM_FOLDER: what is left of it when the power goes (power)
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum mode { OFF, COUNT, KILL, STOP, POWER, FAIL };
enum kind { OTHER, SOCKET, FILE_WRITE, SYNC, NAMES };

struct report {
  int64_t counted;
  int64_t struck;
  char where[240];
  char kinds[65536 - 256];
};

static const char letters[] = "?twsn";

static enum mode mode = OFF;
static const char *folder = "";
static const char *durable = "";
static int64_t at = 0;
static int strikes_after = 0;
static int error_number = EIO;
static int lasting = 0;
static struct report unmapped_report;
static struct report *report = &unmapped_report;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(result, name, parameters) \
  static result(*real_##name) parameters; \
  static void find_##name(void) { if (!real_##name) real_##name = (result(*) parameters)dlsym(RTLD_NEXT, #name); }

REAL(int, connect, (int, const struct sockaddr *, socklen_t))
REAL(ssize_t, send, (int, const void *, size_t, int))
REAL(ssize_t, sendto, (int, const void *, size_t, int, const struct sockaddr *, socklen_t))
REAL(ssize_t, sendmsg, (int, const struct msghdr *, int))
REAL(ssize_t, write, (int, const void *, size_t))
REAL(ssize_t, writev, (int, const struct iovec *, int))
REAL(ssize_t, pwrite64, (int, const void *, size_t, off64_t))
REAL(ssize_t, pwritev64, (int, const struct iovec *, int, off64_t))
REAL(ssize_t, read, (int, void *, size_t))
REAL(ssize_t, readv, (int, const struct iovec *, int))
REAL(ssize_t, recv, (int, void *, size_t, int))
REAL(ssize_t, recvfrom, (int, void *, size_t, int, struct sockaddr *, socklen_t *))
REAL(ssize_t, recvmsg, (int, struct msghdr *, int))
REAL(int, fsync, (int))
REAL(int, fdatasync, (int))
REAL(int, ftruncate64, (int, off64_t))
REAL(int, rename, (const char *, const char *))
REAL(int, unlink, (const char *))

static int is_below(const char *path) {
  size_t length = strlen(folder);
  return length > 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static int path_of(int fd, char path[PATH_MAX]) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length < 0 ? 0 : length] = '\0';
  return length >= 0;
}

static int is_tcp(int fd) {
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  if (getsockname(fd, (struct sockaddr *)&name, &length) != 0) return 0;
  return name.ss_family == AF_INET || name.ss_family == AF_INET6;
}

/* The standard streams are sockets too, and pipes, event counters and the program's own files are written all the time. */
static enum kind kind_of(int fd, enum kind on_disk) {
  if (mode == OFF) return OTHER;
  int saved = errno;
  struct stat stats;
  char path[PATH_MAX];
  enum kind kind = OTHER;
  if (fstat(fd, &stats) == 0) {
    if (S_ISSOCK(stats.st_mode)) kind = on_disk == FILE_WRITE && is_tcp(fd) ? SOCKET : OTHER;
    else if (S_ISREG(stats.st_mode) || S_ISDIR(stats.st_mode))
      kind = path_of(fd, path) && is_below(path) ? on_disk : OTHER;
  }
  errno = saved;
  return kind;
}

static int counts(enum kind kind) {
  if (kind == OTHER) return 0;
  if (mode == POWER) return kind == SYNC;
  if (mode == FAIL) return kind == FILE_WRITE || kind == SYNC;
  return 1;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* Killed; or frozen, until somebody wakes it. */
static void halt(void) {
  if (mode == KILL) die();
  if (mode == STOP) kill(getpid(), SIGSTOP);
}

/* Under the lock. */
static void strike(const char *name, const char *path) {
  if (!report->struck) snprintf(report->where, sizeof report->where, "%s %s", name, path);
  report->struck += 1;
}

/* The number of the operation; 0 for one that does not count. */
static int64_t begin(enum kind kind, const char *name, int fd, const char *named) {
  if (!counts(kind)) return 0;
  int saved = errno;
  char path[PATH_MAX] = "";
  pthread_mutex_lock(&lock);
  int64_t number = ++report->counted;
  if (number <= (int64_t)sizeof report->kinds) report->kinds[number - 1] = letters[kind];
  if (at > 0 && (number == at || (mode == FAIL && lasting && number > at))) {
    if (kind != SOCKET && !named) path_of(fd, path);
    strike(name, named ? named : path);
    if (!strikes_after) halt();
  }
  pthread_mutex_unlock(&lock);
  errno = saved;
  return number;
}

static int fails(int64_t number) {
  if (mode != FAIL || number == 0 || at == 0) return 0;
  if (number != at && !(lasting && number > at)) return 0;
  errno = error_number;
  return 1;
}

static void end(int64_t number) {
  if (strikes_after && number > 0 && number == at) halt();
}

/* What was received is lost with the process, so before and after are one. An empty try is no operation. */
static void received(int fd, const char *name, ssize_t length) {
  if (length < 0 || mode == POWER || mode == FAIL) return;
  end(begin(kind_of(fd, FILE_WRITE) == SOCKET ? SOCKET : OTHER, name, fd, NULL));
}

/*
 * The durable state: `inodes/NUMBER` has the bytes of a file as they were at its last fsync, and `tree` the names as they
 * were at the last fsync of each folder, as links to those. A name that is durable of a file that never was is an empty file.
 */
static void content_path(char path[PATH_MAX], ino_t inode) {
  snprintf(path, PATH_MAX, "%s/inodes/%llu", durable, (unsigned long long)inode);
}

static void copy_content(int from, const struct stat *stats) {
  char path[PATH_MAX], buffer[65536];
  content_path(path, stats->st_ino);
  int to = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (to < 0) return;
  off64_t offset = 0;
  for (ssize_t length; (length = pread64(from, buffer, sizeof buffer, offset)) > 0; offset += length) {
    if (real_write(to, buffer, (size_t)length) != length) abort();
  }
  fchmod(to, stats->st_mode & 07777);
  close(to);
}

static void keep_file(int fd, const struct stat *stats) {
  int flags = fcntl(fd, F_GETFL);
  if ((flags & O_ACCMODE) != O_WRONLY) {
    copy_content(fd, stats);
    return;
  }
  /* Opened anew only where the descriptor cannot read: closing any other would drop the locks that SQLite has on the file. */
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int from = open(link, O_RDONLY | O_CLOEXEC);
  if (from < 0) return;
  copy_content(from, stats);
  close(from);
}

static void make_folders(char *path) {
  for (char *slash = path + strlen(durable) + 1; (slash = strchr(slash, '/')); slash += 1) {
    *slash = '\0';
    mkdir(path, 0700);
    *slash = '/';
  }
  mkdir(path, 0700);
}

static void drop_lost_names(const char *kept, const char *path) {
  DIR *names = opendir(kept);
  if (!names) return;
  for (struct dirent *entry; (entry = readdir(names));) {
    char here[PATH_MAX], there[PATH_MAX];
    struct stat stats;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    snprintf(here, sizeof here, "%s/%s", path, entry->d_name);
    snprintf(there, sizeof there, "%s/%s", kept, entry->d_name);
    if (lstat(here, &stats) != 0 && real_unlink(there) != 0) rmdir(there);
  }
  closedir(names);
}

static void keep_names(const char *path, int whole) {
  char kept[PATH_MAX];
  snprintf(kept, sizeof kept, "%s/tree%s", durable, path + strlen(folder));
  make_folders(kept);
  drop_lost_names(kept, path);
  DIR *names = opendir(path);
  if (!names) return;
  for (struct dirent *entry; (entry = readdir(names));) {
    char here[PATH_MAX], there[PATH_MAX], content[PATH_MAX];
    struct stat stats;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    snprintf(here, sizeof here, "%s/%s", path, entry->d_name);
    snprintf(there, sizeof there, "%s/%s", kept, entry->d_name);
    if (lstat(here, &stats) != 0) continue;
    if (S_ISDIR(stats.st_mode)) {
      mkdir(there, 0700);
      if (whole) keep_names(here, 1);
      continue;
    }
    if (!S_ISREG(stats.st_mode)) continue;
    content_path(content, stats.st_ino);
    if (whole) {
      int from = open(here, O_RDONLY | O_CLOEXEC);
      if (from >= 0) {
        copy_content(from, &stats);
        close(from);
      }
    }
    int empty = open(content, O_WRONLY | O_CREAT, stats.st_mode & 07777);
    if (empty >= 0) close(empty);
    real_unlink(there);
    if (link(content, there) != 0) abort();
  }
  closedir(names);
}

/* The number of a file that is gone may be given to another, which then must not have its bytes. */
static void forget_content(const struct stat *gone) {
  static int forgotten = 0;
  char path[PATH_MAX], aside[PATH_MAX + 32];
  if (!S_ISREG(gone->st_mode) || gone->st_nlink > 1) return;
  content_path(path, gone->st_ino);
  snprintf(aside, sizeof aside, "%s.gone%d", path, ++forgotten);
  real_rename(path, aside);
}

static int sync_with(int (*real)(int), const char *name, int fd) {
  enum kind kind = kind_of(fd, SYNC);
  if (mode != POWER || kind == OTHER) {
    int64_t number = begin(kind, name, fd, NULL);
    int result = fails(number) ? -1 : real(fd);
    end(number);
    return result;
  }
  struct stat stats;
  char path[PATH_MAX];
  path_of(fd, path);
  pthread_mutex_lock(&lock);
  int struck = ++report->counted == at;
  if (struck) strike(name, path);
  if (struck && !strikes_after) die();
  int result = real(fd);
  int saved = errno;
  if (result == 0 && fstat(fd, &stats) == 0) {
    if (S_ISDIR(stats.st_mode)) keep_names(path, 0);
    else keep_file(fd, &stats);
  }
  if (struck) die();
  pthread_mutex_unlock(&lock);
  errno = saved;
  return result;
}

int connect(int fd, const struct sockaddr *address, socklen_t length) {
  find_connect();
  int counted = address && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
  int64_t number = begin(counted && mode != OFF ? SOCKET : OTHER, "connect", fd, NULL);
  int result = real_connect(fd, address, length);
  end(number);
  return result;
}

#define WRITES(name, parameters, arguments) \
  ssize_t name parameters { \
    find_##name(); \
    int64_t number = begin(kind_of(fd, FILE_WRITE), #name, fd, NULL); \
    if (fails(number)) return -1; \
    ssize_t result = real_##name arguments; \
    end(number); \
    return result; \
  }

WRITES(send, (int fd, const void *bytes, size_t length, int flags), (fd, bytes, length, flags))
WRITES(sendto, (int fd, const void *bytes, size_t length, int flags, const struct sockaddr *to, socklen_t size),
       (fd, bytes, length, flags, to, size))
WRITES(sendmsg, (int fd, const struct msghdr *message, int flags), (fd, message, flags))
WRITES(write, (int fd, const void *bytes, size_t length), (fd, bytes, length))
WRITES(writev, (int fd, const struct iovec *pieces, int count), (fd, pieces, count))
WRITES(pwrite64, (int fd, const void *bytes, size_t length, off64_t offset), (fd, bytes, length, offset))
WRITES(pwritev64, (int fd, const struct iovec *pieces, int count, off64_t offset), (fd, pieces, count, offset))

ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return pwrite64(fd, bytes, length, offset); }
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t offset) {
  return pwritev64(fd, pieces, count, offset);
}

#define RECEIVES(name, parameters, arguments) \
  ssize_t name parameters { \
    find_##name(); \
    ssize_t result = real_##name arguments; \
    received(fd, #name, result); \
    return result; \
  }

RECEIVES(read, (int fd, void *bytes, size_t length), (fd, bytes, length))
RECEIVES(readv, (int fd, const struct iovec *pieces, int count), (fd, pieces, count))
RECEIVES(recv, (int fd, void *bytes, size_t length, int flags), (fd, bytes, length, flags))
RECEIVES(recvfrom, (int fd, void *bytes, size_t length, int flags, struct sockaddr *from, socklen_t *size),
         (fd, bytes, length, flags, from, size))
RECEIVES(recvmsg, (int fd, struct msghdr *message, int flags), (fd, message, flags))

int fsync(int fd) {
  find_fsync();
  return sync_with(real_fsync, "fsync", fd);
}

int fdatasync(int fd) {
  find_fdatasync();
  return sync_with(real_fdatasync, "fdatasync", fd);
}

int ftruncate64(int fd, off64_t length) {
  find_ftruncate64();
  int64_t number = begin(kind_of(fd, FILE_WRITE), "ftruncate", fd, NULL);
  if (fails(number)) return -1;
  int result = real_ftruncate64(fd, length);
  end(number);
  return result;
}
int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

int rename(const char *from, const char *to) {
  find_rename();
  find_unlink();
  struct stat gone;
  int counted = mode != OFF && is_below(to);
  int64_t number = begin(counted ? NAMES : OTHER, "rename", -1, to);
  if (counted && mode == POWER) pthread_mutex_lock(&lock);
  int replaces = counted && mode == POWER && lstat(to, &gone) == 0;
  int result = real_rename(from, to);
  int saved = errno;
  if (replaces && result == 0) forget_content(&gone);
  if (counted && mode == POWER) pthread_mutex_unlock(&lock);
  end(number);
  errno = saved;
  return result;
}

int unlink(const char *path) {
  find_unlink();
  find_rename();
  struct stat gone;
  int counted = mode != OFF && is_below(path);
  int64_t number = begin(counted ? NAMES : OTHER, "unlink", -1, path);
  if (counted && mode == POWER) pthread_mutex_lock(&lock);
  int known = counted && mode == POWER && lstat(path, &gone) == 0;
  int result = real_unlink(path);
  int saved = errno;
  if (known && result == 0) forget_content(&gone);
  if (counted && mode == POWER) pthread_mutex_unlock(&lock);
  end(number);
  errno = saved;
  return result;
}

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value ? value : "";
}

__attribute__((constructor)) static void start(void) {
  const char *wanted = setting("SHIM_MODE");
  folder = strdup(setting("SHIM_FOLDER"));
  durable = strdup(setting("SHIM_DURABLE"));
  at = atoll(setting("SHIM_AT"));
  strikes_after = !strcmp(setting("SHIM_WHEN"), "after");
  error_number = !strcmp(setting("SHIM_ERROR"), "ENOSPC") ? ENOSPC : EIO;
  lasting = !strcmp(setting("SHIM_LASTING"), "1");
  int fd = open(setting("SHIM_REPORT"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd >= 0 && truncate(setting("SHIM_REPORT"), sizeof(struct report)) == 0) {
    void *mapped = mmap(NULL, sizeof(struct report), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (mapped != MAP_FAILED) report = mapped;
  }
  if (fd >= 0) close(fd);
  find_write();
  find_unlink();
  find_rename();
  /* A process that this one starts is not under proof. */
  unsetenv("LD_PRELOAD");
  if (!strcmp(wanted, "power")) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/inodes", durable);
    make_folders(path);
    keep_names(folder, 1);
    mode = POWER;
  } else if (!strcmp(wanted, "kill")) mode = KILL;
  else if (!strcmp(wanted, "stop")) mode = STOP;
  else if (!strcmp(wanted, "fail")) mode = FAIL;
  else if (!strcmp(wanted, "count")) mode = COUNT;
}
