// Receives N signals of `emit` and prints their latencies. Prints READY when it listens.
// usage: listen ADDRESS N
#include "bus.h"
#include "latency.h"

// Returns the time at which the signal was made, its last argument.
static uint64_t time_made(DBusMessage *signal) {
  const char *uuid;
  uint16_t major, minor;
  int16_t rssi;
  double distance;
  uint64_t time;
  DBusError error = DBUS_ERROR_INIT;
  dbus_message_get_args(signal, &error, DBUS_TYPE_STRING, &uuid, DBUS_TYPE_UINT16, &major, DBUS_TYPE_UINT16, &minor,
                        DBUS_TYPE_INT16, &rssi, DBUS_TYPE_DOUBLE, &distance, DBUS_TYPE_UINT64, &time, DBUS_TYPE_INVALID);
  check(&error, SIGNAL_MEMBER);
  return time;
}

int main(int count, char **arguments) {
  size_t total = count < 3 ? 0 : strtoull(arguments[2], NULL, 10);
  if (!total) {
    fprintf(stderr, "usage: listen ADDRESS N\n");
    return 64;
  }
  Latencies latencies = make_latencies(total);
  DBusConnection *bus = connect_to_bus(arguments[1]);
  listen_for(bus, "type='signal',interface='" SIGNAL_INTERFACE "'");
  puts("READY");
  fflush(stdout);
  while (latencies.count < total) {
    DBusMessage *signal = next_signal(bus, SIGNAL_INTERFACE, SIGNAL_MEMBER);
    note_latency(&latencies, time_made(signal));
    dbus_message_unref(signal);
  }
  print_latencies(&latencies);
  leave_bus(bus);
  return 0;
}
