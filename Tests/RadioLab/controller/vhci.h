// The kernel's virtual HCI transport: octets written to /dev/vhci are those that a controller sends over USB or a UART.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// First octet of a packet in both directions (H4), Core Specification Vol 4 Part A; `vendor` carries vhci's own messages.
enum packet_type { command_packet = 0x01, event_packet = 0x04, vendor_packet = 0xff };

/// Makes a controller appear and returns its descriptor, or -1 with errno. A placeholder is a raw device: it takes an index, but the kernel
/// neither initialises nor shows it.
int vhci_plug(bool placeholder);

/// Passes one packet to the kernel. Returns false if it refused.
bool vhci_send(int descriptor, const uint8_t *packet, size_t length);
