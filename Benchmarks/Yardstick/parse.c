// The yardstick: what a careful C program needs for the same job. One pass over a btsnoop capture (H4) in memory, iBeacons by the strict
// rule, their checksum. It counts nothing by kind, joins no fragments and stops at an advertisement's first iBeacon.
// usage: parse FILE [PASSES]
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  uint64_t packets, reports, beacons, checksum;
} Totals;

static inline uint32_t load32(const uint8_t *p) {
  uint32_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

static inline uint64_t load64(const uint8_t *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word;
}

static inline uint64_t mix64(uint64_t word) {
  word = (word ^ word >> 33) * 0xff51afd7ed558ccdull;
  word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ull;
  return word ^ word >> 33;
}

// Returns the UUID of the first iBeacon, or NULL.
static inline const uint8_t *find_ibeacon(const uint8_t *data, uint32_t size) {
  for (uint32_t at = 0; at < size && data[at] && at + 1 + data[at] <= size; at += 1 + data[at])
    if (data[at] == 0x1a && load32(data + at + 1) == 0x02004cff && data[at + 5] == 0x15)
      return data + at + 6;
  return NULL;
}

static inline void add(Totals *totals, const uint8_t *data, uint32_t size, uint8_t rssi) {
  totals->reports++;
  const uint8_t *uuid = find_ibeacon(data, size);
  if (!uuid)
    return;
  totals->beacons++;
  totals->checksum += mix64(load64(uuid) ^ load64(uuid + 8) * 0x9e3779b97f4a7c15ull ^ (uint64_t)load32(uuid + 16) << 16 ^
                            (uint64_t)uuid[20] << 8 ^ rssi);
}

static inline void event(Totals *totals, const uint8_t *p, uint32_t size) {
  if (size < 4 || p[0] != 0x3e || p[1] != size - 2)
    return;
  uint32_t at = 4;
  if (p[2] == 0x02) {
    for (uint32_t left = p[3]; left && at + 10 <= size && at + 10 + p[at + 8] <= size; left--) {
      uint32_t length = p[at + 8];
      add(totals, p + at + 9, length, p[at + 9 + length]);
      at += 10 + length;
    }
  } else if (p[2] == 0x0d) {
    for (uint32_t left = p[3]; left && at + 24 <= size && at + 24 + p[at + 23] <= size; left--) {
      uint32_t length = p[at + 23];
      add(totals, p + at + 24, length, p[at + 13]);
      at += 24 + length;
    }
  }
}

static Totals pass(const uint8_t *capture, size_t size) {
  Totals totals = {0};
  const uint8_t *p = capture + 16, *end = capture + size;
  while (p + 24 <= end) {
    uint32_t length = __builtin_bswap32(load32(p + 4));
    if (length > (size_t)(end - p) - 24)
      break;
    totals.packets++;
    if (length && p[24] == 4)
      event(&totals, p + 25, length - 1);
    p += 24 + length;
  }
  return totals;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int count, char **arguments) {
  FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
  if (!file || fseek(file, 0, SEEK_END)) {
    fprintf(stderr, "usage: parse FILE [PASSES]\n");
    return 64;
  }
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *capture = malloc(size + 1);
  if (!capture || size < 16 || fread(capture, 1, size, file) != size || memcmp(capture, "btsnoop", 8)) {
    fprintf(stderr, "parse: %s: no btsnoop capture\n", arguments[1]);
    return 65;
  }
  int passes = count > 2 ? atoi(arguments[2]) : 1;
  double best = 1e9;
  Totals totals = {0};
  for (int number = 0; number < passes; number++) {
    double start = seconds();
    totals = pass(capture, size);
    double spent = seconds() - start;
    if (spent < best)
      best = spent;
  }
  printf("{\"peer\":\"yardstick-parse\",\"bytes\":%zu,\"advs\":%llu,\"wellformed\":%llu,\"accepted\":%llu,\"checksum\":\"%016llx\","
         "\"cpu_s\":%.6f,\"ns_per_adv\":%.2f}\n",
         size, (unsigned long long)totals.packets, (unsigned long long)totals.reports, (unsigned long long)totals.beacons,
         (unsigned long long)totals.checksum, best, best * 1e9 / (double)totals.packets);
  return 0;
}
