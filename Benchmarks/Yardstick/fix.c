// Measures the time from the last line of a receiver's epoch to the location in a client. Simulates a receiver of NMEA 0183 that beaconmond reads, opens
// a session, and prints the time of each LocationUpdated since the line was written. The first tenth warms up and does not count.
// Prints the receiver first, in the form of [location.nmea] in the daemon's config. Prints last the latencies of as many Pings in between, which show
// how long the machine takes to wake the same processes.
//
// Over tcp the daemon can read a line once it is written. A line written to a pseudo-terminal, pty, is carried to the other end by a kernel thread,
// which waits for its turn on a busy machine.
// usage: fix ADDRESS N tcp|pty
#define _GNU_SOURCE
#include "bus.h"
#include "latency.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#define NAME "org.beaconmon.Monitor1"
#define SESSION NAME ".Session"

// The pause between two epochs, so that the daemon is asleep when one comes. Receivers take longer.
static const struct timespec pause_between = {0, 5000000};

static void put(int line, const char *content) {
  unsigned sum = 0;
  for (const char *octet = content; *octet; octet++)
    sum ^= (unsigned char)*octet;
  char text[192];
  int size = snprintf(text, sizeof text, "$%s*%02X\r\n", content, sum);
  if (write(line, text, (size_t)size) == size)
    return;
  perror("the line");
  exit(74);
}

// Sends one epoch of two sentences, RMC last. Returns the time just before RMC was written.
static uint64_t put_epoch(int line, unsigned long number) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  struct tm utc;
  gmtime_r(&now.tv_sec, &utc);
  char place[64], content[160], clock[32], date[16];
  // Each epoch is eleven metres north of the one before.
  double minutes = (double)(number % 10000) * 1e-4 * 60;
  snprintf(place, sizeof place, "%02d%09.6f,N,01300.000000,E", 52 + (int)(minutes / 60), fmod(minutes, 60));
  char seconds[16];
  strftime(seconds, sizeof seconds, "%H%M%S", &utc);
  strftime(date, sizeof date, "%d%m%y", &utc);
  snprintf(clock, sizeof clock, "%s.%03u", seconds, (unsigned)(now.tv_nsec / 1000000) % 1000);
  snprintf(content, sizeof content, "GPGGA,%s,%s,1,08,1.0,40.0,M,40.0,M,,", clock, place);
  put(line, content);
  snprintf(content, sizeof content, "GPRMC,%s,A,%s,23.0,0.0,%s,,,A", clock, place, date);
  uint64_t start = monotonic_ns();
  put(line, content);
  return start;
}

static void no(const char *what) {
  perror(what);
  exit(71);
}

static int open_pty(void) {
  int line = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (line < 0 || grantpt(line) || unlockpt(line))
    no("/dev/ptmx");
  printf("device = \"%s\"\n", ptsname(line));
  return line;
}

static int open_port(void) {
  int port = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  if (port < 0 || bind(port, (struct sockaddr *)&address, size) || listen(port, 1) || getsockname(port, (struct sockaddr *)&address, &size))
    no("a port");
  printf("address = \"127.0.0.1:%d\"\n", ntohs(address.sin_port));
  return port;
}

static int accept_daemon(int port) {
  int line = accept(port, NULL, NULL), one = 1;
  if (line < 0 || setsockopt(line, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one))
    no("the daemon's connection");
  return line;
}

// Calls with one a{sv} and waits for the answer, which the caller releases.
static DBusMessage *call(DBusConnection *bus, const char *path, const char *interface, const char *member, const char *key, const char *value) {
  DBusMessage *message = dbus_message_new_method_call(NAME, path, interface, member);
  append_options(message, key, value);
  DBusError error = DBUS_ERROR_INIT;
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, message, 20000, &error);
  check(&error, member);
  dbus_message_unref(message);
  return reply;
}

static void ask(DBusConnection *bus, Latencies *questions) {
  nanosleep(&pause_between, NULL);
  DBusMessage *ping = dbus_message_new_method_call(NAME, "/org/beaconmon/Monitor1", DBUS_INTERFACE_PEER, "Ping");
  DBusError error = DBUS_ERROR_INIT;
  uint64_t start = monotonic_ns();
  DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, ping, 20000, &error);
  check(&error, "Ping");
  note_latency(questions, start);
  dbus_message_unref(ping);
  dbus_message_unref(reply);
}

// Waits until the name has an owner.
static void wait_for_daemon(DBusConnection *bus) {
  DBusError error = DBUS_ERROR_INIT;
  const struct timespec moment = {0, 20000000};
  while (!dbus_bus_name_has_owner(bus, NAME, &error)) {
    check(&error, NAME);
    nanosleep(&moment, NULL);
  }
}

static void start_updating(DBusConnection *bus) {
  DBusMessage *reply = call(bus, "/org/beaconmon/Monitor1", NAME ".Manager", "CreateSession", "purpose", "Measures");
  const char *path;
  DBusError error = DBUS_ERROR_INIT;
  dbus_message_get_args(reply, &error, DBUS_TYPE_OBJECT_PATH, &path, DBUS_TYPE_INVALID);
  check(&error, "CreateSession");
  dbus_message_unref(call(bus, path, SESSION, "StartUpdatingLocation", NULL, NULL));
  dbus_message_unref(reply);
}

int main(int count, char **arguments) {
  unsigned long total = count < 4 ? 0 : strtoul(arguments[2], NULL, 10);
  if (!total) {
    fprintf(stderr, "usage: fix ADDRESS N tcp|pty\n");
    return 64;
  }
  bool by_tcp = !strcmp(arguments[3], "tcp");
  int line = by_tcp ? open_port() : open_pty();
  fflush(stdout);
  Latencies latencies = make_latencies(total), questions = make_latencies(total);
  DBusConnection *bus = connect_to_bus(arguments[1]);
  wait_for_daemon(bus);
  start_updating(bus);
  if (by_tcp)
    line = accept_daemon(line);
  // The daemon may not have opened the line yet.
  for (int attempt = 0; attempt < 20; attempt++) {
    put_epoch(line, 0);
    const struct timespec while_it_opens = {0, 50000000};
    nanosleep(&while_it_opens, NULL);
  }
  // Reads all signals that followed.
  while (dbus_connection_read_write(bus, 300) && dbus_connection_get_dispatch_status(bus) == DBUS_DISPATCH_DATA_REMAINS)
    for (DBusMessage *message; (message = dbus_connection_pop_message(bus)); dbus_message_unref(message))
      answer_ping(bus, message);
  for (unsigned long number = 1; number <= total; number++) {
    nanosleep(&pause_between, NULL);
    uint64_t start = put_epoch(line, number);
    DBusMessage *signal = next_signal(bus, SESSION, "LocationUpdated");
    if (number > total / 10)
      note_latency(&latencies, start);
    dbus_message_unref(signal);
    if (number > total / 10)
      ask(bus, &questions);
  }
  print_latencies(&latencies);
  print_latencies(&questions);
  close(line);
  leave_bus(bus);
  return 0;
}
