// The yardstick for sending: libdbus, one signal at each tick of a clock, or at full speed.
// usage: emit ADDRESS N RATE     RATE signals per second; 0: flat out, flushed after every 32
#include "bus.h"
#include "latency.h"

enum { BURST = 32 };

static void wait_until(uint64_t ns) {
  struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
}

static void send_signal(DBusConnection *bus, uint16_t minor) {
  const char *uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e";
  uint16_t major = 1;
  int16_t rssi = -60;
  double distance = 1.5;
  uint64_t time = monotonic_ns();
  DBusMessage *message = dbus_message_new_signal(SIGNAL_PATH, SIGNAL_INTERFACE, SIGNAL_MEMBER);
  dbus_message_append_args(message, DBUS_TYPE_STRING, &uuid, DBUS_TYPE_UINT16, &major, DBUS_TYPE_UINT16, &minor, DBUS_TYPE_INT16,
                           &rssi, DBUS_TYPE_DOUBLE, &distance, DBUS_TYPE_UINT64, &time, DBUS_TYPE_INVALID);
  dbus_connection_send(bus, message, NULL);
  dbus_message_unref(message);
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: emit ADDRESS N RATE\n");
    return 64;
  }
  DBusConnection *bus = connect_to_bus(arguments[1]);
  uint64_t total = strtoull(arguments[2], NULL, 10);
  double rate = atof(arguments[3]);
  uint64_t start = monotonic_ns();
  for (uint64_t number = 0; number < total; number++) {
    if (rate > 0)
      wait_until(start + (uint64_t)((double)number * 1e9 / rate));
    send_signal(bus, (uint16_t)number);
    if (rate > 0 || number % BURST == BURST - 1)
      dbus_connection_flush(bus);
  }
  dbus_connection_flush(bus);
  leave_bus(bus);
  return 0;
}
