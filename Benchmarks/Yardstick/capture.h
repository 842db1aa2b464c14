// A btsnoop capture (H4) in memory and one pass over its iBeacons. The pass counts no kinds, joins no fragments and stops at an
// advertisement's first iBeacon.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const uint8_t *octets;
  size_t size;
} Capture;

// UUID (16), major (2), minor (2) and measured power (1), as sent.
typedef struct {
  const uint8_t *content;
  uint64_t time;  // microseconds, from the record
  uint8_t rssi;
} Sighting;

typedef struct {
  uint64_t packets, reports, beacons;
  uint64_t end;  // the last record's time
} Counts;

typedef void Sink(void *job, Sighting);

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

// The finalizer of MurmurHash3.
static inline uint64_t mix64(uint64_t word) {
  word = (word ^ word >> 33) * 0xff51afd7ed558ccdull;
  word = (word ^ word >> 33) * 0xc4ceb9fe1a85ec53ull;
  return word ^ word >> 33;
}

// Ends the program if the file is not a capture.
static inline Capture load_capture(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) {
    perror(path);
    exit(66);
  }
  size_t size = (size_t)ftell(file);
  rewind(file);
  uint8_t *octets = malloc(size + 1);
  if (!octets || size < 16 || fread(octets, 1, size, file) != size || memcmp(octets, "btsnoop", 8)) {
    fprintf(stderr, "%s: no btsnoop capture\n", path);
    exit(65);
  }
  fclose(file);
  return (Capture){octets, size};
}

// Returns the content of the first iBeacon, or NULL.
static inline const uint8_t *find_ibeacon(const uint8_t *data, uint32_t size) {
  for (uint32_t at = 0; at < size && data[at] && at + 1 + data[at] <= size; at += 1 + data[at])
    if (data[at] == 0x1a && load32(data + at + 1) == 0x02004cff && data[at + 5] == 0x15)
      return data + at + 6;
  return NULL;
}

// Inlined with a sink that is known at compile time, so that the sink is not a call.
#define INLINED static inline __attribute__((always_inline))

INLINED void report(Counts *counts, const uint8_t *data, uint32_t size, uint8_t rssi, uint64_t time, Sink *sink, void *job) {
  counts->reports++;
  const uint8_t *content = find_ibeacon(data, size);
  if (!content)
    return;
  counts->beacons++;
  sink(job, (Sighting){content, time, rssi});
}

INLINED void event(Counts *counts, const uint8_t *p, uint32_t size, uint64_t time, Sink *sink, void *job) {
  if (size < 4 || p[0] != 0x3e || p[1] != size - 2)
    return;
  uint32_t at = 4;
  if (p[2] == 0x02) {
    for (uint32_t left = p[3]; left && at + 10 <= size && at + 10 + p[at + 8] <= size; left--) {
      uint32_t length = p[at + 8];
      report(counts, p + at + 9, length, p[at + 9 + length], time, sink, job);
      at += 10 + length;
    }
  } else if (p[2] == 0x0d) {
    for (uint32_t left = p[3]; left && at + 24 <= size && at + 24 + p[at + 23] <= size; left--) {
      uint32_t length = p[at + 23];
      report(counts, p + at + 24, length, p[at + 13], time, sink, job);
      at += 24 + length;
    }
  }
}

INLINED Counts for_each_sighting(Capture capture, Sink *sink, void *job) {
  Counts counts = {0};
  const uint8_t *p = capture.octets + 16, *end = capture.octets + capture.size;
  while (p + 24 <= end) {
    uint32_t length = __builtin_bswap32(load32(p + 4));
    if (length > (size_t)(end - p) - 24)
      break;
    counts.packets++;
    counts.end = __builtin_bswap64(load64(p + 16));
    if (length && p[24] == 4)
      event(&counts, p + 25, length - 1, counts.end, sink, job);
    p += 24 + length;
  }
  return counts;
}
