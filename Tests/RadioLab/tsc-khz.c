// Prints the frequency of this machine's time stamp counter in kHz. The virtual machine has the same counter. When it boots beside others, it
// measures the frequency so badly that its seconds are wrong by factors.
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

struct moment {
  int64_t nanoseconds;
  uint64_t ticks;
};

static struct moment now(void) {
  struct timespec time;
  struct moment best = {0, 0};
  uint64_t least = UINT64_MAX;
  // If the process is interrupted between the two readings, it tries again.
  for (int attempt = 0; attempt < 100; attempt++) {
    uint64_t before = __rdtsc();
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    uint64_t after = __rdtsc();
    if (after - before >= least) continue;
    least = after - before;
    best = (struct moment){time.tv_sec * INT64_C(1000000000) + time.tv_nsec, before + least / 2};
  }
  return best;
}

int main(void) {
  const struct timespec pause = {0, 200000000};
  struct moment begin = now();
  nanosleep(&pause, NULL);
  struct moment end = now();
  printf("%.0f\n", (double)(end.ticks - begin.ticks) * 1e6 / (double)(end.nanoseconds - begin.nanoseconds));
  return 0;
}
