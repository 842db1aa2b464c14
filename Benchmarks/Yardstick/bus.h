// A connection to a bus as in a simple C program: it blocks, and ends the program on any error.
#pragma once
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>

// The signal of the peers' D-Bus benchmarks: uuid, major, minor, rssi, distance, CLOCK_MONOTONIC in ns when it was made ("sqqndt").
#define SIGNAL_PATH "/org/beaconmon/Monitor"
#define SIGNAL_INTERFACE "org.beaconmon.Monitor1"
#define SIGNAL_MEMBER "BeaconRanged"

static inline void check(DBusError *error, const char *what) {
  if (!dbus_error_is_set(error))
    return;
  fprintf(stderr, "%s: %s\n", what, error->message);
  exit(69);
}

static inline DBusConnection *connect_to_bus(const char *address) {
  DBusError error = DBUS_ERROR_INIT;
  DBusConnection *bus = dbus_connection_open_private(address, &error);
  check(&error, address);
  dbus_bus_register(bus, &error);
  check(&error, address);
  return bus;
}

// Returns when the bus has processed the rule.
static inline void listen_for(DBusConnection *bus, const char *rule) {
  DBusError error = DBUS_ERROR_INIT;
  dbus_bus_add_match(bus, rule, &error);
  check(&error, rule);
}

// libdbus answers pings where messages are dispatched; here messages are taken directly.
static inline void answer_ping(DBusConnection *bus, DBusMessage *message) {
  if (!dbus_message_is_method_call(message, DBUS_INTERFACE_PEER, "Ping"))
    return;
  DBusMessage *reply = dbus_message_new_method_return(message);
  dbus_connection_send(bus, reply, NULL);
  dbus_connection_flush(bus);
  dbus_message_unref(reply);
}

// Waits for the next signal of this name, and answers pings. The caller releases the signal.
static inline DBusMessage *next_signal(DBusConnection *bus, const char *interface, const char *member) {
  for (;;) {
    DBusMessage *message = dbus_connection_pop_message(bus);
    if (!message) {
      if (!dbus_connection_read_write(bus, -1)) {
        fprintf(stderr, "the bus is gone\n");
        exit(69);
      }
      continue;
    }
    if (dbus_message_is_signal(message, interface, member))
      return message;
    answer_ping(bus, message);
    dbus_message_unref(message);
  }
}

static inline void leave_bus(DBusConnection *bus) {
  dbus_connection_close(bus);
  dbus_connection_unref(bus);
}

// Appends an a{sv} with one text; empty if the key is NULL.
static inline void append_options(DBusMessage *call, const char *key, const char *value) {
  DBusMessageIter arguments, options, entry, variant;
  dbus_message_iter_init_append(call, &arguments);
  dbus_message_iter_open_container(&arguments, DBUS_TYPE_ARRAY, "{sv}", &options);
  if (key) {
    dbus_message_iter_open_container(&options, DBUS_TYPE_DICT_ENTRY, NULL, &entry);
    dbus_message_iter_append_basic(&entry, DBUS_TYPE_STRING, &key);
    dbus_message_iter_open_container(&entry, DBUS_TYPE_VARIANT, "s", &variant);
    dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &value);
    dbus_message_iter_close_container(&entry, &variant);
    dbus_message_iter_close_container(&options, &entry);
  }
  dbus_message_iter_close_container(&arguments, &options);
}
