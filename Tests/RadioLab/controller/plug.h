// Coming and going of the controller.
#pragma once
#include "controller.h"

/// Connects it to the kernel, unplugging it first where needed. With `other`, something else takes the free index before, so that it comes
/// back as another hciN. False and errno if /dev/vhci refuses.
bool controller_plug(struct controller *controller, bool other, int64_t now);

void controller_unplug(struct controller *controller, int64_t now);
