#include "air.h"

#include "controller.h"
#include "reports.h"
#include <string.h>

static const int64_t patience = 100000000;
/// The time for which a controller collects several reports for one event.
static const int64_t gathering = 20000000;

/// splitmix64: small, fast, and the same sequence on every run.
static uint64_t random64(struct air *air) {
  uint64_t z = air->random += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

bool air_add(struct air *air, const struct advertiser *advertiser, int64_t now) {
  air_remove(air, advertiser->identifier);
  if (air->advertiser_count == most_advertisers) return false;
  struct advertiser *added = &air->advertisers[air->advertiser_count++];
  *added = *advertiser;
  // Beacons are not synchronous: the golden ratio spreads any number of them over the interval.
  added->due = now + (int64_t)((double)added->interval * (double)(air->advertiser_count * 618 % 1000) / 1000);
  return true;
}

bool air_remove(struct air *air, const char *identifier) {
  for (size_t i = 0; i < air->advertiser_count; i++) {
    if (strcmp(air->advertisers[i].identifier, identifier) == 0) {
      air->advertisers[i] = air->advertisers[--air->advertiser_count];
      return true;
    }
  }
  return false;
}

/// Reports that wait for their event.
struct outbox {
  struct controller *controller;
  struct event event;
};

static void outbox_flush(struct outbox *outbox) {
  struct air *air = &outbox->controller->air;
  unsigned reports = event_reports(&outbox->event);
  if (reports == 0) return;
  if (controller_send(outbox->controller, outbox->event.octets, outbox->event.length)) air->reported += reports;
  else air->refused++;
  event_begin(&outbox->event, outbox->controller->extended);
}

static void outbox_add(struct outbox *outbox, const struct advertisement *advertisement) {
  struct controller *controller = outbox->controller;
  for (size_t sent = 0;;) {
    if (!event_add(&outbox->event, controller->extended, advertisement, &sent)) {
      outbox_flush(outbox);
      continue;
    }
    if (event_reports(&outbox->event) >= controller->air.batch) outbox_flush(outbox);
    if (sent == advertisement->length) return;
  }
}

static void transmit(struct outbox *outbox, const struct advertisement *advertisement, int64_t now) {
  struct controller *controller = outbox->controller;
  struct air *air = &controller->air;
  if (controller->hung || controller->deaf || controller->vhci < 0) return;
  enum hearing hearing = scanner_hear(&controller->scanner, advertisement, now);
  air->transmitted += hearing != not_scanning;
  air->duplicates += hearing == duplicate;
  air->not_accepted += hearing == not_accepted;
  if (hearing != heard) return;
  outbox_add(outbox, advertisement);
  if (controller->scanner.active && (advertisement->kind == connectable || advertisement->kind == scannable)) {
    // The kernel keeps a scannable report back until the answer to the scan request comes; ours is empty.
    struct advertisement response = *advertisement;
    response.kind = scan_response;
    response.length = 0;
    outbox_add(outbox, &response);
  }
}

static struct outbox outbox_for(struct controller *controller) {
  struct outbox outbox = {.controller = controller};
  event_begin(&outbox.event, controller->extended);
  return outbox;
}

void air_transmit(struct controller *controller, const struct advertisement *advertisement, int64_t now) {
  struct outbox outbox = outbox_for(controller);
  transmit(&outbox, advertisement, now);
  outbox_flush(&outbox);
}

/// Sends one malformed event, each time with another fault in the same iBeacon.
static void lie(struct controller *controller) {
  static const uint8_t frame[] = {0x02, 0x01, 0x06, 0x1a, 0xff, 0x4c, 0x00, 0x02, 0x15, 0xde, 0xad, 0xde, 0xad, 0xde, 0xad,
                                  0xde, 0xad, 0xde, 0xad, 0xde, 0xad, 0xde, 0xad, 0xde, 0xad, 0x00, 0x01, 0x00, 0x01, 0xc5};
  enum { data_offset = 14, extended_data_offset = 29 };
  struct advertisement advertisement = {.kind = nonconnectable, .random_address = true, .rssi = -50, .length = sizeof frame};
  memcpy(advertisement.address, (const uint8_t[6]){0x01, 0x00, 0x00, 0xad, 0xde, 0xc0}, 6);
  memcpy(advertisement.data, frame, sizeof frame);
  struct event event;
  size_t sent = 0;
  event_begin(&event, controller->extended);
  event_add(&event, controller->extended, &advertisement, &sent);
  uint8_t *octets = event.octets, *data = octets + (controller->extended ? extended_data_offset : data_offset);
  switch (controller->air.lies.next++ % 9) {
    case 0: data[-1] = 200; break;                // data longer than the event
    case 1: octets[4] = 25; break;                // 25 reports, and there is one
    case 2: octets[2] = 255; break;               // an event longer than its packet
    case 3: event.length = 4, octets[2] = 1; break;  // an event that ends after its subevent code
    case 4: event.length -= 9; break;             // a packet cut off
    case 5: data[3] = 0xff; break;                // an AD structure beyond the data
    case 6: data[0] = 0; break;                   // an AD structure of length zero, then more
    case 7: octets[4] = 0; break;                 // no report, and there is one
    default:                                      // anything
      for (size_t i = 5; i < event.length; i++) octets[i] = (uint8_t)random64(&controller->air);
  }
  if (controller_send(controller, octets, event.length)) controller->air.lied++;
  else controller->air.refused++;
}

/// Returns true if an interval has passed, and starts the next one.
static bool take_turn(int64_t *due, int64_t interval, int64_t now) {
  if (*due > now) return false;
  if (*due < now - patience) *due = now;
  *due += interval;
  return true;
}

int64_t air_run(struct controller *controller, int64_t now) {
  struct air *air = &controller->air;
  struct outbox outbox = outbox_for(controller);
  int64_t next = INT64_MAX;
  for (size_t i = 0; i < air->advertiser_count; i++) {
    struct advertiser *advertiser = &air->advertisers[i];
    while (take_turn(&advertiser->due, advertiser->interval, now)) {
      advertiser->advertisement.rssi = advertiser->rssi[advertiser->rssi_next++ % advertiser->rssi_count];
      transmit(&outbox, &advertiser->advertisement, now);
    }
    if (advertiser->due < next) next = advertiser->due;
  }
  while (air->crowd.left && take_turn(&air->crowd.due, air->crowd.interval, now)) {
    uint64_t address = random64(air);
    memcpy(air->crowd.advertisement.address, &address, 6);
    air->crowd.advertisement.address[5] &= 0x3f;  // the two highest bits clear: a non-resolvable private address
    transmit(&outbox, &air->crowd.advertisement, now);
    air->crowd.left--;
  }
  if (air->crowd.left && air->crowd.due < next) next = air->crowd.due;
  outbox_flush(&outbox);
  while (air->lies.interval && take_turn(&air->lies.due, air->lies.interval, now))
    if (controller->scanner.enabled && !controller->hung && controller->vhci >= 0) lie(controller);
  if (air->lies.interval && air->lies.due < next) next = air->lies.due;
  return air->batch > 1 && next < now + gathering ? now + gathering : next;
}
