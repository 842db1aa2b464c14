// LE Advertising Report events, legacy and extended: Core Specification Vol 4 Part E 7.7.65.2 and 7.7.65.13.
#pragma once
#include "advertisement.h"
#include <stddef.h>

/// Type, event code, length and at most 255 octets of parameters.
enum { longest_event = 3 + 255 };

struct event {
  size_t length;
  uint8_t octets[longest_event];
};

/// Begins an event without reports.
void event_begin(struct event *event, bool extended);

/// Adds the next report of an advertisement from its octet `*sent` on, and advances `*sent`. Data longer than one extended report is sent in
/// fragments: call again until `*sent` is the whole length. Returns false if this event has no room for it.
bool event_add(struct event *event, bool extended, const struct advertisement *advertisement, size_t *sent);

unsigned event_reports(const struct event *event);
