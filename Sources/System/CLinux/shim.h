#ifndef BEACONMON_CLINUX_H
#define BEACONMON_CLINUX_H

#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/timex.h>

/* Defining _GNU_SOURCE here would give fd_set another shape than module Glibc's and break debug builds, so what hides behind it is declared. */
extern int pthread_setname_np(pthread_t thread, const char *name);
extern int pipe2(int descriptors[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern const char *strerrorname_np(int code);
extern const char *strerrordesc_np(int code);

/* A mutable global, which Swift 6 refuses; read it before any thread changes the environment. */
static inline char *const *linux_environment(void) {
  extern char **environ;
  return environ;
}

#endif
