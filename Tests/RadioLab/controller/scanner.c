#include "scanner.h"

#include <stdlib.h>
#include <string.h>

void scanner_enable(struct scanner *scanner, bool enabled, bool filter_duplicates, int64_t period, int64_t now) {
  scanner->enabled = enabled;
  scanner->filter_duplicates = filter_duplicates;
  scanner->period = period;
  scanner->period_end = now + period;
  scanner->seen_count = 0;
  if (scanner->seen) memset(scanner->seen, 0, scanner->seen_capacity * sizeof *scanner->seen);
}

/// FNV-1a over kind, address and data. Zero marks a free slot, so it is never returned.
static uint64_t fingerprint(const struct advertisement *advertisement) {
  uint64_t hash = 0xcbf29ce484222325;
  hash = (hash ^ advertisement->kind ^ (advertisement->random_address ? 0x80u : 0u)) * 0x100000001b3;
  for (int i = 0; i < 6; i++) hash = (hash ^ advertisement->address[i]) * 0x100000001b3;
  for (int i = 0; i < advertisement->length; i++) hash = (hash ^ advertisement->data[i]) * 0x100000001b3;
  return hash ? hash : 1;
}

/// Adds an entry to the set. Returns false if the set contains it already.
static bool remember(struct scanner *scanner, uint64_t hash) {
  if (2 * scanner->seen_count >= scanner->seen_capacity) {
    size_t old_capacity = scanner->seen_capacity;
    uint64_t *old = scanner->seen;
    scanner->seen_capacity = old_capacity ? 2 * old_capacity : 1024;
    scanner->seen = calloc(scanner->seen_capacity, sizeof *scanner->seen);
    if (!scanner->seen) abort();
    scanner->seen_count = 0;
    for (size_t i = 0; i < old_capacity; i++)
      if (old[i]) remember(scanner, old[i]);
    free(old);
  }
  size_t slot = hash & (scanner->seen_capacity - 1);
  while (scanner->seen[slot]) {
    if (scanner->seen[slot] == hash) return false;
    slot = (slot + 1) & (scanner->seen_capacity - 1);
  }
  scanner->seen[slot] = hash;
  scanner->seen_count++;
  return true;
}

static size_t position(const struct scanner *scanner, uint8_t type, const uint8_t address[6]) {
  size_t i = 0;
  while (i < scanner->accepted && (scanner->accept_list[i].type != type || memcmp(scanner->accept_list[i].address, address, 6) != 0)) i++;
  return i;
}

enum hearing scanner_hear(struct scanner *scanner, const struct advertisement *advertisement, int64_t now) {
  if (!scanner->enabled) return not_scanning;
  if (scanner->accept_list_only && position(scanner, advertisement->random_address, advertisement->address) == scanner->accepted)
    return not_accepted;
  if (!scanner->filter_duplicates || scanner->lenient) return heard;
  if (scanner->period && now >= scanner->period_end) scanner_enable(scanner, true, true, scanner->period, now);
  return remember(scanner, fingerprint(advertisement)) ? heard : duplicate;
}

bool scanner_accept(struct scanner *scanner, uint8_t type, const uint8_t address[6]) {
  if (position(scanner, type, address) < scanner->accepted) return true;
  if (scanner->accepted == accept_list_size) return false;
  scanner->accept_list[scanner->accepted].type = type;
  memcpy(scanner->accept_list[scanner->accepted++].address, address, 6);
  return true;
}

bool scanner_reject(struct scanner *scanner, uint8_t type, const uint8_t address[6]) {
  size_t i = position(scanner, type, address);
  if (i == scanner->accepted) return false;
  scanner->accept_list[i] = scanner->accept_list[--scanner->accepted];
  return true;
}
