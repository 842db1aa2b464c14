#ifndef BEACONMON_HUB_CMOSQUITTO_H
#define BEACONMON_HUB_CMOSQUITTO_H

#include <mosquitto.h>

#endif
