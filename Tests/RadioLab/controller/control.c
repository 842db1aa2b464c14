#include "control.h"

#include "octets.h"
#include "plug.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char control_help[] =
  "advertise ID ADDRESS DATA INTERVAL RSSI [WORD...]  transmit every INTERVAL ms, or replace ID; RSSI may be a list: -60,-62,-64\n"
  "stop ID | stop all                                 end it, and for all also flood and lie\n"
  "report ADDRESS DATA RSSI [WORD...]                 transmit once\n"
  "event OCTETS                                       hand any HCI packet to the host, its type octet first\n"
  "flood COUNT RATE [DATA [RSSI]]                     COUNT transmissions, RATE a second, each from another random address\n"
  "lie RATE                                           malformed reports, RATE a second while scanning; 0 ends it\n"
  "duplicates strict | lenient                        obey the host's duplicate filter, or ignore it\n"
  "batch COUNT                                        up to COUNT reports in an event, collected for 20 ms\n"
  "hang, resume                                       answer and report nothing; go on\n"
  "deaf                                               report nothing until the host resets the controller\n"
  "unplug, replug [other]                             disappear; come back, with another index\n"
  "stats                                              one line of NAME=VALUE\n"
  "help                                               this\n"
  "ADDRESS is AA:BB:CC:DD:EE:FF, DATA and OCTETS are hexadecimal or -, WORD is connectable, scannable or public.\n";

enum { most_words = 16 };

struct reply {
  char *text;
  size_t size;
};

static void say(struct reply reply, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reply.text, reply.size, format, arguments);
  va_end(arguments);
}

static bool parse_number(const char *text, double least, double most, double *number) {
  char *end;
  *number = strtod(text, &end);
  return end != text && *end == 0 && *number >= least && *number <= most;
}

/// Reads address and data, then the words that follow them. Returns false after an error reply.
static bool parse_advertisement(
  const struct controller *controller, char *address, char *data, char **words, struct advertisement *advertisement, struct reply reply) {
  size_t length;
  advertisement->kind = nonconnectable;
  advertisement->random_address = true;
  if (!parse_address(address, advertisement->address)) return say(reply, "error: no address AA:BB:CC:DD:EE:FF: %s", address), false;
  if (!parse_octets(data, advertisement->data, controller->extended ? longest_data : longest_legacy_data, &length))
    return say(reply, "error: not hexadecimal, or too long: %s", data), false;
  advertisement->length = (uint16_t)length;
  for (; *words; words++) {
    if (strcmp(*words, "connectable") == 0) advertisement->kind = connectable;
    else if (strcmp(*words, "scannable") == 0) advertisement->kind = scannable;
    else if (strcmp(*words, "public") == 0) advertisement->random_address = false;
    else return say(reply, "error: not connectable, scannable or public: %s", *words), false;
  }
  return true;
}

static bool parse_rssi(const char *text, int8_t *rssi, struct reply reply) {
  double number;
  if (!parse_number(text, -128, 127, &number)) return say(reply, "error: no RSSI from -128 to 127 dBm: %s", text), false;
  *rssi = (int8_t)number;
  return true;
}

static void advertise(struct controller *controller, char **words, struct reply reply, int64_t now) {
  static struct advertiser advertiser;
  double interval;
  memset(&advertiser, 0, sizeof advertiser);
  if (strlen(words[0]) > longest_identifier) return say(reply, "error: identifier longer than %d: %s", longest_identifier, words[0]);
  strcpy(advertiser.identifier, words[0]);
  if (!parse_number(words[3], 0.05, 1e7, &interval)) return say(reply, "error: no interval in ms: %s", words[3]);
  advertiser.interval = (int64_t)(interval * 1e6);
  if (!parse_advertisement(controller, words[1], words[2], words + 5, &advertiser.advertisement, reply)) return;
  for (char *rest = words[4], *item; (item = strsep(&rest, ","));) {
    if (advertiser.rssi_count == most_rssi) return say(reply, "error: more than %d RSSI", most_rssi);
    if (!parse_rssi(item, &advertiser.rssi[advertiser.rssi_count++], reply)) return;
  }
  if (!air_add(&controller->air, &advertiser, now)) say(reply, "error: more than %d advertisers", most_advertisers);
}

static void stop(struct controller *controller, char **words, struct reply reply, __attribute__((unused)) int64_t now) {
  if (strcmp(words[0], "all") == 0) {
    controller->air.advertiser_count = 0;
    controller->air.crowd.left = 0;
    controller->air.lies.interval = 0;
  } else if (!air_remove(&controller->air, words[0])) {
    say(reply, "error: nothing advertises as %s", words[0]);
  }
}

static void report(struct controller *controller, char **words, struct reply reply, int64_t now) {
  struct advertisement advertisement;
  if (parse_advertisement(controller, words[0], words[1], words + 3, &advertisement, reply) &&
      parse_rssi(words[2], &advertisement.rssi, reply))
    air_transmit(controller, &advertisement, now);
}

static void event(struct controller *controller, char **words, struct reply reply, __attribute__((unused)) int64_t now) {
  uint8_t octets[1024];
  size_t length;
  if (!parse_octets(words[0], octets, sizeof octets, &length) || length == 0) say(reply, "error: not hexadecimal: %s", words[0]);
  else if (!controller_send(controller, octets, length)) say(reply, "error: the kernel refused the packet");
}

static void flood(struct controller *controller, char **words, struct reply reply, int64_t now) {
  // A manufacturer section of 0xffff, which belongs to no company.
  static char nobody[] = "020106050fffffff00", somewhere[] = "C0:00:00:00:00:00", weak[] = "-80";
  static struct advertisement advertisement;
  double count, rate;
  char *none[] = {NULL}, *data = words[2] ? words[2] : nobody, *rssi = words[2] && words[3] ? words[3] : weak;
  if (!parse_number(words[0], 0, 1e9, &count)) return say(reply, "error: no count: %s", words[0]);
  if (!parse_number(words[1], 0.001, 1e6, &rate)) return say(reply, "error: no rate a second: %s", words[1]);
  if (!parse_advertisement(controller, somewhere, data, none, &advertisement, reply)) return;
  if (!parse_rssi(rssi, &advertisement.rssi, reply)) return;
  controller->air.crowd.advertisement = advertisement;
  controller->air.crowd.left = (uint64_t)count;
  controller->air.crowd.interval = (int64_t)(1e9 / rate);
  controller->air.crowd.due = now;
}

static void lie(struct controller *controller, char **words, struct reply reply, int64_t now) {
  double rate;
  if (!parse_number(words[0], 0, 1e6, &rate)) return say(reply, "error: no rate a second: %s", words[0]);
  controller->air.lies.interval = rate > 0 ? (int64_t)(1e9 / rate) : 0;
  controller->air.lies.due = now;
}

static void duplicates(struct controller *controller, char **words, struct reply reply, __attribute__((unused)) int64_t now) {
  bool lenient = strcmp(words[0], "lenient") == 0;
  if (!lenient && strcmp(words[0], "strict") != 0) return say(reply, "error: not strict or lenient: %s", words[0]);
  controller->scanner.lenient = lenient;
}

static void batch(struct controller *controller, char **words, struct reply reply, __attribute__((unused)) int64_t now) {
  double count;
  if (!parse_number(words[0], 1, 25, &count)) return say(reply, "error: no count from 1 to 25: %s", words[0]);
  controller->air.batch = (unsigned)count;
}

#define REQUEST(name)                                                                                                                      \
  static void name(__attribute__((unused)) struct controller *controller, __attribute__((unused)) char **words,                            \
                   __attribute__((unused)) struct reply reply, __attribute__((unused)) int64_t now)

REQUEST(hang) { controller->hung = true; }
REQUEST(resume) { controller->hung = false; }
REQUEST(deaf) { controller->deaf = true; }
REQUEST(unplug) { controller_unplug(controller, now); }

REQUEST(replug) {
  if (words[0] && strcmp(words[0], "other") != 0) return say(reply, "error: not other: %s", words[0]);
  if (!controller_plug(controller, words[0] != NULL, now)) say(reply, "error: /dev/vhci: %m");
}

REQUEST(help) { say(reply, "%s", control_help); }

REQUEST(stats) {
  const struct scanner *scanner = &controller->scanner;
  const struct air *air = &controller->air;
  char data[2 * longest_data + 1];
  format_octets(controller->advertising_data, controller->advertising_length, data);
  say(reply,
      "index=%d scanning=%s filter-duplicates=%d accept-list-only=%d transmitted=%lu reported=%lu duplicates=%lu not-accepted=%lu lied=%lu "
      "refused=%lu flood-left=%lu commands=%lu unknown-commands=%lu advertising=%s",
      controller->index, !scanner->enabled ? "off" : scanner->active ? "active" : "passive", scanner->enabled && scanner->filter_duplicates,
      scanner->enabled && scanner->accept_list_only, air->transmitted, air->reported, air->duplicates, air->not_accepted, air->lied,
      air->refused, air->crowd.left, controller->commands, controller->unknown_commands, controller->advertising ? data : "off");
}

static const struct request {
  const char *name;
  int least, most;  // words after the name
  void (*execute)(struct controller *, char **words, struct reply, int64_t now);
} requests[] = {
  {"advertise", 5, 8, advertise}, {"stop", 1, 1, stop},     {"report", 3, 6, report}, {"event", 1, 1, event},
  {"flood", 2, 4, flood},         {"lie", 1, 1, lie},       {"batch", 1, 1, batch},   {"duplicates", 1, 1, duplicates},
  {"hang", 0, 0, hang},           {"deaf", 0, 0, deaf},     {"resume", 0, 0, resume}, {"unplug", 0, 0, unplug}, {"replug", 0, 1, replug},
  {"stats", 0, 0, stats},         {"help", 0, 0, help},
};

void control_execute(struct controller *controller, char *request, char *text, size_t size, int64_t now) {
  struct reply reply = {text, size};
  char *words[most_words + 1] = {NULL}, *word;
  int count = 0;
  *text = 0;
  while (count < most_words && (word = strsep(&request, " \n")))
    if (*word) words[count++] = word;
  if (count == 0) return say(reply, "error: no request\n%s", control_help);
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
    if (strcmp(words[0], requests[i].name) != 0) continue;
    if (count - 1 < requests[i].least || count - 1 > requests[i].most) break;
    return requests[i].execute(controller, words + 1, reply, now);
  }
  say(reply, "error: no such request\n%s", control_help);
}
