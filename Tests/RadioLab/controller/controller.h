// One Bluetooth LE controller in software: the state that the host's commands, the transmissions and the test's requests share.
#pragma once
#include "air.h"
#include "scanner.h"

struct controller {
  /// Set when the controller is made.
  uint8_t address[6];
  bool extended;  // offers extended scanning and advertising

  /// The transport: -1 while unplugged.
  int vhci, placeholder;
  int index;  // N of hciN, -1 until the kernel reports it
  bool hung;
  /// Whether it obeys the host and reports nothing, until it is reset.
  bool deaf;

  struct scanner scanner;
  struct air air;

  /// The advertisement that the host has configured.
  bool advertising;
  uint8_t advertising_data[longest_data];
  uint16_t advertising_length;

  uint64_t commands, unknown_commands;
};

/// Sends one packet, unless the controller is unplugged or hung. Returns false if the kernel refused it.
bool controller_send(struct controller *controller, const uint8_t *packet, size_t length);
