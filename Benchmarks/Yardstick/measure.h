// Runs a job over a capture several times and prints the fastest run as a line of JSON. Only the job's own processor time counts.
#pragma once
#include "capture.h"
#include <time.h>

typedef struct {
  Counts counts;
  uint64_t checksum;
  char details[128];  // more members of the JSON line, each with a leading comma
} Result;

static inline double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

static inline int measure(int count, char **arguments, const char *peer, Result (*pass)(Capture)) {
  int passes = count > 2 ? atoi(arguments[2]) : 1;
  if (count < 2 || passes < 1) {
    fprintf(stderr, "usage: %s FILE [PASSES]\n", arguments[0]);
    return 64;
  }
  Capture capture = load_capture(arguments[1]);
  double best = 1e9;
  Result result = {0};
  for (int number = 0; number < passes; number++) {
    double start = processor_seconds();
    result = pass(capture);
    double spent = processor_seconds() - start;
    if (spent < best)
      best = spent;
  }
  Counts counts = result.counts;
  printf("{\"peer\":\"%s\",\"bytes\":%zu,\"advs\":%llu,\"wellformed\":%llu,\"accepted\":%llu,\"checksum\":\"%016llx\","
         "\"cpu_s\":%.6f,\"ns_per_adv\":%.2f%s}\n",
         peer, capture.size, (unsigned long long)counts.packets, (unsigned long long)counts.reports,
         (unsigned long long)counts.beacons, (unsigned long long)result.checksum, best,
         best * 1e9 / (double)(counts.packets ? counts.packets : 1), result.details);
  return 0;
}
