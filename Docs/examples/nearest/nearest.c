/* Prints the nearest beacon once a second. sd-bus, from libsystemd:  cc -o nearest nearest.c $(pkg-config --cflags --libs libsystemd) */

#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>

static const char *name = "org.beaconmon.Monitor1", *root = "/org/beaconmon/Monitor1";

/* One beacon, an a{sv}. The program ignores other keys. */
static int print_beacon(sd_bus_message *m) {
  unsigned short major = 0, minor = 0;
  const char *key, *proximity = "unknown";
  int r = sd_bus_message_enter_container(m, 'a', "{sv}");
  while (r >= 0 && (r = sd_bus_message_enter_container(m, 'e', "sv")) > 0) {
    r = sd_bus_message_read(m, "s", &key);
    if (r >= 0 && strcmp(key, "major") == 0) r = sd_bus_message_read(m, "v", "q", &major);
    else if (r >= 0 && strcmp(key, "minor") == 0) r = sd_bus_message_read(m, "v", "q", &minor);
    else if (r >= 0 && strcmp(key, "proximity") == 0) r = sd_bus_message_read(m, "v", "s", &proximity);
    else if (r >= 0) r = sd_bus_message_skip(m, "v");
    if (r >= 0) r = sd_bus_message_exit_container(m);
  }
  if (r < 0) return r;
  printf("%u/%u %s\n", major, minor, proximity);
  return fflush(stdout);
}

static int ranged(sd_bus_message *m, void *data, sd_bus_error *error) {
  int r = sd_bus_message_skip(m, "a{sv}t");
  if (r >= 0) r = sd_bus_message_enter_container(m, 'a', "a{sv}");
  if (r < 0) return r;
  if (sd_bus_message_at_end(m, 0)) return puts("nothing near") < 0 ? -1 : fflush(stdout);
  return print_beacon(m);
}

int main(int argc, char **argv) {
  const char *uuid = argc > 1 ? argv[1] : "8ec76ea3-6668-48da-9866-75be8bc86f4d", *session;
  sd_bus_error error = SD_BUS_ERROR_NULL;
  sd_bus_message *reply = NULL;
  sd_bus *bus = NULL;
  int r = sd_bus_open_system(&bus);
  if (r >= 0) r = sd_bus_match_signal(bus, NULL, name, NULL, "org.beaconmon.Monitor1.Session", "Ranged", ranged, NULL);
  if (r >= 0)
    r = sd_bus_call_method(bus, name, root, "org.beaconmon.Monitor1.Manager", "CreateSession", &error, &reply, "a{sv}", 1, "purpose", "s",
                           "Shows the exhibit you stand at");
  if (r >= 0) r = sd_bus_message_read(reply, "o", &session);
  if (r >= 0)
    r = sd_bus_call_method(bus, name, session, "org.beaconmon.Monitor1.Session", "StartRanging", &error, NULL, "a{sv}", 1, "uuid", "s", uuid);
  while (r >= 0) {
    r = sd_bus_process(bus, NULL);
    if (r == 0) r = sd_bus_wait(bus, UINT64_MAX);
  }
  fprintf(stderr, "%s\n", error.message ? error.message : strerror(-r));
  sd_bus_error_free(&error);
  sd_bus_message_unref(reply);
  sd_bus_flush_close_unref(bus);
  return 1;
}
