#include "plug.h"

#include "vhci.h"
#include <unistd.h>

static void close_if_open(int *descriptor) {
  if (*descriptor >= 0) close(*descriptor);
  *descriptor = -1;
}

bool controller_plug(struct controller *controller, bool other, int64_t now) {
  controller_unplug(controller, now);
  if (other && (controller->placeholder = vhci_plug(true)) < 0) return false;
  controller->vhci = vhci_plug(false);
  return controller->vhci >= 0;
}

void controller_unplug(struct controller *controller, int64_t now) {
  close_if_open(&controller->vhci);
  close_if_open(&controller->placeholder);
  controller->index = -1;
  controller->hung = controller->deaf = false;
  controller->advertising = false;
  scanner_enable(&controller->scanner, false, false, 0, now);
  controller->scanner.accepted = 0;
}

bool controller_send(struct controller *controller, const uint8_t *packet, size_t length) {
  return controller->hung || controller->vhci < 0 || vhci_send(controller->vhci, packet, length);
}
