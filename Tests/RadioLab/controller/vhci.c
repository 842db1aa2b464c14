#define _GNU_SOURCE
#include "vhci.h"

#include <fcntl.h>
#include <unistd.h>

int vhci_plug(bool placeholder) {
  // The second octet is the kind of controller: 0x00 primary, 0x80 raw device (drivers/bluetooth/hci_vhci.c).
  const uint8_t create[2] = {vendor_packet, placeholder ? 0x80 : 0x00};
  int descriptor = open("/dev/vhci", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (descriptor >= 0 && write(descriptor, create, sizeof create) != sizeof create) {
    close(descriptor);
    return -1;
  }
  return descriptor;
}

bool vhci_send(int descriptor, const uint8_t *packet, size_t length) {
  return write(descriptor, packet, length) == (ssize_t)length;
}
