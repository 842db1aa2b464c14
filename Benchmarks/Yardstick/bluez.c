// A bluetoothd without a radio: one adapter, 200 iBeacons, and after StartDiscovery N signals of them, RATE a second. Each signal has the RSSI and
// the data, as bluetoothd 5.66 sends them with DuplicateData. It owns org.bluez when it prints READY, and it runs until it is killed.
// usage: bluez ADDRESS N RATE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

enum { DEVICES = 200, UUIDS = 20 };

static int discovers;

static void check(int status, const char *what) {
  if (status >= 0)
    return;
  fprintf(stderr, "%s: %s\n", what, strerror(-status));
  exit(69);
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int managed_objects(sd_bus_message *call, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  if (!sd_bus_message_is_method_call(call, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"))
    return 0;
  sd_bus_message *reply;
  check(sd_bus_message_new_method_return(call, &reply), "reply");
  check(sd_bus_message_append(reply, "a{oa{sa{sv}}}", 1, "/org/bluez/hci0", 1, "org.bluez.Adapter1", 3, "Address", "s",
                              "00:11:22:33:44:55", "Powered", "b", 1, "Discovering", "b", 0),
        "objects");
  check(sd_bus_send(NULL, reply, NULL), "objects");
  sd_bus_message_unref(reply);
  return 1;
}

static int obey(sd_bus_message *call, void *data, sd_bus_error *error) {
  (void)data, (void)error;
  discovers |= sd_bus_message_is_method_call(call, "org.bluez.Adapter1", "StartDiscovery");
  return sd_bus_reply_method_return(call, NULL);
}

static const sd_bus_vtable adapter[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("SetDiscoveryFilter", "a{sv}", NULL, obey, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("StartDiscovery", NULL, NULL, obey, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_METHOD("StopDiscovery", NULL, NULL, obey, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_VTABLE_END};

static void report(sd_bus *bus, unsigned number, int16_t rssi) {
  char path[64];
  uint8_t frame[23] = {0x02, 0x15};
  memset(frame + 2, 1 + (int)(number % UUIDS), 16);
  frame[19] = 1, frame[21] = (uint8_t)(number / UUIDS), frame[22] = (uint8_t)-59;
  snprintf(path, sizeof path, "/org/bluez/hci0/dev_C0_00_00_00_00_%02X", number);
  sd_bus_message *signal;
  check(sd_bus_message_new_signal(bus, &signal, path, "org.freedesktop.DBus.Properties", "PropertiesChanged"), "signal");
  check(sd_bus_message_append(signal, "s", "org.bluez.Device1"), "signal");
  check(sd_bus_message_open_container(signal, 'a', "{sv}"), "signal");
  check(sd_bus_message_append(signal, "{sv}", "RSSI", "n", rssi), "RSSI");
  check(sd_bus_message_open_container(signal, 'e', "sv"), "data");
  check(sd_bus_message_append(signal, "s", "ManufacturerData"), "data");
  check(sd_bus_message_open_container(signal, 'v', "a{qv}"), "data");
  check(sd_bus_message_open_container(signal, 'a', "{qv}"), "data");
  check(sd_bus_message_open_container(signal, 'e', "qv"), "data");
  check(sd_bus_message_append(signal, "q", 0x004c), "data");
  check(sd_bus_message_open_container(signal, 'v', "ay"), "data");
  check(sd_bus_message_append_array(signal, 'y', frame, sizeof frame), "data");
  for (int open = 0; open < 6; open++)
    check(sd_bus_message_close_container(signal), "data");
  check(sd_bus_message_append(signal, "as", 0), "signal");
  check(sd_bus_send(bus, signal, NULL), "signal");
  sd_bus_message_unref(signal);
  check(sd_bus_flush(bus), "signal");
}

static void wait_until(uint64_t ns) {
  struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: bluez ADDRESS N RATE\n");
    return 64;
  }
  unsigned long total = strtoul(arguments[2], NULL, 10), sent = 0;
  double rate = atof(arguments[3]);
  uint64_t start = 0;
  sd_bus *bus;
  check(sd_bus_new(&bus), "bus");
  check(sd_bus_set_address(bus, arguments[1]), arguments[1]);
  check(sd_bus_set_bus_client(bus, 1), arguments[1]);
  check(sd_bus_start(bus), arguments[1]);
  check(sd_bus_add_object(bus, NULL, "/", managed_objects, NULL), "/");
  check(sd_bus_add_object_vtable(bus, NULL, "/org/bluez/hci0", "org.bluez.Adapter1", adapter, NULL), "hci0");
  check(sd_bus_request_name(bus, "org.bluez", 0), "org.bluez");
  puts("READY");
  fflush(stdout);
  for (;;) {
    int more = sd_bus_process(bus, NULL);
    check(more, "bus");
    if (more)
      continue;
    if (!discovers || sent == total) {
      check(sd_bus_wait(bus, UINT64_MAX), "bus");
      continue;
    }
    // Half a second for the client to get the answer and go to sleep.
    if (!start)
      start = now() + 500000000;
    wait_until(start + (uint64_t)((double)sent * 1e9 / rate));
    report(bus, (unsigned)(sent * 7 % DEVICES), (int16_t)(-40 - (int)(sent * 31 % 50)));
    sent++;
  }
}
