#include "fault_vfs.h"

#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

/* A file of the wrapped VFS follows at once. */
struct fault_file {
  sqlite3_file base;
  sqlite3_io_methods methods;
};

static struct {
  enum fault_operation operation;
  int nth;
  int code;
  int is_persistent;
  int is_short;
  int is_armed;
  int counts[FAULT_OPERATIONS];
  int failures;
} plan;

static sqlite3_vfs *wrapped_vfs;
static sqlite3_vfs vfs;

static sqlite3_file *wrapped(sqlite3_file *file) { return (sqlite3_file *)((struct fault_file *)file + 1); }

/* The code to fail with, or SQLITE_OK. */
static int failure(enum fault_operation operation) {
  int count = ++plan.counts[operation];
  if (!plan.is_armed || operation != plan.operation) return SQLITE_OK;
  if (count != plan.nth && !(plan.is_persistent && count > plan.nth)) return SQLITE_OK;
  plan.failures++;
  return plan.code;
}

static int file_close(sqlite3_file *file) { return wrapped(file)->pMethods->xClose(wrapped(file)); }

static int file_read(sqlite3_file *file, void *octets, int count, sqlite3_int64 offset) {
  int code = failure(FAULT_READ);
  if (code != SQLITE_OK) return code;
  return wrapped(file)->pMethods->xRead(wrapped(file), octets, count, offset);
}

static int file_write(sqlite3_file *file, const void *octets, int count, sqlite3_int64 offset) {
  int code = failure(FAULT_WRITE);
  if (code == SQLITE_OK) return wrapped(file)->pMethods->xWrite(wrapped(file), octets, count, offset);
  if (plan.is_short) wrapped(file)->pMethods->xWrite(wrapped(file), octets, count / 2, offset);
  return code;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int code = failure(FAULT_TRUNCATE);
  return code != SQLITE_OK ? code : wrapped(file)->pMethods->xTruncate(wrapped(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  int code = failure(FAULT_SYNC);
  return code != SQLITE_OK ? code : wrapped(file)->pMethods->xSync(wrapped(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return wrapped(file)->pMethods->xFileSize(wrapped(file), size); }
static int file_lock(sqlite3_file *file, int lock) { return wrapped(file)->pMethods->xLock(wrapped(file), lock); }
static int file_unlock(sqlite3_file *file, int lock) { return wrapped(file)->pMethods->xUnlock(wrapped(file), lock); }
static int file_check_lock(sqlite3_file *file, int *result) { return wrapped(file)->pMethods->xCheckReservedLock(wrapped(file), result); }
static int file_control(sqlite3_file *file, int request, void *argument) {
  return wrapped(file)->pMethods->xFileControl(wrapped(file), request, argument);
}
static int file_sector_size(sqlite3_file *file) { return wrapped(file)->pMethods->xSectorSize(wrapped(file)); }
static int file_characteristics(sqlite3_file *file) { return wrapped(file)->pMethods->xDeviceCharacteristics(wrapped(file)); }
static int file_map(sqlite3_file *file, int region, int size, int extend, void volatile **address) {
  return wrapped(file)->pMethods->xShmMap(wrapped(file), region, size, extend, address);
}
static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  return wrapped(file)->pMethods->xShmLock(wrapped(file), offset, count, flags);
}
static void file_barrier(sqlite3_file *file) { wrapped(file)->pMethods->xShmBarrier(wrapped(file)); }
static int file_unmap(sqlite3_file *file, int deletes) { return wrapped(file)->pMethods->xShmUnmap(wrapped(file), deletes); }

static int vfs_open(sqlite3_vfs *self, const char *name, sqlite3_file *file, int flags, int *result) {
  (void)self;
  struct fault_file *ours = (struct fault_file *)file;
  memset(ours, 0, sizeof *ours);
  int code = wrapped_vfs->xOpen(wrapped_vfs, name, wrapped(file), flags, result);
  if (!wrapped(file)->pMethods) return code;
  /* Version 2: without memory-mapped reads, which would go past the counter. */
  ours->methods = (sqlite3_io_methods){
      2, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, file_unlock, file_check_lock, file_control,
      file_sector_size, file_characteristics, file_map, file_shm_lock, file_barrier, file_unmap, 0, 0};
  ours->base.pMethods = &ours->methods;
  return code;
}

int fault_vfs_register(void) {
  wrapped_vfs = sqlite3_vfs_find(0);
  if (!wrapped_vfs) return SQLITE_ERROR;
  vfs = *wrapped_vfs;
  vfs.zName = "fault";
  vfs.pNext = 0;
  vfs.szOsFile = (int)sizeof(struct fault_file) + wrapped_vfs->szOsFile;
  vfs.xOpen = vfs_open;
  return sqlite3_vfs_register(&vfs, 1);
}

void fault_vfs_arm(enum fault_operation operation, int nth, int code, int is_persistent, int is_short) {
  memset(&plan, 0, sizeof plan);
  plan.operation = operation;
  plan.nth = nth;
  plan.code = code;
  plan.is_persistent = is_persistent;
  plan.is_short = is_short;
  plan.is_armed = 1;
}

void fault_vfs_disarm(void) { plan.is_armed = 0; }

int fault_vfs_count(enum fault_operation operation) { return plan.counts[operation]; }

int fault_vfs_failures(void) { return plan.failures; }

pid_t trial_fork(void) { return fork(); }
