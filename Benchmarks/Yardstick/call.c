// Reads the property SourceState of a service N times, one call after the other, and prints the latencies. The first tenth warms up and does not count.
// usage: call ADDRESS SERVICE N
#include "bus.h"
#include "latency.h"

int main(int count, char **arguments) {
  unsigned long total = count < 4 ? 0 : strtoul(arguments[3], NULL, 10);
  if (!total) {
    fprintf(stderr, "usage: call ADDRESS SERVICE N\n");
    return 64;
  }
  const char *interface = "org.beaconmon.Monitor1.Manager", *property = "SourceState";
  Latencies latencies = make_latencies(total);
  DBusConnection *bus = connect_to_bus(arguments[1]);
  for (unsigned long number = 0; number < total; number++) {
    uint64_t start = monotonic_ns();
    DBusMessage *call =
        dbus_message_new_method_call(arguments[2], "/org/beaconmon/Monitor1", "org.freedesktop.DBus.Properties", "Get");
    dbus_message_append_args(call, DBUS_TYPE_STRING, &interface, DBUS_TYPE_STRING, &property, DBUS_TYPE_INVALID);
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 20000, &error);
    check(&error, arguments[2]);
    if (number >= total / 10)
      note_latency(&latencies, start);
    dbus_message_unref(reply);
    dbus_message_unref(call);
  }
  print_latencies(&latencies);
  leave_bus(bus);
  return 0;
}
