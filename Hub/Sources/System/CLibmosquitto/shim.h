#ifndef BEACONMON_HUB_CLIBMOSQUITTO_H
#define BEACONMON_HUB_CLIBMOSQUITTO_H

#include <mosquitto.h>

#endif
