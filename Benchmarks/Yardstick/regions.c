// The yardstick for many regions: 2,000 beacons at 2,000 sightings a second, and 10,000 regions of which each beacon has two. A region exits after
// 30 s of silence. Parsing is not included: the sightings are made before. The filter is the one of full.c.
// usage: regions PASSES
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BEACONS = 2000, WINDOW = 1200, MAJORS = 100, REGIONS = 10000, SLOTS = 8192, RATE = 2000, SECONDS = 600, SIGHTINGS = RATE * SECONDS };

static const uint64_t exit_delay = 30000000, sweep_interval = 1000000;
static const double time_constant = 2e6, memory = 5 * 2e6, largest_step = 10;  // microseconds, dB
static const float path_loss_exponent = 2.0f;

typedef enum { UNKNOWN, IMMEDIATE, NEAR, FAR } Proximity;

typedef struct {
  uint8_t key[20];  // UUID, major, minor
  int8_t measured_power, rssi;
  uint64_t time;
} Sighting;

typedef struct {
  uint8_t key[20];
  uint8_t used;
  Proximity proximity;
  int32_t regions[2];
  double rssi;
  float distance;
  uint64_t last_seen;
} Beacon;

typedef struct {
  uint8_t inside;
  uint64_t last_seen;
} Region;

typedef struct {
  Beacon beacons[SLOTS];
  Region regions[REGIONS];
  uint64_t enters, exits, next_sweep;
} Monitor;

static Sighting sightings[SIGHTINGS];

// SplitMix64.
static uint64_t next(uint64_t *state) {
  uint64_t mixed = *state += 0x9e3779b97f4a7c15ull;
  mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
  mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
  return mixed ^ mixed >> 31;
}

// The window of present beacons moves every second, so each is present for a minute and absent for forty seconds.
static void generate(void) {
  uint64_t state = 1;
  for (int index = 0; index < SIGHTINGS; index++) {
    uint64_t random = next(&state);
    int beacon = (int)((random % WINDOW + (uint64_t)(index / RATE) * 20) % BEACONS);
    int major = beacon / (BEACONS / MAJORS), minor = beacon % (BEACONS / MAJORS);
    Sighting *sighting = sightings + index;
    memset(sighting->key, 0x11, 16);
    memcpy(sighting->key + 16, (uint8_t[]){major >> 8, major, minor >> 8, minor}, 4);
    sighting->measured_power = -59;
    sighting->rssi = (int8_t)(-50 - (int)((random >> 32) % 30));
    sighting->time = (uint64_t)index * (1000000 / RATE);
  }
}

static inline void expire(Monitor *monitor, Region *region, uint64_t now) {
  if (region->inside && now - region->last_seen >= exit_delay) {
    region->inside = 0;
    monitor->exits++;
  }
}

static void sweep(Monitor *monitor, uint64_t now) {
  for (int index = 0; index < REGIONS; index++)
    expire(monitor, monitor->regions + index, now);
  monitor->next_sweep = now + sweep_interval;
}

// The first regions are those of single beacons, the last those of a major.
static void meet(Beacon *beacon, const Sighting *sighting) {
  memcpy(beacon->key, sighting->key, sizeof beacon->key);
  beacon->used = 1;
  beacon->rssi = sighting->rssi;
  beacon->last_seen = sighting->time;
  int major = sighting->key[16] << 8 | sighting->key[17], minor = sighting->key[18] << 8 | sighting->key[19];
  beacon->regions[0] = major * (BEACONS / MAJORS) + minor;
  beacon->regions[1] = REGIONS - MAJORS + major;
}

static inline Beacon *find(Monitor *monitor, const Sighting *sighting) {
  uint64_t words[2];
  uint32_t word;
  memcpy(words, sighting->key, sizeof words);
  memcpy(&word, sighting->key + 16, sizeof word);
  uint64_t hash = words[0] ^ words[1] ^ word * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ hash >> 33) * 0xff51afd7ed558ccdull;
  hash = (hash ^ hash >> 33) * 0xc4ceb9fe1a85ec53ull;
  for (uint32_t slot = (uint32_t)(hash ^ hash >> 33);; slot++) {
    Beacon *beacon = monitor->beacons + slot % SLOTS;
    if (!beacon->used)
      meet(beacon, sighting);
    if (!memcmp(beacon->key, sighting->key, sizeof beacon->key))
      return beacon;
  }
}

static inline void smooth(Beacon *beacon, int8_t rssi, uint64_t now) {
  double age = (double)(now - beacon->last_seen), step = rssi - beacon->rssi;
  if (age < memory)
    beacon->rssi += (1 - exp(-age / time_constant)) * fmax(-largest_step, fmin(largest_step, step));
  else
    beacon->rssi = rssi;
}

static inline void hear(Monitor *monitor, const Sighting *sighting) {
  if (sighting->time >= monitor->next_sweep)
    sweep(monitor, sighting->time);
  Beacon *beacon = find(monitor, sighting);
  smooth(beacon, sighting->rssi, sighting->time);
  beacon->distance = powf(10, (sighting->measured_power - (float)beacon->rssi) * (1 / (10 * path_loss_exponent)));
  beacon->last_seen = sighting->time;
  beacon->proximity = beacon->distance < 0.5f ? IMMEDIATE : beacon->distance < 3 ? NEAR : FAR;
  for (int index = 0; index < 2; index++) {
    Region *region = monitor->regions + beacon->regions[index];
    expire(monitor, region, sighting->time);  // the sweep comes up to a second late
    monitor->enters += !region->inside;
    region->inside = 1;
    region->last_seen = sighting->time;
  }
}

static double processor_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec + now.tv_nsec * 1e-9;
}

int main(int count, char **arguments) {
  int passes = count > 1 ? atoi(arguments[1]) : 1;
  static Monitor monitor;
  double best = 1e9;
  generate();
  for (int number = 0; number < passes; number++) {
    memset(&monitor, 0, sizeof monitor);
    double start = processor_seconds();
    for (int index = 0; index < SIGHTINGS; index++)
      hear(&monitor, sightings + index);
    sweep(&monitor, (uint64_t)SECONDS * 1000000);
    double spent = processor_seconds() - start;
    if (spent < best)
      best = spent;
  }
  printf("{\"peer\":\"yardstick-regions\",\"sightings\":%d,\"enters\":%llu,\"exits\":%llu,\"ns_per_sighting\":%.2f}\n", SIGHTINGS,
         (unsigned long long)monitor.enters, (unsigned long long)monitor.exits, best * 1e9 / SIGHTINGS);
  return 0;
}
