#ifndef BEACONMON_CDBUS_H
#define BEACONMON_CDBUS_H

#include <dbus/dbus.h>

#endif
