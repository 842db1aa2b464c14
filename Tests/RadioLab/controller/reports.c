#include "reports.h"

#include "octets.h"
#include "vhci.h"
#include <string.h>

enum {
  le_meta_event = 0x3e,
  advertising_report = 0x02,
  extended_advertising_report = 0x0d,
  legacy_overhead = 10,
  extended_overhead = 24,
  longest_fragment = 229
};

/// Positions in an event.
enum { parameter_length = 2, subevent = 3, report_count = 4, first_report = 5 };

void event_begin(struct event *event, bool extended) {
  event->octets[0] = event_packet;
  event->octets[1] = le_meta_event;
  event->octets[subevent] = extended ? extended_advertising_report : advertising_report;
  event->octets[report_count] = 0;
  event->length = first_report;
}

unsigned event_reports(const struct event *event) { return event->octets[report_count]; }

/// Legacy PDUs keep their kind in bits 0-4 of the extended event type; longer data can only come from extended PDUs.
static uint16_t extended_type(const struct advertisement *advertisement, bool more) {
  uint16_t incomplete = more ? 1 << 5 : 0;
  bool legacy = advertisement->length <= longest_legacy_data;
  switch (advertisement->kind) {
    case connectable: return legacy ? 0x13 : (uint16_t)(0x01 | incomplete);
    case scannable: return legacy ? 0x12 : (uint16_t)(0x02 | incomplete);
    case scan_response: return legacy ? 0x1b : (uint16_t)(0x09 | incomplete);
    default: return legacy ? 0x10 : incomplete;
  }
}

static uint8_t *add_address(uint8_t *at, const struct advertisement *advertisement) {
  *at++ = advertisement->random_address;
  memcpy(at, advertisement->address, 6);
  return at + 6;
}

bool event_add(struct event *event, bool extended, const struct advertisement *advertisement, size_t *sent) {
  size_t length = advertisement->length - *sent;
  bool more = length > longest_fragment;
  if (more) length = longest_fragment;
  if (event->length + (extended ? extended_overhead : legacy_overhead) + length > longest_event) return false;

  uint8_t *at = event->octets + event->length;
  if (extended) {
    put16(at, extended_type(advertisement, more));
    at = add_address(at + 2, advertisement);
    *at++ = 1;                                                       // primary PHY: LE 1M
    *at++ = advertisement->length <= longest_legacy_data ? 0 : 1;    // secondary PHY: none, or LE 1M
    *at++ = advertisement->length <= longest_legacy_data ? 0xff : 0; // advertising SID: none, or 0
    *at++ = 127;                                                     // transmit power: not available
    *at++ = (uint8_t)advertisement->rssi;
    memset(at, 0, 9);  // periodic interval and direct address: none
    at += 9;
    *at++ = (uint8_t)length;
    memcpy(at, advertisement->data + *sent, length);
    at += length;
  } else {
    *at++ = (uint8_t)advertisement->kind;
    at = add_address(at, advertisement);
    *at++ = (uint8_t)length;
    memcpy(at, advertisement->data + *sent, length);
    at += length;
    *at++ = (uint8_t)advertisement->rssi;
  }
  *sent += length;
  event->octets[report_count]++;
  event->length = (size_t)(at - event->octets);
  event->octets[parameter_length] = (uint8_t)(event->length - subevent);
  return true;
}
