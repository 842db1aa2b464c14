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

/* Gives back the pages of this program's file that cannot be written: the kernel maps a page again when it is used. The program headers are in AT_PHDR. */
static inline void linux_give_back_file_pages(void) {
  const Elf64_Phdr *headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
  unsigned long count = getauxval(AT_PHNUM), page = getauxval(AT_PAGESZ), base = 0;
  if (!headers || !page) return;
  for (unsigned long index = 0; index < count; index++) {
    if (headers[index].p_type == PT_PHDR) base = (unsigned long)headers - headers[index].p_vaddr;
  }
  for (unsigned long index = 0; index < count; index++) {
    const Elf64_Phdr *header = &headers[index];
    if (!base || header->p_type != PT_LOAD || (header->p_flags & PF_W)) continue;
    unsigned long first = (base + header->p_vaddr + page - 1) & -page, end = (base + header->p_vaddr + header->p_memsz) & -page;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
  }
}

#endif
