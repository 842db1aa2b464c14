// The scanning half of a link layer: decides which transmissions become reports.
#pragma once
#include "advertisement.h"
#include <stddef.h>

enum { accept_list_size = 16 };

struct scanner {
  bool enabled, active;
  bool accept_list_only;
  bool filter_duplicates;
  /// A lenient controller ignores the duplicate filter, as some real ones do.
  bool lenient;
  /// The nanoseconds after which the duplicate filter forgets, 0 for never; extended scanning only.
  int64_t period, period_end;
  struct {
    uint8_t type, address[6];
  } accept_list[accept_list_size];
  size_t accepted;
  uint64_t *seen;
  size_t seen_count, seen_capacity;
};

enum hearing { not_scanning, not_accepted, duplicate, heard };

/// Starts or stops scanning, and clears the duplicate filter.
void scanner_enable(struct scanner *scanner, bool enabled, bool filter_duplicates, int64_t period, int64_t now);

/// Returns whether a transmission becomes a report now. A strict controller reports the same kind, address and data once.
enum hearing scanner_hear(struct scanner *scanner, const struct advertisement *advertisement, int64_t now);

/// Both return false if the list is full, or has no such entry.
bool scanner_accept(struct scanner *scanner, uint8_t type, const uint8_t address[6]);
bool scanner_reject(struct scanner *scanner, uint8_t type, const uint8_t address[6]);
