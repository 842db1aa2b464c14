// The yardstick for reception through bluetoothd: sd-bus, one match, N signals of devices, then the whole job. Prints the processor time from the
// start of the discovery.
// usage: discover ADDRESS N
#include "job.h"

#include <systemd/sd-bus.h>
#include <time.h>

typedef struct {
  Monitor monitor;
  uint64_t reports, beacons;
} Listener;

static void check(int status, const char *what) {
  if (status >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, strerror(-status));
  exit(69);
}

static double seconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// Returns Apple's data in a dictionary of companies, or NULL.
static const uint8_t *apple_data(sd_bus_message *signal, size_t *size) {
  const uint8_t *data = NULL;
  sd_bus_message_enter_container(signal, 'v', "a{qv}");
  sd_bus_message_enter_container(signal, 'a', "{qv}");
  while (sd_bus_message_enter_container(signal, 'e', "qv") > 0) {
    uint16_t company;
    const void *octets;
    size_t length;
    sd_bus_message_read(signal, "q", &company);
    sd_bus_message_enter_container(signal, 'v', "ay");
    sd_bus_message_read_array(signal, 'y', &octets, &length);
    if (company == 0x004c)
      data = octets, *size = length;
    sd_bus_message_exit_container(signal);
    sd_bus_message_exit_container(signal);
  }
  sd_bus_message_exit_container(signal);
  sd_bus_message_exit_container(signal);
  return data;
}

static int receive(sd_bus_message *signal, void *data, sd_bus_error *error) {
  (void)error;
  Listener *listener = data;
  const char *name;
  const uint8_t *frame = NULL;
  size_t size = 0;
  int16_t rssi = 127;
  if (sd_bus_message_read(signal, "s", &name) <= 0 || strcmp(name, "org.bluez.Device1"))
    return 0;
  sd_bus_message_enter_container(signal, 'a', "{sv}");
  while (sd_bus_message_enter_container(signal, 'e', "sv") > 0) {
    sd_bus_message_read(signal, "s", &name);
    if (!strcmp(name, "RSSI"))
      sd_bus_message_read(signal, "v", "n", &rssi);
    else if (!strcmp(name, "ManufacturerData"))
      frame = apple_data(signal, &size);
    else
      sd_bus_message_skip(signal, "v");
    sd_bus_message_exit_container(signal);
  }
  listener->reports++;
  if (frame && size == 23 && frame[0] == 0x02 && frame[1] == 0x15) {
    listener->beacons++;
    hear(&listener->monitor, (Sighting){frame + 2, (uint64_t)(seconds(CLOCK_MONOTONIC) * 1e6), (uint8_t)rssi});
  }
  return 0;
}

int main(int count, char **arguments) {
  static Listener listener;
  sd_bus *bus;
  if (count < 3) {
    fprintf(stderr, "usage: discover ADDRESS N\n");
    return 64;
  }
  uint64_t total = strtoull(arguments[2], NULL, 10);
  check(sd_bus_new(&bus), "bus");
  check(sd_bus_set_address(bus, arguments[1]), arguments[1]);
  check(sd_bus_set_bus_client(bus, 1), arguments[1]);
  check(sd_bus_start(bus), arguments[1]);
  check(sd_bus_add_match(bus, NULL,
                         "type='signal',sender='org.bluez',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',"
                         "path_namespace='/org/bluez/hci0',arg0='org.bluez.Device1'",
                         receive, &listener),
        "match");
  check(sd_bus_call_method(bus, "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "StartDiscovery", NULL, NULL, ""), "StartDiscovery");
  double start = seconds(CLOCK_PROCESS_CPUTIME_ID);
  while (listener.reports < total) {
    int more = sd_bus_process(bus, NULL);
    check(more, "bus");
    if (!more)
      check(sd_bus_wait(bus, UINT64_MAX), "bus");
  }
  printf("{\"n\":%llu,\"accepted\":%llu,\"beacons\":%u,\"enters\":%llu,\"cpu_s\":%.6f}\n", (unsigned long long)listener.reports,
         (unsigned long long)listener.beacons, listener.monitor.beacon_count, (unsigned long long)listener.monitor.enters,
         seconds(CLOCK_PROCESS_CPUTIME_ID) - start);
  return 0;
}
