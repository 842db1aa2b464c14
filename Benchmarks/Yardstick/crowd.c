// Connections that receive Ranged, and answer pings as any binding does. With a UUID, each opens SESSIONS sessions of beaconmond and ranges it in all of
// them. Prints the connections' names, one a line, then READY, and for every line on standard input the signals so far. Ends with standard input.
// usage: crowd ADDRESS CONNECTIONS SESSIONS [UUID]
#include "bus.h"

#include <poll.h>
#include <string.h>

static const char service[] = "org.beaconmon.Monitor1", session_interface[] = "org.beaconmon.Monitor1.Session";
static unsigned long heard;

static DBusHandlerResult hear(DBusConnection *bus, DBusMessage *message, void *data) {
  (void)bus, (void)data;
  heard += (unsigned long)dbus_message_is_signal(message, session_interface, "Ranged");
  return DBUS_HANDLER_RESULT_NOT_YET_HANDLED;
}

static DBusMessage *ask(DBusConnection *bus, DBusMessage *call, const char *what) {
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, call, 20000, &error);
  check(&error, what);
  dbus_message_unref(call);
  return reply;
}

static void open_session(DBusConnection *bus, const char *uuid) {
  DBusMessage *call = dbus_message_new_method_call(service, "/org/beaconmon/Monitor1", "org.beaconmon.Monitor1.Manager", "CreateSession");
  append_options(call, "purpose", "a benchmark");
  DBusMessage *reply = ask(bus, call, "CreateSession");
  const char *path;
  DBusError error = DBUS_ERROR_INIT;
  dbus_message_get_args(reply, &error, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID);
  check(&error, "CreateSession");
  call = dbus_message_new_method_call(service, path, session_interface, "StartRanging");
  append_options(call, "uuid", uuid);
  dbus_message_unref(ask(bus, call, "StartRanging"));
  dbus_message_unref(reply);
}

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: crowd ADDRESS CONNECTIONS SESSIONS [UUID]\n");
    return 64;
  }
  unsigned long connections = strtoul(arguments[2], NULL, 10), sessions = strtoul(arguments[3], NULL, 10);
  DBusConnection **buses = calloc(connections, sizeof *buses);
  struct pollfd *descriptors = calloc(connections + 1, sizeof *descriptors);
  for (unsigned long number = 0; number < connections; number++) {
    buses[number] = connect_to_bus(arguments[1]);
    dbus_connection_add_filter(buses[number], hear, NULL, NULL);
    dbus_connection_get_unix_fd(buses[number], &descriptors[number].fd);
    descriptors[number].events = POLLIN;
    for (unsigned long session = 0; count > 4 && session < sessions; session++)
      open_session(buses[number], arguments[4]);
    puts(dbus_bus_get_unique_name(buses[number]));
  }
  descriptors[connections] = (struct pollfd){.fd = 0, .events = POLLIN};
  puts("READY");
  fflush(stdout);
  for (char line[64];;) {
    poll(descriptors, connections + 1, -1);
    for (unsigned long number = 0; number < connections; number++) {
      if (!dbus_connection_read_write(buses[number], 0))
        return 69;
      while (dbus_connection_dispatch(buses[number]) == DBUS_DISPATCH_DATA_REMAINS)
        ;
    }
    if (!descriptors[connections].revents)
      continue;
    if (!fgets(line, sizeof line, stdin))
      return 0;
    printf("%lu\n", heard);
    fflush(stdout);
  }
}
