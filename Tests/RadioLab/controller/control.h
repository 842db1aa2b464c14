// The requests of a test to the controller: one request per line, one reply. `control_help` lists them.
#pragma once
#include "controller.h"

extern const char control_help[];

/// Runs a request, whose text it modifies, and writes a reply of one line or more; an error begins with "error: ".
void control_execute(struct controller *controller, char *request, char *reply, size_t size, int64_t now);
