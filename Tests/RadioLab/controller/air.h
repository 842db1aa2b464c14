// What is in the air around the controller: advertisers that repeat, crowds that pass once, and malformed reports.
#pragma once
#include "advertisement.h"
#include <stddef.h>

struct controller;

enum { most_advertisers = 512, most_rssi = 64, longest_identifier = 31 };

struct advertiser {
  char identifier[longest_identifier + 1];
  struct advertisement advertisement;
  int64_t interval, due;  // nanoseconds, CLOCK_MONOTONIC
  /// Strengths in turn, dBm.
  int8_t rssi[most_rssi];
  unsigned rssi_count, rssi_next;
};

struct air {
  struct advertiser advertisers[most_advertisers];
  size_t advertiser_count;

  /// Each transmission of the crowd has another random address.
  struct {
    uint64_t left;
    int64_t interval, due;
    struct advertisement advertisement;
  } crowd;

  /// Malformed events while `interval` is not 0.
  struct {
    int64_t interval, due;
    unsigned next;
  } lies;

  /// Reports per event, at most.
  unsigned batch;

  uint64_t random;  // state of the generator
  /// Counted since the controller was made: in the air while scanning, handed to the host, held back by the duplicate filter or the accept
  /// list, malformed events, packets that the kernel refused.
  uint64_t transmitted, reported, duplicates, not_accepted, lied, refused;
};

/// Adds an advertiser, or replaces the one of the same identifier. False if there are too many.
bool air_add(struct air *air, const struct advertiser *advertiser, int64_t now);

/// False if there is no such advertiser.
bool air_remove(struct air *air, const char *identifier);

/// Sends everything that is due and returns when the next is, INT64_MAX for never. What was due more than 100 ms ago is put off: a
/// stalled machine must not make a beacon transmit in bursts.
int64_t air_run(struct controller *controller, int64_t now);

/// Transmits once, now.
void air_transmit(struct controller *controller, const struct advertisement *advertisement, int64_t now);
