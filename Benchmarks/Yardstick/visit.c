// Measures the time from a sighting to the event in a program, as a visitor would notice it. Writes sightings into a FIFO that beaconmond plays
// as its capture, each of a beacon whose region was not entered before (minor 0 to N-1), waits for the RegionEvent on the bus and
// prints the latency. The first tenth warms up and does not count.
// usage: visit ADDRESS FIFO N
#include "bus.h"
#include "latency.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// The pause between two sightings, so that the daemon is asleep when one comes.
static const struct timespec pause_between = {0, 2000000};

static void put(int fifo, const void *octets, size_t size) {
  if (write(fifo, octets, size) == (ssize_t)size)
    return;
  perror("the FIFO");
  exit(74);
}

// One btsnoop record with a legacy advertising report (H4), the iBeacon 11111111-1111-1111-1111-111111111111, major 1.
static void put_sighting(int fifo, uint16_t minor) {
  static uint64_t time = 0x00dcddb30f2f8000ull + 1704067200000000ull;
  uint8_t record[] = {
      0, 0, 0, 45, 0, 0, 0, 45, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0x04, 0x3e, 42, 0x02, 1, 0x03, 0x01, 1, 2, 3, 4, 5, 6, 30,
      0x02, 0x01, 0x06, 0x1a, 0xff, 0x4c, 0x00, 0x02, 0x15,
      0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
      0, 1, (uint8_t)(minor >> 8), (uint8_t)minor, (uint8_t)-59, (uint8_t)-60};
  _Static_assert(sizeof record == 24 + 45, "the record's length field says 45");
  time += 1000;
  for (int index = 0; index < 8; index++)
    record[16 + index] = (uint8_t)(time >> (56 - 8 * index));
  put(fifo, record, sizeof record);
}

int main(int count, char **arguments) {
  unsigned long total = count < 4 ? 0 : strtoul(arguments[3], NULL, 10);
  if (!total || total > UINT16_MAX) {
    fprintf(stderr, "usage: visit ADDRESS FIFO N\n");
    return 64;
  }
  Latencies latencies = make_latencies(total);
  DBusConnection *bus = connect_to_bus(arguments[1]);
  listen_for(bus, "type='signal',interface='org.beaconmon.Monitor1.Manager',member='RegionEvent'");
  int fifo = open(arguments[2], O_WRONLY);
  if (fifo < 0) {
    perror(arguments[2]);
    return 66;
  }
  put(fifo, "btsnoop\0\0\0\0\1\0\0\3\xea", 16);
  for (unsigned long number = 0; number < total; number++) {
    nanosleep(&pause_between, NULL);
    uint64_t start = monotonic_ns();
    put_sighting(fifo, (uint16_t)number);
    DBusMessage *signal = next_signal(bus, "org.beaconmon.Monitor1.Manager", "RegionEvent");
    if (number >= total / 10)
      note_latency(&latencies, start);
    dbus_message_unref(signal);
  }
  print_latencies(&latencies);
  close(fifo);
  leave_bus(bus);
  return 0;
}
