// Writes a btsnoop capture (H4) of N advertising events for the benchmarks, the same for the same seed: iBeacons and other packets
// of a busy place. A third of the reports are extended, some legacy events carry two, and one in ten is broken.
// The beacons of a quarter of the UUIDs send for 40 s of every 120 s, so that regions are left and entered again.
// The identities of AltBeacons are random, so that an engine would track thousands of them: WITHOUT leaves their code out.
// usage: generate FILE N [SEED [WITHOUT]]
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state, elapsed;  // elapsed: microseconds since the first event
static int has_altbeacons;

static uint64_t next(void) {  // SplitMix64
  uint64_t word = state += 0x9e3779b97f4a7c15ull;
  word = (word ^ word >> 30) * 0xbf58476d1ce4e5b9ull;
  word = (word ^ word >> 27) * 0x94d049bb133111ebull;
  return word ^ word >> 31;
}

static uint32_t below(uint32_t limit) { return (uint32_t)((next() >> 32) * limit >> 32); }

static uint32_t noise(uint8_t *p, uint32_t size) {
  for (uint32_t i = 0; i < size; i++)
    p[i] = (uint8_t)next();
  return size;
}

// One structure: length, type, a fixed prefix and noise.
static uint32_t structure(uint8_t *p, uint8_t type, const char *prefix, uint32_t known, uint32_t random) {
  p[0] = (uint8_t)(1 + known + random);
  p[1] = type;
  memcpy(p + 2, prefix, known);
  return 2 + known + noise(p + 2 + known, random);
}

static int is_away(uint32_t beacon) { return beacon < 50 && (elapsed / 40000000 + beacon / 10) % 3 != 0; }

// 200 beacons of 20 UUIDs, 10 of each.
static uint32_t ibeacon(uint8_t *p) {
  uint32_t number = below(200);
  if (is_away(number))
    number += 50;
  structure(p, 0xff, "\x4c\x00\x02\x15", 4, 0);
  p[0] = 0x1a;
  for (uint32_t i = 0; i < 16; i++)
    p[6 + i] = (uint8_t)((number / 10 + 1) * 37 * (i + 3));
  memcpy(p + 22, "\0\1\0", 3);
  p[25] = (uint8_t)(number % 10);
  p[26] = (uint8_t)(-59 - (int)(number % 12));
  return 27;
}

static uint32_t payload(uint8_t *p) {
  static const char *names[] = {"Polar H10 A1B2", "LE-Bose QC", "Mi Band", "Tile", "Govee_H5075_12"};
  uint32_t draw = below(100), size = draw >= 30 || below(10) ? structure(p, 0x01, "\x06", 1, 0) : 0;
  if (draw < 30)
    return size + ibeacon(p + size);
  if (draw < 40)
    return size + structure(p + size, 0x16, "\xaa\xfe", 2, 10 + below(10));
  if (draw < 60)
    return size + structure(p + size, 0xff, "\x4c\x00\x10", 3, 3 + below(18));
  if (draw < 65)
    return structure(p, 0xff, has_altbeacons ? "\x18\x01\xbe\xac" : "\x18\x01\0\0", 4, 22);
  if (draw < 90) {
    const char *name = names[below(5)];
    size += structure(p + size, 0x09, name, (uint32_t)strlen(name), 0);
    size += structure(p + size, 0x0a, "\x04", 1, 0);
    return size + structure(p + size, 0x03, "\x0d\x18", 2, 0);
  }
  uint32_t whole = size + ibeacon(p + size);
  switch (below(5)) {
  case 0: return whole - 1 - below(20);
  case 1: p[size + 5] = 0x14; break;
  case 2: p[size] = 0; break;
  case 3: p[size] = 0xff; break;
  default: p[size + 2] = 0x4d; break;
  }
  return whole;
}

static void big_endian(uint8_t *p, uint64_t word, int size) {
  for (int i = 0; i < size; i++)
    p[i] = (uint8_t)(word >> 8 * (size - 1 - i));
}

int main(int count, char **arguments) {
  FILE *file = count > 2 ? fopen(arguments[1], "wb") : NULL;
  if (!file) {
    fprintf(stderr, "usage: generate FILE N [SEED [WITHOUT]]\n");
    return 64;
  }
  state = count > 3 ? strtoull(arguments[3], NULL, 10) : 1;
  has_altbeacons = count < 5;
  fwrite("btsnoop\0\0\0\0\1\0\0\3\xea", 1, 16, file);
  const uint64_t start = 0x00dcddb30f2f8000ull + 1704067200000000ull;
  for (uint64_t left = strtoull(arguments[2], NULL, 10); left; left--) {
    uint8_t packet[24 + 258] = {0}, *event = packet + 25;
    int extended = below(10) < 3, reports = !extended && below(10) == 0 ? 2 : 1;
    uint32_t size = 4;
    packet[24] = 4;
    event[0] = 0x3e, event[2] = extended ? 0x0d : 0x02, event[3] = (uint8_t)reports;
    for (int number = 0; number < reports; number++) {
      uint8_t data[64], *report = event + size, rssi = (uint8_t)(-40 - (int)below(60));
      uint32_t length = payload(data), header = extended ? 24 : 9;
      noise(report + (extended ? 3 : 2), 6);
      report[0] = extended ? 0x10 : 0x03;
      report[header - 1] = (uint8_t)length;
      memcpy(report + header, data, length);
      report[extended ? 13 : header + length] = rssi;
      size += header + length + !extended;
    }
    event[1] = (uint8_t)(size - 2);
    big_endian(packet, size + 1, 4), big_endian(packet + 4, size + 1, 4), big_endian(packet + 8, 3, 4);
    big_endian(packet + 16, start + elapsed, 8);
    elapsed += 1 + below(1000);
    fwrite(packet, 1, 25 + size, file);
  }
  return fclose(file) ? 74 : 0;
}
