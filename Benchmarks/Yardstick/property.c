// A libdbus service with one property: it answers every call with the variant "scanning", as Properties.Get does. Prints its name when it listens.
// usage: property ADDRESS
#include "bus.h"

int main(int count, char **arguments) {
  if (count < 2) {
    fprintf(stderr, "usage: property ADDRESS\n");
    return 64;
  }
  DBusConnection *bus = connect_to_bus(arguments[1]);
  puts(dbus_bus_get_unique_name(bus));
  fflush(stdout);
  while (dbus_connection_read_write(bus, -1)) {
    for (DBusMessage *call; (call = dbus_connection_pop_message(bus)); dbus_message_unref(call)) {
      if (dbus_message_get_type(call) != DBUS_MESSAGE_TYPE_METHOD_CALL)
        continue;
      const char *text = "scanning";
      DBusMessage *reply = dbus_message_new_method_return(call);
      DBusMessageIter arguments_of_reply, variant;
      dbus_message_iter_init_append(reply, &arguments_of_reply);
      dbus_message_iter_open_container(&arguments_of_reply, DBUS_TYPE_VARIANT, "s", &variant);
      dbus_message_iter_append_basic(&variant, DBUS_TYPE_STRING, &text);
      dbus_message_iter_close_container(&arguments_of_reply, &variant);
      dbus_connection_send(bus, reply, NULL);
      dbus_message_unref(reply);
    }
  }
  return 0;
}
