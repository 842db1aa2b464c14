// controller serve NUMBER [extended] [lenient]  makes a controller with the address B0:EC:AC:00:00:NUMBER and runs it until it is killed
// controller tell NUMBER REQUEST...             sends it a request; exits with 1 if it answers with an error
#define _GNU_SOURCE
#include "commands.h"
#include "control.h"
#include "octets.h"
#include "plug.h"
#include "vhci.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { longest_request = 8192, longest_reply = 8192 };

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(1);
}

/// Packets separate requests, so neither side has to look for the end of one.
static int control_socket(int number, struct sockaddr_un *address) {
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  snprintf(address->sun_path, sizeof address->sun_path, "/run/controller-%d", number);
  int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (descriptor < 0) fail("socket");
  return descriptor;
}

static void answer_tester(struct controller *controller, int listener) {
  static char request[longest_request + 1], reply[longest_reply];
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (client < 0) return;
  ssize_t length = recv(client, request, longest_request, 0);
  if (length > 0) {
    request[length] = 0;
    control_execute(controller, request, reply, sizeof reply, now());
    // The final zero is sent too: an empty packet would look like the end of the connection.
    send(client, reply, strlen(reply) + 1, MSG_NOSIGNAL);
  }
  close(client);
}

static void answer_host(struct controller *controller) {
  uint8_t packet[1100];
  ssize_t length = read(controller->vhci, packet, sizeof packet);
  if (length >= 4 && packet[0] == vendor_packet) controller->index = get16(packet + 2);
  else if (length > 0 && !controller->hung) command_answer(controller, packet, (size_t)length, now());
}

static int serve(int number, char **words) {
  static struct controller controller = {.address = {0x00, 0x00, 0x00, 0xac, 0xec, 0xb0}, .vhci = -1, .placeholder = -1, .index = -1};
  struct sockaddr_un address;
  controller.address[0] = (uint8_t)number;
  controller.air.batch = 1;
  controller.air.random = (uint64_t)number;
  for (; *words; words++) {
    controller.extended |= strcmp(*words, "extended") == 0;
    controller.scanner.lenient |= strcmp(*words, "lenient") == 0;
  }
  int listener = control_socket(number, &address);
  unlink(address.sun_path);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 16) < 0) fail(address.sun_path);
  if (!controller_plug(&controller, false, now())) fail("/dev/vhci");
  for (;;) {
    int64_t due = air_run(&controller, now()), wait = due - now();
    if (wait < 0) wait = 0;
    struct timespec timeout = {.tv_sec = wait / 1000000000, .tv_nsec = wait % 1000000000};
    struct pollfd events[] = {{.fd = controller.vhci, .events = POLLIN}, {.fd = listener, .events = POLLIN}};
    if (ppoll(events, 2, due == INT64_MAX ? NULL : &timeout, NULL) < 0 && errno != EINTR) fail("ppoll");
    if (events[0].revents & POLLIN) answer_host(&controller);
    if (events[1].revents & POLLIN) answer_tester(&controller, listener);
  }
}

static int tell(int number, char **words) {
  static char request[longest_request], reply[longest_reply + 1];
  struct sockaddr_un address;
  size_t length = 0;
  for (; *words && length < sizeof request; words++)
    length += (size_t)snprintf(request + length, sizeof request - length, "%s ", *words);
  if (length == 0 || length >= sizeof request) {
    fputs(control_help, stderr);
    return 2;
  }
  int descriptor = control_socket(number, &address);
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(address.sun_path);
  if (send(descriptor, request, length, MSG_NOSIGNAL) < 0 || recv(descriptor, reply, longest_reply, 0) <= 0) fail("controller");
  bool failed = strncmp(reply, "error: ", 7) == 0;
  if (*reply) fprintf(failed ? stderr : stdout, "%s\n", reply);
  return failed;
}

int main(int count, char **arguments) {
  int number = count > 2 ? atoi(arguments[2]) : 0;
  if (count > 2 && strcmp(arguments[1], "serve") == 0) return serve(number, arguments + 3);
  if (count > 3 && strcmp(arguments[1], "tell") == 0) return tell(number, arguments + 3);
  fprintf(stderr, "usage: controller serve NUMBER [extended] [lenient]\n       controller tell NUMBER REQUEST...\n\n%s", control_help);
  return 2;
}
