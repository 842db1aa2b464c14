#ifndef BEACONMON_CSODIUM_H
#define BEACONMON_CSODIUM_H

#include <sodium.h>

#endif
