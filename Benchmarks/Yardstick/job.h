// The job for every sighting: smooths the RSSI, computes distance and proximity, and has a region for every UUID that exits after 30 s of silence.
// The filter is the product's time-weighted one, without its variance; the bands have no hysteresis.
#pragma once
#define _GNU_SOURCE  // exp10f
#include <math.h>

#include "capture.h"

enum { BEACON_SLOTS = 4096, MOST_REGIONS = 256 };

static const uint64_t exit_delay = 30000000, sweep_interval = 1000000;
static const double time_constant = 2e6, memory = 5 * 2e6, largest_step = 10;  // microseconds, dB
static const float path_loss_exponent = 2.0f;

typedef enum { UNKNOWN, IMMEDIATE, NEAR, FAR } Proximity;

typedef struct {
  uint8_t key[20];  // UUID, major, minor
  uint8_t used, region;
  Proximity proximity;
  double rssi;
  float distance;
  uint64_t last_seen;
} Beacon;

typedef struct {
  uint8_t uuid[16];
  uint8_t inside;
  uint64_t last_seen;
} Region;

typedef struct {
  Beacon beacons[BEACON_SLOTS];
  Region regions[MOST_REGIONS];
  uint32_t beacon_count, region_count;
  uint64_t enters, exits, proximity_changes, next_sweep;
} Monitor;

static inline void expire(Monitor *monitor, Region *region, uint64_t now) {
  if (region->inside && now - region->last_seen >= exit_delay) {
    region->inside = 0;
    monitor->exits++;
  }
}

static void sweep(Monitor *monitor, uint64_t now) {
  for (uint32_t index = 0; index < monitor->region_count; index++)
    expire(monitor, monitor->regions + index, now);
  monitor->next_sweep = now + sweep_interval;
}

static uint8_t region_of(Monitor *monitor, const uint8_t *uuid) {
  for (uint32_t index = 0; index < monitor->region_count; index++)
    if (!memcmp(monitor->regions[index].uuid, uuid, 16))
      return (uint8_t)index;
  if (monitor->region_count == MOST_REGIONS) {
    fprintf(stderr, "more than %d UUIDs\n", MOST_REGIONS);
    exit(65);
  }
  memcpy(monitor->regions[monitor->region_count].uuid, uuid, 16);
  return (uint8_t)monitor->region_count++;
}

static void meet(Monitor *monitor, Beacon *beacon, Sighting sighting) {
  if (++monitor->beacon_count == BEACON_SLOTS) {
    fprintf(stderr, "more than %d beacons\n", BEACON_SLOTS - 1);
    exit(65);
  }
  memcpy(beacon->key, sighting.content, sizeof beacon->key);
  beacon->used = 1;
  beacon->rssi = (int8_t)sighting.rssi;
  beacon->last_seen = sighting.time;
  beacon->region = region_of(monitor, sighting.content);
}

static inline Beacon *find(Monitor *monitor, Sighting sighting) {
  const uint8_t *key = sighting.content;
  uint64_t hash = mix64(load64(key) ^ load64(key + 8) ^ load32(key + 16) * 0x9e3779b97f4a7c15ull);
  for (uint32_t slot = (uint32_t)hash;; slot++) {
    Beacon *beacon = monitor->beacons + slot % BEACON_SLOTS;
    if (!beacon->used)
      meet(monitor, beacon, sighting);
    if (!memcmp(beacon->key, key, sizeof beacon->key))
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

static inline void hear(void *job, Sighting sighting) {
  Monitor *monitor = job;
  if (sighting.time >= monitor->next_sweep)
    sweep(monitor, sighting.time);
  Beacon *beacon = find(monitor, sighting);
  int8_t rssi = (int8_t)sighting.rssi, measured_power = (int8_t)sighting.content[20];
  if (rssi <= 20)
    smooth(beacon, rssi, sighting.time);
  beacon->distance = exp10f((measured_power - (float)beacon->rssi) * (1 / (10 * path_loss_exponent)));
  beacon->last_seen = sighting.time;
  Proximity proximity = beacon->distance < 0.5f ? IMMEDIATE : beacon->distance < 3 ? NEAR : FAR;
  monitor->proximity_changes += proximity != beacon->proximity;
  beacon->proximity = proximity;
  Region *region = monitor->regions + beacon->region;
  expire(monitor, region, sighting.time);  // the sweep comes up to a second late
  monitor->enters += !region->inside;
  region->inside = 1;
  region->last_seen = sighting.time;
}
