// Preloaded into a program, lets one call of one kind fail, as SQLite tests for it:
//
//   OVF_FAULT=KIND:N   the N-th call of malloc, write, fsync or read fails; 0: none does
//   OVF_FAULT_FILE=F   calls count once a file whose path contains F was opened: what comes before
//                      is the start of the program and of its libraries
//   OVF_FAULT_COUNT=F  how many calls there were is written to this file at the end
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

enum Kind { kMalloc, kWrite, kFsync, kRead, kKinds };
static const char* const names[kKinds] = {"malloc", "write", "fsync", "read"};

static enum Kind failing = kKinds;
static long failing_call;
static const char* first_file;
static atomic_int counting;
static atomic_long calls;

__attribute__((constructor)) static void begin(void) {
  const char* fault = getenv("OVF_FAULT");
  first_file = getenv("OVF_FAULT_FILE");
  if (fault == NULL || first_file == NULL) return;
  for (int kind = 0; kind < kKinds; ++kind) {
    const size_t length = strlen(names[kind]);
    if (strncmp(fault, names[kind], length) == 0 && fault[length] == ':') {
      failing = (enum Kind)kind;
      failing_call = atol(fault + length + 1);
    }
  }
}

__attribute__((destructor)) static void end(void) {
  const char* path = getenv("OVF_FAULT_COUNT");
  atomic_store(&counting, 0);
  if (path == NULL) return;
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "%ld\n", atomic_load(&calls));
  fclose(file);
}

static int fails(enum Kind kind, int error) {
  if (kind != failing || !atomic_load(&counting)) return 0;
  if (atomic_fetch_add(&calls, 1) + 1 != failing_call) return 0;
  errno = error;
  return 1;
}

static void opened(const char* path) {
  if (first_file != NULL && path != NULL && strstr(path, first_file) != NULL) {
    atomic_store(&counting, 1);
  }
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  opened(path);
  return NEXT(open)(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  opened(path);
  return NEXT(open64)(path, flags, mode);
}
FILE* fopen(const char* path, const char* mode) {
  opened(path);
  return NEXT(fopen)(path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  opened(path);
  return NEXT(fopen64)(path, mode);
}

void* malloc(size_t size) { return fails(kMalloc, ENOMEM) ? NULL : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return fails(kMalloc, ENOMEM) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return fails(kMalloc, ENOMEM) ? NULL : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails(kMalloc, ENOMEM) ? NULL : __libc_memalign(alignment, size);
}
int posix_memalign(void** out, size_t alignment, size_t size) {
  if (fails(kMalloc, ENOMEM)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == NULL ? ENOMEM : 0;
}

ssize_t write(int file, const void* bytes, size_t count) {
  return fails(kWrite, ENOSPC) ? -1 : NEXT(write)(file, bytes, count);
}
ssize_t writev(int file, const struct iovec* parts, int count) {
  return fails(kWrite, ENOSPC) ? -1 : NEXT(writev)(file, parts, count);
}
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* file) {
  return fails(kWrite, ENOSPC) ? 0 : NEXT(fwrite)(bytes, size, count, file);
}
int fsync(int file) { return fails(kFsync, EIO) ? -1 : NEXT(fsync)(file); }
ssize_t read(int file, void* bytes, size_t count) {
  return fails(kRead, EIO) ? -1 : NEXT(read)(file, bytes, count);
}
ssize_t pread(int file, void* bytes, size_t count, off_t offset) {
  return fails(kRead, EIO) ? -1 : NEXT(pread)(file, bytes, count, offset);
}
ssize_t pread64(int file, void* bytes, size_t count, off64_t offset) {
  return fails(kRead, EIO) ? -1 : NEXT(pread64)(file, bytes, count, offset);
}
