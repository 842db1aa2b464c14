// The yardstick for ranging: libdbus, and every second one Ranged of 100 beacons for each of many sessions. The names of their connections come on
// standard input. The arguments are written once a second and copied for each; writing them for each takes several times as long.
// usage: ranged ADDRESS SESSIONS SECONDS
#include "bus.h"
#include "latency.h"

#include <string.h>

enum { BEACONS = 100, MOST_NAMES = 1024 };

static void append_entry(DBusMessageIter *options, const char *key, int type, const void *value) {
  DBusMessageIter entry, variant;
  char signature[2] = {(char)type, 0};
  dbus_message_iter_open_container(options, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
  dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
  dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, signature, &variant);
  dbus_message_iter_append_basic(&variant, type, value);
  dbus_message_iter_close_container(&entry, &variant);
  dbus_message_iter_close_container(options, &entry);
}

static DBusMessage *write_signal(uint64_t time) {
  const char *uuid = "f7826da6-4fa2-4e98-8024-bc5b71e0893e", *proximity = "near";
  uint16_t major = 1;
  double distance = 1.5, accuracy = 0.3, rssi = -62.5, rate = 1;
  DBusMessage *message = dbus_message_new_signal("/", "org.beaconmon.Monitor1.Session", "Ranged");
  DBusMessageIter arguments, beacons, options;
  dbus_message_iter_init_append(message, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
  append_entry(&options, "uuid", DBUS_TYPE_STRING, &uuid);
  dbus_message_iter_close_container(&arguments, &options);
  dbus_message_iter_append_basic(&arguments, DBUS_TYPE_UINT64, &time);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "a{sv}", &beacons);
  for (uint16_t minor = 0; minor < BEACONS; minor++) {
    dbus_message_iter_open_container(&beacons, DBUS_TYPE_ARRAY, "{sv}", &options);
    append_entry(&options, "uuid", DBUS_TYPE_STRING, &uuid);
    append_entry(&options, "major", DBUS_TYPE_UINT16, &major);
    append_entry(&options, "minor", DBUS_TYPE_UINT16, &minor);
    append_entry(&options, "proximity", DBUS_TYPE_STRING, &proximity);
    append_entry(&options, "distance", DBUS_TYPE_DOUBLE, &distance);
    append_entry(&options, "accuracy", DBUS_TYPE_DOUBLE, &accuracy);
    append_entry(&options, "rssi", DBUS_TYPE_DOUBLE, &rssi);
    append_entry(&options, "rate", DBUS_TYPE_DOUBLE, &rate);
    append_entry(&options, "lastSeen", DBUS_TYPE_UINT64, &time);
    dbus_message_iter_close_container(&beacons, &options);
  }
  dbus_message_iter_close_container(&arguments, &beacons);
  return message;
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: ranged ADDRESS SESSIONS SECONDS\n");
    return 64;
  }
  unsigned long sessions = strtoul(arguments[2], NULL, 10), seconds = strtoul(arguments[3], NULL, 10), names = 0;
  static char receivers[MOST_NAMES][64];
  while (names < MOST_NAMES && fgets(receivers[names], sizeof receivers[names], stdin))
    receivers[names][strcspn(receivers[names], "\n")] = 0, names++;
  DBusConnection *bus = connect_to_bus(arguments[1]);
  uint64_t start = monotonic_ns();
  for (unsigned long second = 0; names && second < seconds; second++) {
    uint64_t due = start + second * 1000000000;
    struct timespec time = {(time_t)(due / 1000000000), (long)(due % 1000000000)};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
    DBusMessage *template = write_signal(due / 1000);
    for (unsigned long session = 0; session < sessions; session++) {
      char path[64];
      snprintf(path, sizeof path, "/org/beaconmon/Monitor1/session/%lu", session);
      DBusMessage *message = dbus_message_copy(template);
      dbus_message_set_path(message, path);
      dbus_message_set_destination(message, receivers[session % names]);
      dbus_connection_send(bus, message, NULL);
      dbus_message_unref(message);
    }
    dbus_message_unref(template);
    dbus_connection_flush(bus);
  }
  leave_bus(bus);
  return 0;
}
