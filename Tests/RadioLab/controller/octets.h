// Octets as HCI sends them (little-endian) and as text (hexadecimal).
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint16_t get16(const uint8_t *at) { return (uint16_t)(at[0] | at[1] << 8); }

static inline void put16(uint8_t *at, uint16_t value) {
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

/// Reads pairs of hexadecimal digits; "-" means no octets. Returns false for any other character in `text`, or more than `limit` octets.
bool parse_octets(const char *text, uint8_t *octets, size_t limit, size_t *count);

/// Reads AA:BB:CC:DD:EE:FF, most significant first, into the order of HCI, least significant first.
bool parse_address(const char *text, uint8_t address[6]);

/// Writes pairs of hexadecimal digits and a final zero: 2 × count + 1 characters.
void format_octets(const uint8_t *octets, size_t count, char *text);
