// Plugging and unplugging the controller.
#pragma once
#include "controller.h"

/// Connects it to the kernel, after unplugging it if necessary. With `other`, another controller takes the free index first, so that it
/// returns as another hciN. Returns false and sets errno if /dev/vhci refuses.
bool controller_plug(struct controller *controller, bool other, int64_t now);

void controller_unplug(struct controller *controller, int64_t now);
