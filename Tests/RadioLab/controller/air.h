// The transmissions around the controller: advertisers that repeat, crowds that pass once, and malformed reports.
#pragma once
#include "advertisement.h"
#include <stddef.h>

struct controller;

enum { most_advertisers = 512, most_rssi = 64, longest_identifier = 31 };

struct advertiser {
  char identifier[longest_identifier + 1];
  struct advertisement advertisement;
  int64_t interval, due;  // nanoseconds, CLOCK_MONOTONIC
  /// The strengths in dBm, used in turn.
  int8_t rssi[most_rssi];
  unsigned rssi_count, rssi_next;
};

struct air {
  struct advertiser advertisers[most_advertisers];
  size_t advertiser_count;

  /// Each transmission of the crowd has a new random address.
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
  /// Counts since the controller was made: transmissions during a scan, those handed to the host, those held back by the duplicate filter or the
  /// accept list, malformed events, and packets that the kernel refused.
  uint64_t transmitted, reported, duplicates, not_accepted, lied, refused;
};

/// Adds an advertiser, or replaces the one with the same identifier. Returns false if there are too many.
bool air_add(struct air *air, const struct advertiser *advertiser, int64_t now);

/// Removes an advertiser. Returns false if it does not exist.
bool air_remove(struct air *air, const char *identifier);

/// Sends everything that is due and returns the time of the next transmission, INT64_MAX for never. A transmission that was due more than 100 ms
/// ago is postponed: a stalled machine must not make a beacon transmit in bursts.
int64_t air_run(struct controller *controller, int64_t now);

/// Transmits once, now.
void air_transmit(struct controller *controller, const struct advertisement *advertisement, int64_t now);
