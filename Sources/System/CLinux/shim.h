#ifndef BEACONMON_CLINUX_H
#define BEACONMON_CLINUX_H

#include <elf.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
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

/* The beginning of struct dl_phdr_info (dl_iterate_phdr(3)), which hides behind _GNU_SOURCE, too. */
struct linux_object {
  Elf64_Addr base;
  const char *name;
  const Elf64_Phdr *headers;
  Elf64_Half count;
};
extern int linux_iterate_objects(int (*callback)(struct linux_object *, size_t, void *), void *context) __asm__("dl_iterate_phdr");

/* Gives back the pages of one program or library that cannot be written: the kernel maps a page again when it is used. */
static inline int linux_give_back_object(struct linux_object *object, size_t size, void *context) {
  (void)size;
  (void)context;
  unsigned long page = getauxval(AT_PAGESZ);
  if (!page) return 1;
  for (int index = 0; index < object->count; index++) {
    const Elf64_Phdr *header = &object->headers[index];
    if (header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
    unsigned long start = object->base + header->p_vaddr;
    unsigned long first = (start + page - 1) & -page, end = (start + header->p_memsz) & -page;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
  }
  return 0;
}

/* Gives back such pages of this program and of its libraries. */
static inline void linux_give_back_file_pages(void) { linux_iterate_objects(linux_give_back_object, 0); }

#endif
