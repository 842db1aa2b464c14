// HCI commands of the host: Core Specification Vol 4 Part E 7.
#pragma once
#include "controller.h"

/// Answers one command packet, including its type octet. Unknown commands are answered with Unknown HCI Command and counted.
void command_answer(struct controller *controller, const uint8_t *packet, size_t length, int64_t now);
