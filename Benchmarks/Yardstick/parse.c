// The yardstick for parsing: a careful C program that finds every iBeacon by the strict rule and sums up its checksum.
// usage: parse FILE [PASSES]
#include "measure.h"

static void add(void *job, Sighting sighting) {
  const uint8_t *p = sighting.content;
  *(uint64_t *)job += mix64(load64(p) ^ load64(p + 8) * 0x9e3779b97f4a7c15ull ^ (uint64_t)load32(p + 16) << 16 ^
                            (uint64_t)p[20] << 8 ^ sighting.rssi);
}

static Result pass(Capture capture) {
  Result result = {0};
  uint64_t checksum = 0;
  result.counts = for_each_sighting(capture, add, &checksum);
  result.checksum = checksum;
  return result;
}

int main(int count, char **arguments) { return measure(count, arguments, "yardstick-parse", pass); }
