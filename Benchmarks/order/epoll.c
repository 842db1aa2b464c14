// valgrind 3.19 does not know epoll_pwait2.
#define _GNU_SOURCE
#include <sys/epoll.h>
#include <time.h>

int epoll_pwait2(int epoll, struct epoll_event *events, int most, const struct timespec *wait, const sigset_t *mask) {
  int milliseconds = wait ? (int)(wait->tv_sec * 1000 + (wait->tv_nsec + 999999) / 1000000) : -1;
  return epoll_pwait(epoll, events, most, milliseconds, mask);
}
