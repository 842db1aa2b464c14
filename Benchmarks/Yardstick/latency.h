// Latencies of one run, and their quantiles as a line of JSON with the members of the peers' D-Bus benchmarks.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct {
  uint64_t *nanoseconds;
  size_t count, capacity;
  uint64_t first, last;  // when they were noted
} Latencies;

static inline uint64_t monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline Latencies make_latencies(size_t capacity) {
  uint64_t *nanoseconds = calloc(capacity, sizeof *nanoseconds);
  if (!nanoseconds) {
    fprintf(stderr, "no memory for %zu latencies\n", capacity);
    exit(71);
  }
  return (Latencies){nanoseconds, 0, capacity, 0, 0};
}

// Records the time from `start` until now.
static inline void note_latency(Latencies *latencies, uint64_t start) {
  uint64_t now = monotonic_ns();
  if (!latencies->count)
    latencies->first = now;
  latencies->last = now;
  latencies->nanoseconds[latencies->count++] = now - start;
}

static inline int compare_latencies(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static inline double quantile_us(const Latencies *latencies, double share) {
  return (double)latencies->nanoseconds[(size_t)((double)(latencies->count - 1) * share)] * 1e-3;
}

// Requires at least one latency.
static inline void print_latencies(Latencies *latencies) {
  qsort(latencies->nanoseconds, latencies->count, sizeof *latencies->nanoseconds, compare_latencies);
  double seconds = (double)(latencies->last - latencies->first) * 1e-9;
  printf("{\"n\":%zu,\"seconds\":%.4f,\"per_s\":%.0f,\"p50_us\":%.1f,\"p90_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f}\n",
         latencies->count, seconds, (double)(latencies->count - 1) / (seconds > 0 ? seconds : 1), quantile_us(latencies, 0.5),
         quantile_us(latencies, 0.9), quantile_us(latencies, 0.99), quantile_us(latencies, 1));
}
