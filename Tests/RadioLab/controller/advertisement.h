// One transmission of an advertiser.
#pragma once
#include <stdbool.h>
#include <stdint.h>

/// Longest advertising data of one report, Core Specification Vol 4 Part E 7.8.54.
enum { longest_data = 1650, longest_legacy_data = 31 };

/// The event types of LE Advertising Report, Vol 4 Part E 7.7.65.2.
enum kind { connectable = 0, scannable = 2, nonconnectable = 3, scan_response = 4 };

struct advertisement {
  enum kind kind;
  bool random_address;
  uint8_t address[6];  // least significant octet first
  int8_t rssi;         // dBm; 127 is "not available"
  uint16_t length;
  uint8_t data[longest_data];
};
