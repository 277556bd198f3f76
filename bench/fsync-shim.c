#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* Counts what is forced to disk, and makes each of it as slow as PAYRUN_BENCH_FSYNC_MS says. At the end it says so, how
   much of the processor and of memory the program took, in microseconds and kilobytes, and when it last wrote to stdout, in
   microseconds of the wall clock. */
static long count;
static long long said;

static void note_said(int file) {
  if (file != STDOUT_FILENO) return;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  __atomic_store_n(&said, now.tv_sec * 1000000LL + now.tv_nsec / 1000, __ATOMIC_RELAXED);
}

ssize_t write(int file, const void *bytes, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
  note_said(file);
  return real(file, bytes, length);
}

ssize_t writev(int file, const struct iovec *parts, int parts_count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (!real) real = (ssize_t (*)(int, const struct iovec *, int))dlsym(RTLD_NEXT, "writev");
  note_said(file);
  return real(file, parts, parts_count);
}

static void wait_as_told(void) {
  const char *told = getenv("PAYRUN_BENCH_FSYNC_MS");
  long ms = told ? atol(told) : 0;
  if (ms > 0) {
    struct timespec pause = {ms / 1000, (ms % 1000) * 1000000L};
    nanosleep(&pause, NULL);
  }
}

static int forced(const char *name, int file) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  wait_as_told();
  return real(file);
}

int fsync(int file) { return forced("fsync", file); }
int fdatasync(int file) { return forced("fdatasync", file); }

static long long microseconds(struct timeval time) { return time.tv_sec * 1000000LL + time.tv_usec; }

__attribute__((destructor)) static void tell(void) {
  const char *path = getenv("PAYRUN_BENCH_FSYNCS");
  FILE *out = path ? fopen(path, "w") : NULL;
  if (!out) return;
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  long long cpu = microseconds(used.ru_utime) + microseconds(used.ru_stime);
  fprintf(out, "%ld %lld %ld %lld\n", count, cpu, used.ru_maxrss, said);
  fclose(out);
}
