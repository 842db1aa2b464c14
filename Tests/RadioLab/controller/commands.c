#include "commands.h"

#include "octets.h"
#include "vhci.h"
#include <stdio.h>
#include <string.h>

enum { command_complete = 0x0e, command_status = 0x0f };

/// Error codes, Vol 1 Part F.
enum { success = 0x00, unknown_command = 0x01, memory_exceeded = 0x07, command_disallowed = 0x0c, invalid_parameters = 0x12 };

enum { longest_return = 252 };

/// Fills the return parameters of a command after its status, and returns the status. `parameters` has at least `least` octets.
typedef uint8_t handler(struct controller *controller, const uint8_t *parameters, size_t length, uint8_t *returned, int64_t now);

struct command {
  uint16_t opcode;
  uint8_t octet, bit;  // in Supported Commands, Vol 4 Part E 6.27
  uint8_t least;       // octets of parameters
  uint8_t returned;    // octets of return parameters, the status included
  bool extended;       // only with extended advertising
  handler *handler;    // none: success and zeros
};

static handler supported_commands, local_features, local_version, bluetooth_address, buffer_size, reset;
static handler le_features, le_buffer_size, accept_list_capacity, clear_accept_list, add_accept_list, remove_accept_list, supported_states;
static handler random_number, maximum_data_length, scan_parameters, scan_enable, extended_scan_parameters, extended_scan_enable;
static handler advertising_data, advertising_enable, extended_parameters, extended_data, extended_enable, longest_advertising, advertising_sets;
static handler disallowed;

static const struct command commands[] = {
  {0x0406, 0, 5, 3, 0, false, disallowed},                    // Disconnect: there never is a connection
  {0x0c01, 5, 6, 8, 1, false, NULL},                          // Set Event Mask
  {0x0c03, 5, 7, 0, 1, false, reset},
  {0x0c63, 22, 2, 8, 1, false, NULL},                         // Set Event Mask Page 2
  {0x1001, 14, 3, 0, 9, false, local_version},
  {0x1002, 14, 4, 0, 65, false, supported_commands},
  {0x1003, 14, 5, 0, 9, false, local_features},
  {0x1005, 14, 7, 0, 8, false, buffer_size},
  {0x1009, 15, 1, 0, 7, false, bluetooth_address},
  {0x2001, 25, 0, 8, 1, false, NULL},                         // LE Set Event Mask
  {0x2002, 25, 1, 0, 4, false, le_buffer_size},
  {0x2003, 25, 2, 0, 9, false, le_features},
  {0x2005, 25, 4, 6, 1, false, NULL},                         // LE Set Random Address
  {0x2006, 25, 5, 15, 1, false, NULL},                        // LE Set Advertising Parameters
  {0x2007, 25, 6, 0, 2, false, NULL},                         // LE Read Advertising Physical Channel Tx Power
  {0x2008, 25, 7, 32, 1, false, advertising_data},
  {0x2009, 26, 0, 32, 1, false, NULL},                        // LE Set Scan Response Data
  {0x200a, 26, 1, 1, 1, false, advertising_enable},
  {0x200b, 26, 2, 7, 1, false, scan_parameters},
  {0x200c, 26, 3, 2, 1, false, scan_enable},
  {0x200d, 26, 4, 25, 0, false, disallowed},                  // LE Create Connection: nobody answers
  {0x200e, 26, 5, 0, 1, false, NULL},                         // LE Create Connection Cancel
  {0x200f, 26, 6, 0, 2, false, accept_list_capacity},
  {0x2010, 26, 7, 0, 1, false, clear_accept_list},
  {0x2011, 27, 0, 7, 1, false, add_accept_list},
  {0x2012, 27, 1, 7, 1, false, remove_accept_list},
  {0x2018, 27, 7, 0, 9, false, random_number},
  {0x201c, 28, 3, 0, 9, false, supported_states},
  {0x202f, 35, 3, 0, 9, false, maximum_data_length},
  {0x2035, 36, 1, 7, 1, true, NULL},                          // LE Set Advertising Set Random Address
  {0x2036, 36, 2, 25, 2, true, extended_parameters},
  {0x2037, 36, 3, 4, 1, true, extended_data},
  {0x2038, 36, 4, 4, 1, true, NULL},                          // LE Set Extended Scan Response Data
  {0x2039, 36, 5, 2, 1, true, extended_enable},
  {0x203a, 36, 6, 0, 3, true, longest_advertising},
  {0x203b, 36, 7, 0, 2, true, advertising_sets},
  {0x203c, 37, 0, 1, 1, true, NULL},                          // LE Remove Advertising Set
  {0x203d, 37, 1, 0, 1, true, NULL},                          // LE Clear Advertising Sets
  {0x2041, 37, 5, 3, 1, true, extended_scan_parameters},
  {0x2042, 37, 6, 6, 1, true, extended_scan_enable},
  {0x2043, 37, 7, 10, 0, true, disallowed},                   // LE Extended Create Connection
};
enum { command_count = sizeof commands / sizeof *commands };

static void answer(struct controller *controller, uint16_t opcode, uint8_t status, const uint8_t *returned, uint8_t length) {
  uint8_t event[7 + longest_return] = {event_packet, command_complete, (uint8_t)(3 + length), 1};
  put16(event + 4, opcode);
  if (length > 0) {
    memcpy(event + 6, returned, length);
    event[6] = status;
    controller_send(controller, event, 6 + (size_t)length);
  } else {
    event[1] = command_status;
    event[2] = 4;
    event[3] = status;
    event[4] = 1;
    put16(event + 5, opcode);
    controller_send(controller, event, 7);
  }
}

void command_answer(struct controller *controller, const uint8_t *packet, size_t length, int64_t now) {
  if (length < 4 || packet[0] != command_packet || length < 4 + (size_t)packet[3]) return;
  uint16_t opcode = get16(packet + 1);
  uint8_t returned[longest_return] = {0};
  controller->commands++;
  for (size_t i = 0; i < command_count; i++) {
    const struct command *command = &commands[i];
    if (command->opcode != opcode || (command->extended && !controller->extended)) continue;
    uint8_t status = success;
    if (packet[3] < command->least) status = invalid_parameters;
    else if (command->handler) status = command->handler(controller, packet + 4, packet[3], returned, now);
    answer(controller, opcode, status, returned, command->returned);
    return;
  }
  controller->unknown_commands++;
  fprintf(stderr, "unknown command %04x\n", opcode);
  answer(controller, opcode, unknown_command, returned, 1);
}

// MARK: The controller's properties

#define HANDLER(name)                                                                                                                      \
  static uint8_t name(__attribute__((unused)) struct controller *controller, __attribute__((unused)) const uint8_t *parameters,            \
                      __attribute__((unused)) size_t length, __attribute__((unused)) uint8_t *returned,                                    \
                      __attribute__((unused)) int64_t now)

HANDLER(supported_commands) {
  for (size_t i = 0; i < command_count; i++)
    if (!commands[i].extended || controller->extended) returned[1 + commands[i].octet] |= (uint8_t)(1 << commands[i].bit);
  return success;
}

HANDLER(local_version) {
  returned[1] = returned[4] = 0x09;  // Bluetooth 5.0
  put16(returned + 5, 0x05f1);       // manufacturer: The Linux Foundation
  return success;
}

HANDLER(local_features) {
  returned[1 + 4] = 0x60;  // LE supported, BR/EDR not supported
  return success;
}

HANDLER(bluetooth_address) {
  memcpy(returned + 1, controller->address, 6);
  return success;
}

HANDLER(buffer_size) {
  put16(returned + 1, 192);
  put16(returned + 4, 8);
  return success;
}

HANDLER(le_buffer_size) {
  put16(returned + 1, 251);
  returned[3] = 8;
  return success;
}

HANDLER(le_features) {
  if (controller->extended) returned[1 + 1] = 0x10;  // bit 12: LE Extended Advertising
  return success;
}

HANDLER(supported_states) {
  memset(returned + 1, 0xff, 5);
  returned[6] = 0x03;
  return success;
}

HANDLER(random_number) {
  // A counter instead of random numbers makes a run repeatable.
  memcpy(returned + 1, &controller->commands, 8);
  return success;
}

HANDLER(maximum_data_length) {
  put16(returned + 1, 251);
  put16(returned + 3, 2120);
  put16(returned + 5, 251);
  put16(returned + 7, 2120);
  return success;
}

HANDLER(longest_advertising) {
  put16(returned + 1, longest_data);
  return success;
}

HANDLER(advertising_sets) {
  returned[1] = 1;
  return success;
}

HANDLER(disallowed) { return command_disallowed; }

HANDLER(reset) {
  scanner_enable(&controller->scanner, false, false, 0, now);
  controller->scanner.accepted = 0;
  controller->advertising = false;
  controller->deaf = false;
  return success;
}

// MARK: Scanning

HANDLER(accept_list_capacity) {
  returned[1] = accept_list_size;
  return success;
}

HANDLER(clear_accept_list) {
  controller->scanner.accepted = 0;
  return success;
}

HANDLER(add_accept_list) { return scanner_accept(&controller->scanner, parameters[0], parameters + 1) ? success : memory_exceeded; }

HANDLER(remove_accept_list) { return scanner_reject(&controller->scanner, parameters[0], parameters + 1) ? success : invalid_parameters; }

/// Filter policies 1 and 3 use the accept list only.
static uint8_t set_scan(struct controller *controller, bool active, uint8_t policy) {
  if (controller->scanner.enabled) return command_disallowed;
  controller->scanner.active = active;
  controller->scanner.accept_list_only = policy & 1;
  return success;
}

HANDLER(scan_parameters) { return set_scan(controller, parameters[0], parameters[6]); }

HANDLER(extended_scan_parameters) {
  // Own address type, filter policy, PHYs, then five octets for each PHY: type, interval, window.
  return length < 8 ? invalid_parameters : set_scan(controller, parameters[3], parameters[1]);
}

HANDLER(scan_enable) {
  scanner_enable(&controller->scanner, parameters[0], parameters[1], 0, now);
  return success;
}

HANDLER(extended_scan_enable) {
  // The period counts 1.28 s; only Filter_Duplicates 2 forgets after each.
  int64_t period = parameters[1] == 2 ? get16(parameters + 4) * INT64_C(1280000000) : 0;
  scanner_enable(&controller->scanner, parameters[0], parameters[1], period, now);
  return success;
}

// MARK: Advertising

HANDLER(advertising_data) {
  if (parameters[0] > longest_legacy_data) return invalid_parameters;
  controller->advertising_length = parameters[0];
  memcpy(controller->advertising_data, parameters + 1, parameters[0]);
  return success;
}

HANDLER(advertising_enable) {
  controller->advertising = parameters[0];
  return success;
}

HANDLER(extended_parameters) {
  returned[1] = parameters[18];  // the requested transmit power
  return success;
}

HANDLER(extended_data) {
  // Handle, operation, fragment preference, length, data. Only complete data (operation 3) is accepted.
  if (parameters[1] != 3 || length < 4u + parameters[3]) return invalid_parameters;
  controller->advertising_length = parameters[3];
  memcpy(controller->advertising_data, parameters + 4, parameters[3]);
  return success;
}

HANDLER(extended_enable) {
  controller->advertising = parameters[0];
  return success;
}
