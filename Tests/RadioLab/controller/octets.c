#include "octets.h"

#include <stdio.h>
#include <string.h>

static int digit(char character) {
  static const char digits[] = "0123456789abcdef";
  if (character >= 'A' && character <= 'F') character = (char)(character - 'A' + 'a');
  const char *found = character ? strchr(digits, character) : NULL;
  return found ? (int)(found - digits) : -1;
}

bool parse_octets(const char *text, uint8_t *octets, size_t limit, size_t *count) {
  *count = 0;
  if (strcmp(text, "-") == 0) return true;
  for (; *text; text += 2) {
    int high = digit(text[0]), low = high < 0 ? -1 : digit(text[1]);
    if (low < 0 || *count == limit) return false;
    octets[(*count)++] = (uint8_t)(high << 4 | low);
  }
  return true;
}

bool parse_address(const char *text, uint8_t address[6]) {
  if (strlen(text) != 17) return false;
  for (int i = 0; i < 6; i++) {
    int high = digit(text[3 * i]), low = digit(text[3 * i + 1]);
    if (high < 0 || low < 0 || (i < 5 && text[3 * i + 2] != ':')) return false;
    address[5 - i] = (uint8_t)(high << 4 | low);
  }
  return true;
}

void format_octets(const uint8_t *octets, size_t count, char *text) {
  *text = 0;
  for (size_t i = 0; i < count; i++) sprintf(text + 2 * i, "%02x", octets[i]);
}
