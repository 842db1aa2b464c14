#ifndef BEACONMON_FAULT_VFS_H
#define BEACONMON_FAULT_VFS_H

#include <sys/types.h>

/* The operations of a file that can be made to fail. */
enum fault_operation { FAULT_READ, FAULT_WRITE, FAULT_SYNC, FAULT_TRUNCATE, FAULT_OPERATIONS };

/* Wraps the default VFS, as the new default. Returns an SQLite result code. Call once, before any database is opened. */
int fault_vfs_register(void);

/* Fails the nth operation of this kind from now on (1 is the next) with an extended result code; with is_persistent all later ones too.
   With is_short a write that fails has written its first half. Resets the counts. */
void fault_vfs_arm(enum fault_operation operation, int nth, int code, int is_persistent, int is_short);

/* Lets everything succeed again. The counts stay. */
void fault_vfs_disarm(void);

/* The number of operations of this kind since the last fault_vfs_arm. */
int fault_vfs_count(enum fault_operation operation);

/* The number of operations that were made to fail since the last fault_vfs_arm. */
int fault_vfs_failures(void);

/* fork(2), which Swift does not import. Only for a process with one thread. */
pid_t trial_fork(void);

#endif
