#ifndef BEACONMON_CMOSQUITTO_H
#define BEACONMON_CMOSQUITTO_H

/* Only what libmosquitto's headers declare is used; no program links it. It is loaded where an MQTT target needs it. */
#include <dlfcn.h>
#include <mosquitto.h>

#endif
