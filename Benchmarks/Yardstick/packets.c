// The yardstick for reception packet by packet: one read for each H4 packet of a SOCK_SEQPACKET, as from an HCI socket, then the whole
// job, until the packets end.
// usage: packets FD
#include "job.h"

#include <time.h>
#include <unistd.h>

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

int main(int count, char **arguments) {
  static Monitor monitor;
  Counts counts = {0};
  uint8_t packet[4096];
  ssize_t size;
  if (count < 2) {
    fprintf(stderr, "usage: packets FD\n");
    return 64;
  }
  int descriptor = atoi(arguments[1]);
  while ((size = read(descriptor, packet, sizeof packet)) > 0) {
    counts.packets++;
    if (size > 1 && packet[0] == 4)
      event(&counts, packet + 1, (uint32_t)size - 1, now(), hear, &monitor);
  }
  printf("{\"n\":%llu,\"accepted\":%llu,\"beacons\":%u,\"enters\":%llu}\n", (unsigned long long)counts.packets,
         (unsigned long long)counts.beacons, monitor.beacon_count, (unsigned long long)monitor.enters);
  return 0;
}
